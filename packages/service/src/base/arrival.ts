import { setImmediate, setTimeout } from 'node:timers/promises'

const settled = (next: Promise<unknown>): Promise<true> =>
  next.then(
    () => true,
    () => true,
  )

/** True if `next` has settled already; the check costs no turn of the event loop in that case. */
export const isAtHand = (next: Promise<unknown>): Promise<boolean> => Promise.race([settled(next), setImmediate(false)])

/** True if `next` settles within `ms` and before an abort. */
export async function arrivesWithin(next: Promise<unknown>, ms: number, signal?: AbortSignal): Promise<boolean> {
  if (await isAtHand(next)) return true
  const stop = new AbortController()
  const end = (): void => stop.abort()
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted === true) end()
  const late = setTimeout(ms, false, { signal: stop.signal }).catch(() => false)
  const arrived = await Promise.race([settled(next), late])
  signal?.removeEventListener('abort', end)
  end()
  return arrived
}
