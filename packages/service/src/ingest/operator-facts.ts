import type { Fact } from '@ti/core/model/facts.ts'
import { encodeEntry, readHead } from '../log/codec.ts'
import type { EntryStream } from './entries.ts'

/**
 * Adds the operator's facts as a log entry before the source's entries, except the one that names the chain. `time`: Unix seconds
 * of the statement.
 */
export const withOperatorFacts = (entries: EntryStream, facts: readonly Fact[], time: number): EntryStream => ({
  counts: entries.counts,
  async *batches(cursor, signal) {
    const own = [Buffer.from(encodeEntry({ kind: 'facts', time, byOperator: true, facts }))]
    let isFirst = true
    for await (const batch of entries.batches(cursor, signal)) {
      const isName = isFirst && batch.length > 0 && readHead(0, batch[0]!).kind === 'chain'
      if (isFirst && !isName) yield own
      yield batch
      if (isFirst && isName) yield own
      isFirst = false
    }
    if (isFirst) yield own
  },
})
