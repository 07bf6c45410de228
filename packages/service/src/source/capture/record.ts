import { arrivesWithin } from '../../base/arrival.ts'
import type { Source } from '../source.ts'
import type { CaptureCounts } from './format.ts'
import { createCaptureWriter } from './writer.ts'

/** milliseconds that recorded data may wait to be written to disk: a killed recorder loses as much */
const FLUSH_MS = 5_000

interface RecordOptions {
  /** milliseconds; it also ends with the source, or when `signal` aborts */
  readonly forMs: number
  readonly signal: AbortSignal
  /** called now and then: share of the time that is over, what there is so far */
  readonly onProgress?: (share: number, items: number, slot: number) => void
}

const START = { slot: -1, time: 0, facts: 0 }

/**
 * Writes what `source` yields from now on into the capture `path`. What came is on disk within FLUSH_MS: after
 * a kill the unfinished file holds it, for resumeCaptureWriter to finish.
 */
export async function recordCapture(source: Source, path: string, options: RecordOptions): Promise<CaptureCounts> {
  const writer = await createCaptureWriter(path, {
    created_at: new Date().toISOString(),
    source: source.name,
    chain: (await source.chain?.(options.signal)) ?? null,
    holds: 'a recording of a live source',
  })
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  options.signal.addEventListener('abort', abort, { once: true })
  if (options.signal.aborted) abort()
  const started = performance.now()
  const timer = setTimeout(abort, options.forMs)
  const items = source.items(START, stop.signal)[Symbol.asyncIterator]()
  let flushed = started
  let taken = 0
  try {
    for (let next = items.next(); !stop.signal.aborted; ) {
      const arrived = await arrivesWithin(next, FLUSH_MS, stop.signal)
      if (arrived) {
        const { done, value } = await next
        if (done === true) break
        await writer.write(value)
        taken++
        next = items.next()
        // a failure is handled where `next` is awaited; after an abort it is not awaited
        next.catch(() => {})
      }
      options.onProgress?.((performance.now() - started) / options.forMs, taken, writer.reached)
      if (performance.now() - flushed < FLUSH_MS) continue
      await writer.flush()
      flushed = performance.now()
    }
    return await writer.finish()
  } catch (error) {
    await writer.leave().catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
    options.signal.removeEventListener('abort', abort)
    abort()
    await items.return?.()
  }
}
