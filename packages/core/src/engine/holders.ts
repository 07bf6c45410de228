import { TOP_HOLDERS } from './constants.ts'

/** The current holders of a token. Shares are of total supply unless stated otherwise. */
export interface Holders {
  /** Wallets with at least one whole token. */
  count: number
  /** The base units they own together. */
  owned: number
  /** The largest in descending order; ties are ordered by wallet id. */
  readonly top: { readonly wallet: number; readonly balance: number }[]
}

export const emptyHolders = (): Holders => ({ count: 0, owned: 0, top: [] })

export function addHolder(holders: Holders, wallet: number, balance: number): void {
  const { top } = holders
  holders.count++
  holders.owned += balance
  if (top.length === TOP_HOLDERS) {
    if (!isAhead(wallet, balance, top[TOP_HOLDERS - 1]!)) return
    top.pop()
  }
  let at = top.length
  while (at > 0 && isAhead(wallet, balance, top[at - 1]!)) at--
  top.splice(at, 0, { wallet, balance })
}

/** The base units that the `count` largest own together. */
export const ownedByLargest = ({ top }: Holders, count: number = TOP_HOLDERS): number =>
  top.slice(0, count).reduce((sum, { balance }) => sum + balance, 0)

const isAhead = (wallet: number, balance: number, other: { wallet: number; balance: number }): boolean =>
  balance > other.balance || (balance === other.balance && wallet < other.wallet)
