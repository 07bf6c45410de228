import { type Counts, count, createCounts } from '../base/counts.ts'
import { LIMITS } from '../config/limits.ts'
import { encodeEntry } from '../log/codec.ts'
import type { Fact } from '../model/facts.ts'
import type { EncodedBatch, EntryStream } from './entries.ts'

/** Facts that observers find while the source delivers blocks: entries of the log between them. */
export interface ToldFacts {
  /** what finds no room is counted and lost: whoever observes asks again, because it is still unknown */
  tell(facts: readonly Fact[], observedAtSeconds: number): void
  /** `entries` with what is told between its batches; ends when `entries` ends */
  among(entries: EntryStream): EntryStream
  /** facts that wait */
  readonly waiting: number
  /** facts told, and those that found no room */
  readonly counts: Counts
}

interface Told {
  readonly time: number
  readonly facts: readonly Fact[]
}

export function createToldFacts(): ToldFacts {
  const queue: Told[] = []
  const counts = createCounts()
  let waiting = 0
  let wake = (): void => {}

  function take(): EncodedBatch {
    const told = queue.splice(0)
    waiting = 0
    // they do not come from the source, so its cursor must not count them
    return told.map(({ time, facts }) => Buffer.from(encodeEntry({ kind: 'facts', time, byOperator: true, facts })))
  }

  async function* batches(source: AsyncIterator<EncodedBatch>): AsyncGenerator<EncodedBatch> {
    let next = source.next()
    const arrived = () => next.then(nothing, nothing)
    try {
      for (;;) {
        if (queue.length > 0) yield take()
        const told = new Promise<'told'>((resolve) => {
          wake = () => resolve('told')
        })
        if (queue.length > 0 || (await Promise.race([told, arrived()])) === 'told') continue
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
    tell(facts, observedAtSeconds) {
      if (facts.length === 0) return
      if (waiting + facts.length > LIMITS.toldFacts) return count(counts, 'no room', facts.length)
      count(counts, 'told', facts.length)
      waiting += facts.length
      queue.push({ time: observedAtSeconds, facts })
      wake()
    },
    among: (entries) => ({
      ...entries,
      batches: (cursor, signal) => batches(entries.batches(cursor, signal)[Symbol.asyncIterator]()),
    }),
    get waiting() {
      return waiting
    },
    counts,
  }
}

const nothing = (): undefined => undefined
