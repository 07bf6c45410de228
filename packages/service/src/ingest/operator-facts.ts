import type { Fact } from '@ti/core/model/facts.ts'
import { encodeEntry } from '../log/codec.ts'
import type { EntryStream } from './entries.ts'

/** Adds the operator's facts as a log entry before the source's entries. `time`: Unix seconds of the statement. */
export const withOperatorFacts = (entries: EntryStream, facts: readonly Fact[], time: number): EntryStream => ({
  counts: entries.counts,
  async *batches(cursor, signal) {
    yield [Buffer.from(encodeEntry({ kind: 'facts', time, byOperator: true, facts }))]
    yield* entries.batches(cursor, signal)
  },
})
