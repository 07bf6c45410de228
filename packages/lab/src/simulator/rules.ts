/** The parameters in which simulated markets differ; all shares but the traced ones are of launches. */
export interface Rules {
  /**
   * Kinds of launches whose parameters each market draws for itself, bots on a part of all launches, and agents: 0 without,
   * else how many times as many such launches as usual.
   */
  readonly kinds: number
  /** By serial ruggers. */
  readonly ruggers: number
  /** By people who know the published formulas. */
  readonly adversary: number
  /** With a purchase of the deployer in the launch transaction. */
  readonly buys: number
  /** Noticed by others than bots. */
  readonly noticed: number
  /** That attract all traders at once: most of those that graduate within minutes. */
  readonly runners: number
  /** Attention for pools, relative to market 2. */
  readonly pools: number
  /** Share of looked-up wallets whose funders the observers can trace. */
  readonly traced: number
  /** The same for deployers, which are looked up first. */
  readonly tracedDeployers: number
}

/** Options of `SOURCE` and `capture simulate`; null for the market's default. */
export interface RuleOptions {
  readonly market: number
  readonly traced: number | null
  readonly adversary: number | null
  readonly kinds: number | null
}

/**
 * At mainnet's rates an observer reaches 17 to 30% of all wallets and 61% of the deployers, because the other histories are
 * too long. Both together make a quarter.
 */
const OBSERVER = { traced: 0.15, tracedDeployers: 0.6 }

/** Market 2 stays the same byte for byte. Market 3 is held to real ones (`npm run distances`). */
const MARKETS: Readonly<Record<number, Rules>> = {
  2: { ...OBSERVER, kinds: 0, ruggers: 0.1, adversary: 0.1, buys: 0.85, noticed: 0.16, runners: 0.002, pools: 1 },
  // 212,454 real creations: 0.92 buy at once
  3: { ...OBSERVER, kinds: 1, ruggers: 0.05, adversary: 0.02, buys: 0.94, noticed: 0.07, runners: 0.01, pools: 3 },
}

export const USUAL_MARKET: RuleOptions = { market: 3, traced: null, adversary: null, kinds: null }

export function rulesOf({ market, traced, adversary, kinds }: RuleOptions): Rules {
  const usual = MARKETS[market]!
  return {
    ...usual,
    traced: traced ?? usual.traced,
    tracedDeployers: traced ?? usual.tracedDeployers,
    adversary: adversary ?? usual.adversary,
    kinds: usual.kinds * (kinds ?? 1),
  }
}
