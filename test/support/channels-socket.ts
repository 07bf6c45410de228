import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Topic } from '@ti/core/contract/streams.ts'
import {
  type Channel,
  type Context,
  type Input,
  NO_CHANNELS,
  type Output,
  pushRef,
  reduce,
} from '@ti/service/faces/live/channels.ts'
import { decodeBinary, decodeText, encode, type Version } from '@ti/service/faces/live/codec.ts'

/**
 * Codec and reducer as a socket uses them, on paper. What comes out is text: frames as they are sent,
 * `+0 tokens:live` (or `+0 tokens:live after 7`) where channel 0 subscribes, `-0`, and `close 1011`.
 */
export interface PaperSocket {
  /** a frame of the client: a string is a text frame */
  receive(frame: string | Buffer): string[]
  feed(input: Input): string[]
  /** what each subscription of the topic gets; the same text for all */
  broadcast(topic: Topic, event: string, payload: string): string[]
  /** an event for one channel alone, as in a replay; nothing when it is gone */
  push(channel: number, event: string, payload: string): string[]
  subscribed(): number
}

export function createPaperSocket(version: Version, context: Context): PaperSocket {
  let channels = NO_CHANNELS
  let open = true
  const subscriptions = new Map<number, Channel>()

  const carryOut = (output: Output): string => {
    switch (output.kind) {
      case 'send':
        return encode(version, output.message)
      case 'subscribe': {
        const { id, topic } = output.channel
        if (subscriptions.has(id)) throw new Error(`channel ${id} subscribes twice`)
        subscriptions.set(id, output.channel)
        return `+${id} ${topic}${output.after === null ? '' : ` after ${output.after}`}`
      }
      case 'unsubscribe':
        if (!subscriptions.delete(output.channel.id)) throw new Error(`${output.channel.id} was not subscribed`)
        return `-${output.channel.id}`
      case 'close':
        open = false
        return `close ${output.code}`
    }
  }

  const feed = (input: Input): string[] => {
    const step = reduce(channels, input, context)
    channels = step.channels
    if (input.kind === 'gone') open = false
    return step.outputs.map(carryOut)
  }

  const send = (channel: Channel, joinRef: string, event: string, payload: string): string =>
    encode(version, { joinRef, ref: 'null', topic: JSON.stringify(channel.topic), event, payload })

  return {
    receive: (frame) => {
      if (!open) return []
      const decoded = typeof frame === 'string' ? decodeText(version, frame) : decodeBinary(version, frame)
      return feed({ kind: 'message', message: decoded })
    },
    feed,
    broadcast: (topic, event, payload) =>
      [...subscriptions.values()]
        .filter((channel) => channel.topic === topic)
        .map((channel) => send(channel, 'null', event, payload)),
    push: (id, event, payload) => {
      const channel = subscriptions.get(id)
      return channel === undefined ? [] : [send(channel, pushRef(channel), event, payload)]
    },
    subscribed: () => subscriptions.size,
  }
}

/** A binary push of a client, version 2. */
export function binaryPush(joinRef: string, ref: string, topic: string, event: string, data = ''): Buffer {
  const parts = [joinRef, ref, topic, event].map((part) => Buffer.from(part))
  return Buffer.concat([Buffer.from([0, ...parts.map((part) => part.length)]), ...parts, Buffer.from(data)])
}

/** A row of the tables: what comes in (Buffers are binary frames), and everything that comes out. */
export type Row = readonly [row: number, name: string, steps: readonly Step[], outputs: readonly string[]]
export type Step = string | Buffer | Input | ((socket: PaperSocket) => string[])

/** The newest event has seq 7, and the log still holds those from 3 on. */
export const CONTEXT: Context = { position: () => ({ seq: 7, oldestSeq: 3 }), channelsMax: 2 }

export const LIVE = '{"status":"ok","response":{"seq":7,"oldest_seq":3,"resumed":false}}'
export const RESUMED = '{"status":"ok","response":{"seq":7,"oldest_seq":3,"resumed":true}}'
export const OK = '{"status":"ok","response":{}}'
export const refusal = (reason: string): string => `{"status":"error","response":{"reason":"${reason}"}}`
export const UNMATCHED = refusal('unmatched topic')
export const BAD = refusal('bad after_seq')
export const UNKNOWN = refusal('unknown event')

export const malformed = (name: string, frame: string): Row => [22, `${name} closes with 1011`, [frame], ['close 1011']]

export function play(version: Version, steps: readonly Step[], context: Context = CONTEXT): string[] {
  const socket = createPaperSocket(version, context)
  return steps.flatMap((step) => {
    if (typeof step === 'function') return step(socket)
    return typeof step === 'string' || Buffer.isBuffer(step) ? socket.receive(step) : socket.feed(step)
  })
}

export function testRows(version: Version, rows: readonly Row[]): void {
  for (const [row, name, steps, outputs] of rows) {
    test(`row ${row}: ${name}`, () => {
      assert.deepEqual(play(version, steps), outputs)
    })
  }

  test('row 30: every payload of the rows above is an object', () => {
    const frames = rows.flatMap(([, , steps]) => play(version, steps)).filter((output) => /^[[{]/.test(output))
    assert.equal(frames.length > 20, true, 'frames were looked at')
    for (const frame of frames) {
      const payload = version === 2 ? JSON.parse(frame)[4] : JSON.parse(frame).payload
      assert.equal(Object.prototype.toString.call(payload), '[object Object]', frame)
    }
  })
}
