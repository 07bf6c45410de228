/** What makes one simulated market kinder than another. */
export interface Rules {
  /** market 2: harder to see through. Market 1 stays what it was, byte for byte */
  readonly harder: boolean
  /** part of the wallets asked about whose first SOL the observers can trace */
  readonly traced: number
  /** of the deployers: they are asked for first */
  readonly tracedDeployers: number
  /** part of the launches by somebody who knows the published formulas */
  readonly adversary: number
}

/** What `SOURCE` and `capture simulate` may set; null: as the market has it. */
export interface RuleOptions {
  /** 1 or 2 */
  readonly market: number
  readonly traced: number | null
  readonly adversary: number | null
}

/**
 * Traced: market 1 has an observer without bounds; a bounded one reaches 17 to 30 % of all at the main network's rates, and 61 % of the
 * deployers (`bench -- funders`): the histories of the others are too long. Both together make a quarter in market 2.
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
