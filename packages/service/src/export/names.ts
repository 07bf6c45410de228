import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { rootOf } from '@ti/core/engine/bundles/groups.ts'
import type { BundleBook, Group } from '@ti/core/model/bundles.ts'
import { bundleName } from '@ti/core/query/bundle-name.ts'
import type { Store } from '../store/store.ts'

/** Translates the store's numbers into base58 addresses and ids of coordinated groups. */
export interface Names {
  mint(token: number): string
  wallet(id: number): string
  walletOrNull(id: number): string | null
  /** The group with that number on that token, even if it was merged later; null for -1. */
  bundle(token: number, group: number): string | null
  /** The confirmed group that it is, or was merged into; null if there is none. */
  bundleNow(token: number, group: number): string | null
}

/** `kept`: cached texts per kind. */
export function createNames(store: Store, kept: number): Names {
  const mintKey = (token: number): Key => there(store.token(token), 'token', token).mint
  const walletKey = (id: number): Key => there(store.wallet(id), 'wallet', id).address
  const mint = remember(kept, (token: number) => keyToBase58(mintKey(token)))
  const wallet = remember(kept, (id: number) => keyToBase58(walletKey(id)))
  let last: { readonly token: number; readonly book: BundleBook } | null = null

  function bookOf(token: number): BundleBook {
    if (last?.token !== token) last = { token, book: there(store.bundles(token), 'bundles of token', token) }
    return last.book
  }

  const idOf = (token: number, { firstSlot, founder }: Group): string =>
    bundleName(mintKey(token), firstSlot, walletKey(founder)).id
  const bundle = remember(kept, (at: `${number}/${number}`) => {
    const [token, group] = at.split('/').map(Number) as [number, number]
    return idOf(token, there(bookOf(token).groups[group], 'group', group))
  })

  return {
    mint,
    wallet,
    walletOrNull: (id) => (id < 0 ? null : wallet(id)),
    bundle: (token, group) => (group < 0 ? null : bundle(`${token}/${group}`)),
    bundleNow(token, group) {
      const now = group < 0 ? null : rootOf(bookOf(token), group)
      return now === null || now.confirmedSlot < 0 ? null : bundle(`${token}/${now.no}`)
    },
  }
}

/** Throws if a record named by the store's own numbers is missing. */
export function there<T>(found: T | undefined, what: string, id: number): T {
  if (found === undefined) throw new Error(`there is no ${what} ${id}`)
  return found
}

/** Caches at least the newest `kept` results and at most twice as many. */
function remember<K, V>(kept: number, make: (key: K) => V): (key: K) => V {
  let young = new Map<K, V>()
  let old = new Map<K, V>()
  return (key) => {
    const found = young.get(key)
    if (found !== undefined) return found
    const value = old.get(key) ?? make(key)
    if (young.size >= kept) {
      old = young
      young = new Map()
    }
    young.set(key, value)
    return value
  }
}
