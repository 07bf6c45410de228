import assert from 'node:assert/strict'
import { Frame } from '@ti/core/contract/streams.ts'
import { serverFrame } from './streams-wire.ts'

/** A stream of frames as it was received first: every frame in it was parsed and checked, and its seq is the next one. */
export function createReference() {
  let bytes = Buffer.alloc(1 << 20)
  let length = 0
  let parsed = 0
  let firstSeq = -1
  /** where each frame ends, and all of these places */
  const ends: number[] = []
  const boundaries = new Set([0])

  function check(opcode: number, payload: Buffer): void {
    assert.equal(opcode, 1)
    const [joinRef, ref, topic, event, body] = JSON.parse(payload.toString())
    assert.deepEqual([joinRef, ref, topic, event], [null, null, 'frames:live', 'frame'])
    assert.equal(Frame.parse(body).data.seq, firstSeq + ends.length)
  }

  return {
    get length() {
      return length
    },
    get frames() {
      return ends.length
    },
    get newest() {
      return firstSeq + ends.length - 1
    },
    /** where the frame with this seq begins, the first one asked for at 0; undefined while that is not known */
    startOf(seq: number): number | undefined {
      if (firstSeq < 0) firstSeq = seq
      return seq === firstSeq ? 0 : ends[seq - firstSeq - 1]
    },
    isBoundary: (at: number): boolean => boundaries.has(at),
    part: (from: number, to: number): Buffer => bytes.subarray(from, to),
    append(chunk: Buffer): void {
      if (length + chunk.length > bytes.length) {
        bytes = Buffer.concat([bytes], Math.max(bytes.length * 2, length + chunk.length))
      }
      chunk.copy(bytes, length)
      length += chunk.length
      const known = bytes.subarray(0, length)
      for (let frame = serverFrame(known, parsed); frame !== null; frame = serverFrame(known, parsed)) {
        check(frame.opcode, frame.payload)
        parsed = frame.end
        ends.push(parsed)
        boundaries.add(parsed)
      }
    },
  }
}
