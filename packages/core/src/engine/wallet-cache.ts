import type { Key } from '../base/ids.ts'
import type { Wallet } from '../model/state.ts'
import { newWallet } from './history.ts'
import type { StateReader } from './state.ts'

/**
 * Wallets in memory: two generations over the store. A wallet that is touched moves to the young one; when that is
 * full, or as old as it may get, the old one is dropped. Generations turn only right after a commit, so nothing unwritten is
 * ever dropped.
 */
export interface WalletCache {
  byId(id: number): Wallet
  /** several at once, in the order asked for: what is not in memory is read together */
  byIds(ids: readonly number[]): Wallet[]
  /** undefined when the wallet has never been seen */
  find(address: Key): Wallet | undefined
  findOrCreate(address: Key, slot: number): Wallet
  touch(wallet: Wallet): void
  readonly dirty: ReadonlySet<Wallet>
  readonly created: readonly Wallet[]
  /** everything dirty is durable as of this slot */
  committed(slot: number): void
  size(): number
}

interface Generation {
  readonly byAddress: Map<Key, Wallet>
  readonly byId: Map<number, Wallet>
}

const generation = (): Generation => ({ byAddress: new Map(), byId: new Map() })

interface WalletBounds {
  /** wallets of both generations */
  readonly max: number
  /** slots after which a generation turns although it is not full; left out: it does not */
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
  const dirty = new Set<Wallet>()
  const created: Wallet[] = []

  function keep(wallet: Wallet): Wallet {
    young.byAddress.set(wallet.address, wallet)
    young.byId.set(wallet.id, wallet)
    return wallet
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
      dirty.add(wallet)
      return keep(wallet)
    },
    touch: (wallet) => void dirty.add(wallet),
    dirty,
    created,
    committed(slot) {
      dirty.clear()
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
