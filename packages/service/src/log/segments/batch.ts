import { BATCH_BYTES, chainBehind, ENTRY_BYTES, writeBatchHeader } from './format.ts'

/** bytes of the buffer that is kept between batches; a larger one is released after its batch */
const KEPT_BYTES = 1 << 20

/**
 * The next batch in its format on disk, in memory until it is written.
 * `bytesMax`: the largest size of a batch's entries.
 */
export function createPendingBatch(idChain: number, bytesMax: number) {
  let out = Buffer.allocUnsafe(KEPT_BYTES)
  let used = BATCH_BYTES
  let count = 0
  let firstSeq = 0
  let before = 0
  let chain = 0
  return {
    get count(): number {
      return count
    },
    /** The running checksum after the last entry. */
    get chain(): number {
      return chain
    },
    append(seq: number, bytes: Buffer): void {
      const end = used + ENTRY_BYTES + bytes.length
      if (end - BATCH_BYTES > bytesMax) throw new Error(`more than ${bytesMax} bytes were appended without a sync`)
      if (end > out.length) {
        const larger = Buffer.allocUnsafe(Math.min(Math.max(end, out.length * 2), BATCH_BYTES + bytesMax))
        out.copy(larger, 0, 0, used)
        out = larger
      }
      chain = chainBehind(chain, seq, bytes)
      out.writeUInt32LE(bytes.length, used)
      out.writeUInt32LE(chain, used + 4)
      bytes.copy(out, used + ENTRY_BYTES)
      used = end
      count++
    },
    /** The whole batch, valid until the next `append`. */
    take(): Buffer {
      writeBatchHeader(out, { bytes: used - BATCH_BYTES, firstSeq, entries: count, chain: before }, idChain)
      return out.subarray(0, used)
    },
    /** Starts the next batch after `chain`. */
    reset(nextSeq: number, nextChain: number): void {
      if (out.length > KEPT_BYTES) out = Buffer.allocUnsafe(KEPT_BYTES)
      used = BATCH_BYTES
      count = 0
      firstSeq = nextSeq
      before = nextChain
      chain = nextChain
    },
  }
}
