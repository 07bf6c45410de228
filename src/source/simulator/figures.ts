/** One trade as both a real file and the simulated market can tell it. */
export interface Observed {
  readonly token: string
  /** whole seconds, as block times are */
  readonly time: number
  readonly wallet: string
  readonly isBuy: boolean
  /** without fees */
  readonly sol: number
}

/** What a set of tokens looks like. Shares are parts of one; quantiles are nearest-rank. */
export type Figures = Readonly<Record<(typeof FIGURES)[number], number>>

export const FIGURES = [
  'tokens',
  'trades a token, median',
  'size SOL p10',
  'size SOL median',
  'size SOL p90',
  'size SOL p99',
  'buys',
  'gap s median',
  'gap s p90',
  'gap s mean',
  'gaps of 0 s',
  'wallets per 100 trades',
  'wallets with 1 trade',
  'trades by wallets with 3 or more',
  'holders at the end per 100 wallets',
  'wallets in 2 tokens or more',
] as const

export function figuresOf(trades: readonly Observed[]): Figures {
  const tokens = groups(trades, (trade) => trade.token)
  const sizes = trades.map((trade) => trade.sol)
  const gaps = tokens.flatMap((its) => gapsOf(its.map((trade) => trade.time)))
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
  const perWallet = tokens.map((its) => groups(its, (trade) => trade.wallet))
  /** Figures of wallets are a mean over tokens: a large one must not speak for all. */
  const part = (of: (wallets: readonly (readonly Observed[])[]) => number) => mean(perWallet.map(of))
  const seen = new Map<string, number>()
  for (const wallets of perWallet)
    for (const its of wallets) seen.set(its[0]!.wallet, (seen.get(its[0]!.wallet) ?? 0) + 1)
  const total = (wallets: readonly (readonly Observed[])[]) => wallets.reduce((a, its) => a + its.length, 0)
  return {
    tokens: tokens.length,
    'trades a token, median': quantile(
      tokens.map((its) => its.length),
      0.5,
    ),
    'size SOL p10': quantile(sizes, 0.1),
    'size SOL median': quantile(sizes, 0.5),
    'size SOL p90': quantile(sizes, 0.9),
    'size SOL p99': quantile(sizes, 0.99),
    buys: trades.filter((trade) => trade.isBuy).length / trades.length,
    'gap s median': quantile(gaps, 0.5),
    'gap s p90': quantile(gaps, 0.9),
    'gap s mean': mean(gaps),
    'gaps of 0 s': gaps.filter((gap) => gap === 0).length / gaps.length,
    'wallets per 100 trades': part((wallets) => (100 * wallets.length) / total(wallets)),
    'wallets with 1 trade': part((wallets) => wallets.filter((its) => its.length === 1).length / wallets.length),
    'trades by wallets with 3 or more': part(
      (wallets) => total(wallets.filter((its) => its.length >= 3)) / total(wallets),
    ),
    'holders at the end per 100 wallets': part(
      (wallets) => (100 * wallets.filter((its) => its.at(-1)!.isBuy).length) / wallets.length,
    ),
    'wallets in 2 tokens or more': [...seen.values()].filter((n) => n >= 2).length / seen.size,
  }
}

function groups(trades: readonly Observed[], by: (trade: Observed) => string): Observed[][] {
  const map = new Map<string, Observed[]>()
  for (const trade of trades) {
    const list = map.get(by(trade))
    if (list === undefined) map.set(by(trade), [trade])
    else list.push(trade)
  }
  return [...map.values()]
}

function gapsOf(times: readonly number[]): number[] {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted.slice(1).map((time, i) => time - sorted[i]!)
}

export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))] ?? Number.NaN
}
