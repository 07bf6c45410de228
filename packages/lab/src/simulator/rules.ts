/** Settings that differ between simulated markets. */
export interface Rules {
  /** Market 2, which is harder to see through. Market 1 stays the same byte for byte. */
  readonly harder: boolean
  /** Share of looked-up wallets whose funders the observers can trace. */
  readonly traced: number
  /** The same for deployers, which are looked up first. */
  readonly tracedDeployers: number
  /** Share of launches by people who know the published formulas. */
  readonly adversary: number
}

/** Options of `SOURCE` and `capture simulate`; null for the market's default. */
export interface RuleOptions {
  /** 1 or 2. */
  readonly market: number
  readonly traced: number | null
  readonly adversary: number | null
}

/**
 * Traced shares. Market 1 has an observer without limits. At mainnet's rates a limited one reaches 17 to 30 % of all
 * wallets and 61 % of the deployers, because the other histories are too long. In market 2 both
 * together make a quarter.
 */
const USUAL = {
  kind: { traced: 0.97, tracedDeployers: 0.97, adversary: 0 },
  harder: { traced: 0.15, tracedDeployers: 0.6, adversary: 0.1 },
}

export const KIND_RULES: RuleOptions = { market: 1, traced: null, adversary: null }

export function rulesOf({ market, traced, adversary }: RuleOptions): Rules {
  const harder = market === 2
  const usual = harder ? USUAL.harder : USUAL.kind
  return {
    harder,
    traced: traced ?? usual.traced,
    tracedDeployers: traced ?? usual.tracedDeployers,
    adversary: harder ? (adversary ?? usual.adversary) : 0,
  }
}
