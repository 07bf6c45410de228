import type { Clock } from '../clock.ts'
import type { NamedBy } from '../outbound/target.ts'
import { type ContentAddress, joined, readAddress } from './address.ts'
import { createCache } from './cache.ts'
import { LINK_LENGTH } from './page.ts'

/** milliseconds after which no further place is asked in a look; failures in a row until a subject is given up, after some
 * hours; answers kept, about 3 kB each, and milliseconds for which a web page is kept */
const PLACES_MS = 8_000
export const FAILURES = 8
const CACHED = 5_000
export const WEB_CACHED_MS = 300_000

export interface Gateways {
  readonly ipfs: readonly string[]
  readonly arweave: readonly string[]
}

/** Asks one place; the answer is a reason if it has nothing useful. */
type Ask<V> = (url: string, namedBy: NamedBy, signal: AbortSignal) => Promise<Asked<V>>
type Asked<V> = { readonly ok: true; readonly value: V } | { readonly ok: false; readonly reason: string }

interface ContentFetcher<V> {
  fetch(link: string, signal: AbortSignal): Promise<Asked<V>>
  readonly cached: number
}

/**
 * Fetches what a link points to: known content from the cache, content with an id from the gateways in turn, and finally
 * from the link's own host. Only a gateway's answer is cached under the content's id, because anyone can serve anything
 * below a path that looks like one.
 */
export function createContentFetcher<V>(gateways: Gateways, clock: Clock, ask: Ask<V>): ContentFetcher<V> {
  const cache = createCache<V>(CACHED, clock)
  let turn = 0

  async function fetch(link: string, signal: AbortSignal): Promise<Asked<V>> {
    const address = link.length > LINK_LENGTH ? null : readAddress(link)
    if (address === null) return { ok: false, reason: 'unsupported' }
    const known = cache.get(address.id) ?? (address.url === null ? undefined : cache.get(address.url))
    if (known !== undefined) return { ok: true, value: known }
    const reasons: string[] = []
    const from = clock.ms()
    for (const { url, namedBy, keptAs } of placesOf(address)) {
      // missing content costs the full timeout of every place
      if (signal.aborted || clock.ms() - from > PLACES_MS) break
      const asked = await ask(url, namedBy, signal)
      if (asked.ok) {
        cache.set(keptAs, asked.value, keptAs === address.id && address.kind !== 'web' ? Infinity : WEB_CACHED_MS)
        return asked
      }
      reasons.push(asked.reason)
    }
    return { ok: false, reason: worthTelling(reasons) }
  }

  function placesOf({ kind, id, path, url }: ContentAddress): { url: string; namedBy: NamedBy; keptAs: string }[] {
    const bases = kind === 'web' ? [] : turned(gateways[kind], turn++)
    const places = bases.map((base) => ({ url: joined(base, path), namedBy: 'operator' as NamedBy, keptAs: id }))
    const own = url !== null && !places.some((place) => place.url === url)
    return own ? [...places, { url, namedBy: 'stranger', keptAs: url }] : places
  }

  return {
    fetch,
    get cached() {
      return cache.size
    },
  }
}

/** Each request starts at another gateway, so that none gets all the load and a slow one does not always come first. */
const turned = <T>(list: readonly T[], by: number): T[] => list.map((_, i) => list[(i + by) % list.length]!)

/** True for a link to nowhere and a forbidden place; every other failure may be temporary. */
export const isFinal = (reason: string): boolean => FINAL.has(reason)
const FINAL = new Set(['unsupported', 'url', 'port', 'address'])

/** The reason to report: a temporary failure first, then a place that was busy, then a final reason. */
const worthTelling = (reasons: readonly string[]): string =>
  reasons.find((reason) => reason !== 'busy' && !isFinal(reason)) ??
  reasons.find((reason) => reason === 'busy') ??
  reasons[0] ??
  'unsupported'
