import type { Pace } from '@ti/core/base/pace.ts'
import type { Stream, StreamMessage } from '@ti/core/query/streams.ts'
import type { LiveBounds } from './bounds.ts'

/** Chunks of a topic's past, for readers that resume: after a restart a thousand clients want the same minute. */
export type History = ReturnType<typeof createHistory>

interface HistoryOptions {
  readonly stream: Stream
  readonly pace: Pace
  readonly bounds: Pick<LiveBounds, 'replayChunk' | 'replayChunks'>
  readonly now: () => number
  /** called when a chunk has arrived, or cannot be read */
  readonly onArrival: () => void
}

export function createHistory({ stream, pace, bounds, now, onArrival }: HistoryOptions) {
  const { replayChunk: size, replayChunks: most } = bounds
  /** by number, least recently used first; the newest may be incomplete */
  const chunks = new Map<number, readonly StreamMessage[]>()
  const fetching = new Set<number>()
  const broken = new Map<number, unknown>()

  function keep(number: number, chunk: readonly StreamMessage[]): readonly StreamMessage[] {
    chunks.delete(number)
    chunks.set(number, chunk)
    if (chunks.size > most) chunks.delete(chunks.keys().next().value!)
    return chunk
  }

  async function fetch(
    number: number,
    known: readonly StreamMessage[],
    reading: Promise<readonly StreamMessage[]>,
  ): Promise<void> {
    fetching.add(number)
    try {
      keep(number, joined(known, await reading, number * size + known.length))
    } catch (error) {
      broken.set(number, error)
    } finally {
      fetching.delete(number)
      onArrival()
    }
  }

  return {
    /** At most a chunk of what comes after `has`, up to `at`; null while it is on its way. Throws if it cannot be read. */
    after(has: number, at: number): readonly StreamMessage[] | null {
      const number = Math.floor(has / size)
      const first = number * size
      if (broken.has(number)) throw broken.get(number)
      const known = chunks.get(number) ?? []
      if (first + known.length > has) return keep(number, known).slice(has - first, at - first)
      if (fetching.has(number)) return null
      const from = first + known.length
      const began = now()
      const read = stream.read(from, Math.min(first + size, at) - from)
      if (read instanceof Promise) {
        void fetch(number, known, read)
        return null
      }
      pace.took(read.length, now() - began)
      return keep(number, joined(known, read, from)).slice(has - first)
    },
    /** What could not be read is read again from now on. */
    forget: (): void => broken.clear(),
  }
}

function joined(known: readonly StreamMessage[], read: readonly StreamMessage[], after: number) {
  if (read.length === 0) throw new Error(`message ${after + 1} is missing`)
  return known.length === 0 ? read : [...known, ...read]
}
