import type { Key } from '../base/ids.ts'
import type { Wallet } from '../model/state.ts'
import { newWallet } from './history.ts'
import type { StateReader } from './state.ts'

/**
 * A cache of wallets over the store, in two generations. Touching a wallet moves it to the young one. When that is full
 * or too old, the old generation is dropped and the young one takes its place. This happens only right after a commit,
 * so unwritten changes are never dropped.
 */
export interface WalletCache {
  byId(id: number): Wallet
  /** Several wallets, in the order of `ids`. Misses are read in one batch. */
  byIds(ids: readonly number[]): Wallet[]
  /** Undefined if the wallet has never been seen. */
  find(address: Key): Wallet | undefined
  findOrCreate(address: Key, slot: number): Wallet
  touch(wallet: Wallet): void
  readonly dirty: readonly Wallet[]
  readonly created: readonly Wallet[]
  /** Called when everything dirty up to this slot is durable. */
  committed(slot: number): void
  size(): number
}

interface Generation {
  readonly byAddress: Map<Key, Wallet>
  readonly byId: Map<number, Wallet>
}

const generation = (): Generation => ({ byAddress: new Map(), byId: new Map() })

interface WalletBounds {
  /** The capacity of both generations together. */
  readonly max: number
  /** A generation ends after this many slots even if it is not full. By default it does not. */
  readonly quietSlots?: number | undefined
}

export function createWalletCache(
  reader: StateReader,
  { max, quietSlots = Number.POSITIVE_INFINITY }: WalletBounds,
  nextId: () => number,
): WalletCache {
  let young = generation()
  let old = generation()
  let turnedSlot = -1
  const dirty: Wallet[] = []
  const created: Wallet[] = []

  function keep(wallet: Wallet): Wallet {
    young.byAddress.set(wallet.address, wallet)
    young.byId.set(wallet.id, wallet)
    return wallet
  }

  function touch(wallet: Wallet): void {
    if (wallet.changed) return
    wallet.changed = true
    dirty.push(wallet)
  }

  function find(address: Key): Wallet | undefined {
    const hit = young.byAddress.get(address)
    if (hit !== undefined) return hit
    const earlier = old.byAddress.get(address)
    if (earlier !== undefined) return keep(earlier)
    const id = reader.walletIdByAddress(address)
    if (id === undefined) return undefined
    return keep(reader.wallet(id)!)
  }

  function byId(id: number): Wallet {
    const hit = young.byId.get(id)
    if (hit !== undefined) return hit
    const wallet = old.byId.get(id) ?? reader.wallet(id)
    if (wallet === undefined) throw new Error(`no wallet has the id ${id}`)
    return keep(wallet)
  }

  return {
    find,
    byId,
    byIds(ids) {
      const absent = ids.filter((id) => !young.byId.has(id) && !old.byId.has(id))
      for (const wallet of reader.wallets(absent)) keep(wallet)
      return ids.map(byId)
    },
    findOrCreate(address, slot) {
      const known = find(address)
      if (known !== undefined) return known
      const wallet = newWallet(nextId(), address, slot)
      created.push(wallet)
      touch(wallet)
      return keep(wallet)
    },
    touch,
    dirty,
    created,
    committed(slot) {
      for (const wallet of dirty) wallet.changed = false
      dirty.length = 0
      created.length = 0
      if (turnedSlot < 0) turnedSlot = slot
      if (young.byId.size < max / 2 && slot - turnedSlot < quietSlots) return
      for (const wallet of old.byId.values()) if (!young.byId.has(wallet.id)) wallet.stale = true
      old = young
      young = generation()
      turnedSlot = slot
    },
    size: () => young.byId.size + old.byId.size,
  }
}
