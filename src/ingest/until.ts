import { readHead } from '../log/codec.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

/**
 * The stream up to and with the last block at or before `slot`: the state that was served from that block's commit until
 * the next entry. Entries between blocks count only when a block within the bound follows them.
 */
export const untilSlot = (entries: EntryStream, slot: number): EntryStream => ({
  counts: entries.counts,
  async *batches(cursor, signal) {
    let held: Buffer[] = []
    for await (const batch of entries.batches(cursor, signal)) {
      const kept: Buffer[] = []
      for (const bytes of batch) {
        const head = readHead(0, bytes)
        held.push(bytes)
        if (head.kind !== 'block') continue
        if (head.slot > slot) {
          if (kept.length > 0) yield kept satisfies EncodedBatch
          return
        }
        kept.push(...held)
        held = []
      }
      if (kept.length > 0) yield kept satisfies EncodedBatch
    }
  },
})
