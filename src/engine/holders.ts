import type { LiveToken } from './token-book.ts'
import { holderMinimum } from './tokens.ts'

/** Who holds a token now. Shares are of total supply unless said otherwise. */
export interface Holders {
  /** wallets with at least one whole token */
  readonly count: number
  /** base units in their hands */
  readonly owned: number
  /** the ten largest, largest first; equal balances by wallet id */
  readonly top: readonly { readonly wallet: number; readonly balance: number }[]
}

const TOP = 10

/** One scan over everybody who ever held the token. */
export function viewHolders(live: LiveToken): Holders {
  const minimum = holderMinimum(live.token)
  const top: { wallet: number; balance: number }[] = []
  let count = 0
  let owned = 0
  for (const { wallet, balance } of live.positions.values()) {
    if (balance < minimum) continue
    count++
    owned += balance
    const last = top[top.length - 1]
    if (top.length === TOP && last !== undefined && !isAhead(wallet, balance, last)) continue
    let at = top.length
    while (at > 0 && isAhead(wallet, balance, top[at - 1]!)) at--
    top.splice(at, 0, { wallet, balance })
    if (top.length > TOP) top.pop()
  }
  return { count, owned, top }
}

const isAhead = (wallet: number, balance: number, other: { wallet: number; balance: number }): boolean =>
  balance > other.balance || (balance === other.balance && wallet < other.wallet)
