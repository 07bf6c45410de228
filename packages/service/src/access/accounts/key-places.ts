import { networkOf } from '../rate-limits/client-address.ts'

export const KEY_PLACES = {
  /** bits more at most, each of which doubles the work: two minutes of a phone, so that neighbours cannot lock a user out */
  extraBits: 6,
  /** keys of one address, and of one /48 of IPv6, after which the work doubles, and again: an account's keys, and those of
   * four addresses; milliseconds after which one of them is forgotten */
  keys: 5,
  networkKeys: 20,
  keyMs: 720_000,
  /** addresses and networks that are remembered, about 150 bytes each */
  places: 10_000,
}

/** Counts the keys made recently from each address: the more, the harder the next proof of work. */
export type KeyPlaces = ReturnType<typeof createKeyPlaces>

interface Level {
  /** recent keys at `atMs` */
  readonly keys: number
  readonly atMs: number
}

/**
 * A place is an address or its /48 network; its count falls by one key every `keyMs`. Counts are in memory only: after a
 * restart the next keys of a place are cheaper, but not free. A full map evicts the place with the oldest key.
 */
export function createKeyPlaces(now: () => number, bounds: Readonly<typeof KEY_PLACES> = KEY_PLACES) {
  const places = new Map<string, Level>()

  const keysOf = (place: string): number => {
    const level = places.get(place)
    return level === undefined ? 0 : Math.max(0, level.keys - Math.max(0, now() - level.atMs) / bounds.keyMs)
  }

  function change(place: string, by: number): void {
    const keys = Math.max(0, keysOf(place) + by)
    places.delete(place)
    if (keys === 0) return
    const oldest = places.keys().next()
    if (places.size >= bounds.places && !oldest.done) places.delete(oldest.value)
    places.set(place, { keys, atMs: now() })
  }

  return {
    /** additional zero bits; each doubles the work. `address`: in the form of rate limits */
    extraBits(address: string): number {
      const network = networkOf(address)
      const ofAddress = keysOf(address) / bounds.keys
      const ofNetwork = network === null ? 0 : keysOf(network) / bounds.networkKeys
      return Math.min(bounds.extraBits, Math.floor(Math.max(ofAddress, ofNetwork)))
    },
    /** `keys` -1 returns a key that was not made */
    take(address: string, keys: 1 | -1): void {
      const network = networkOf(address)
      change(address, keys)
      if (network !== null) change(network, keys)
    },
    get size(): number {
      return places.size
    },
  }
}
