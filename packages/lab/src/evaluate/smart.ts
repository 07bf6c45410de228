import type { Population } from '@ti/core/model/population.ts'
import type { Wallet } from '@ti/core/model/state.ts'
import { quantile } from './bootstrap.ts'

/** Statistics of smart money at the end of a log. */
export interface SmartMoney {
  readonly wallets: number
  /** Wallets with the 20 closed positions of a veteran. */
  readonly veterans: number
  readonly smart: number
  /** Medians of realised SOL and of positions won, for smart and other veterans; null if there are none. */
  readonly median: Readonly<Record<'smart' | 'others', { readonly sol: number; readonly won: number } | null>>
}

const VETERAN = 20

export function smartMoney(wallets: Iterable<Wallet>, { veterans }: Population): SmartMoney {
  const smart: Wallet[] = []
  const others: Wallet[] = []
  let count = 0
  for (const wallet of wallets) {
    count++
    if (wallet.smart) smart.push(wallet)
    else if (wallet.closed >= VETERAN) others.push(wallet)
  }
  return { wallets: count, veterans, smart: smart.length, median: { smart: medians(smart), others: medians(others) } }
}

function medians(of: readonly Wallet[]) {
  if (of.length === 0) return null
  const median = (read: (wallet: Wallet) => number): number =>
    quantile(
      of.map(read).sort((a, b) => a - b),
      0.5,
    )
  return { sol: median(({ realised }) => realised / 1e9), won: median(({ won, closed }) => won / closed) }
}
