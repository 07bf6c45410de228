import type { Fact } from '@ti/core/model/facts.ts'
import { encodeEntry } from '../log/codec.ts'
import type { EntryStream } from './entries.ts'

/** What the operator said, as an entry of the log in front of the source's. `time`: Unix seconds at which it was said. */
export const withOperatorFacts = (entries: EntryStream, facts: readonly Fact[], time: number): EntryStream => ({
  counts: entries.counts,
  async *batches(cursor, signal) {
    yield [Buffer.from(encodeEntry({ kind: 'facts', time, byOperator: true, facts }))]
    yield* entries.batches(cursor, signal)
  },
})
