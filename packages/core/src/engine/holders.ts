import type { LiveToken } from './resident.ts'
import { holderMinimum } from './tokens.ts'

/** The current holders of a token. Shares are of total supply unless stated otherwise. */
export interface Holders {
  /** Wallets with at least one whole token. */
  count: number
  /** The base units they own together. */
  owned: number
  /** The ten largest in descending order; ties are ordered by wallet id. */
  readonly top: { readonly wallet: number; readonly balance: number }[]
}

const TOP = 10

export const emptyHolders = (): Holders => ({ count: 0, owned: 0, top: [] })

export function addHolder(holders: Holders, wallet: number, balance: number): void {
  const { top } = holders
  holders.count++
  holders.owned += balance
  if (top.length === TOP) {
    if (!isAhead(wallet, balance, top[TOP - 1]!)) return
    top.pop()
  }
  let at = top.length
  while (at > 0 && isAhead(wallet, balance, top[at - 1]!)) at--
  top.splice(at, 0, { wallet, balance })
}

/** Scans all wallets that ever held the token. */
export function viewHolders(live: LiveToken): Holders {
  const minimum = holderMinimum(live.token)
  const holders = emptyHolders()
  for (const { wallet, balance } of live.positions.held()) {
    if (balance >= minimum) addHolder(holders, wallet, balance)
  }
  return holders
}

const isAhead = (wallet: number, balance: number, other: { wallet: number; balance: number }): boolean =>
  balance > other.balance || (balance === other.balance && wallet < other.wallet)
