import { count, createCounts } from '@ti/core/base/counts.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { encodeEntry } from '../log/codec.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

/** facts from observers that wait for the pipeline, which takes them all at its next turn */
export const REPORTED_FACTS_MAX = 10_000

/** Facts that observers find while the source delivers blocks: entries of the log between them. */
export type ReportedFacts = ReturnType<typeof createReportedFacts>

interface Reported {
  readonly time: number
  readonly facts: readonly Fact[]
}

export function createReportedFacts() {
  const queue: Reported[] = []
  const counts = createCounts(['reported', 'no room'])
  let waiting = 0
  let wake = (): void => {}

  function take(): EncodedBatch {
    const reported = queue.splice(0)
    waiting = 0
    // not from the source, so its cursor must not count them
    return reported.map(({ time, facts }) => Buffer.from(encodeEntry({ kind: 'facts', time, byOperator: true, facts })))
  }

  async function* batches(source: AsyncIterator<EncodedBatch>, isNamed: boolean): AsyncGenerator<EncodedBatch> {
    let next = source.next()
    const arrived = () => next.then(nothing, nothing)
    try {
      // the first entry of a log names its chain
      if (!isNamed) {
        const { done, value } = await next
        if (done === true) return
        next = source.next()
        yield value
      }
      for (;;) {
        if (queue.length > 0) yield take()
        const reported = new Promise<'reported'>((resolve) => {
          wake = () => resolve('reported')
        })
        if (queue.length > 0 || (await Promise.race([reported, arrived()])) === 'reported') continue
        const { done, value } = await next
        if (done === true) return
        next = source.next()
        yield value
      }
    } finally {
      await source.return?.()
    }
  }

  return {
    /** Facts beyond the bound are counted and dropped. Observers request them again, because they are still unknown. */
    report(facts: readonly Fact[], observedAtSeconds: number): void {
      if (facts.length === 0) return
      if (waiting + facts.length > REPORTED_FACTS_MAX) return count(counts, 'no room', facts.length)
      count(counts, 'reported', facts.length)
      waiting += facts.length
      queue.push({ time: observedAtSeconds, facts })
      wake()
    },
    /** `entries` with the reported facts between its batches; ends with `entries`. */
    among: (entries: EntryStream): EntryStream => ({
      ...entries,
      batches: (cursor, signal) => batches(entries.batches(cursor, signal)[Symbol.asyncIterator](), !!cursor.chain),
    }),
    /** The number of queued facts. */
    get waiting(): number {
      return waiting
    },
    /** Facts reported and facts dropped. */
    counts,
  }
}

const nothing = (): undefined => undefined
