import { FACT_CODES, type FactCode } from '../contract/app.ts'
import { VERDICT } from '../engine/constants.ts'

/** The value from which each fact of a card is unusual. */
export const UNUSUAL: Readonly<Record<FactCode, number>> = {
  /** wallets known from other tokens, percent of supply */
  crew: 2,
  /** confirmed groups and the deployer: sold and held, percent of supply */
  group_sold: VERDICT.groupSoldPct,
  dev_sold: VERDICT.deployerBagPct,
  group: VERDICT.bundledPct.yellow,
  dev: 5,
  insiders: VERDICT.insidersPct.yellow,
  snipers: 10,
  fresh: 20,
  top_10: VERDICT.top10Pct.yellow,
  kols: 1,
}

/** facts of a card: more are no exceptions */
export const FACTS_MAX = 3

export interface Fact {
  readonly code: FactCode
  readonly value: number
}

/** A fact that says the same number about the same wallets: the first one is left out. */
const WITHIN: Readonly<Partial<Record<FactCode, readonly FactCode[]>>> = {
  insiders: ['dev', 'group'],
  group: ['crew'],
}

/** Returns the facts furthest above the value from which they are unusual, at most three. What is unknown (null) is no fact. */
export function unusualFacts(values: Readonly<Record<FactCode, number | null>>): Fact[] {
  const isNew = (code: FactCode): boolean => !WITHIN[code]?.some((other) => values[other] === values[code])
  return FACT_CODES.flatMap((code) => {
    const value = values[code]
    return value !== null && value >= UNUSUAL[code] && isNew(code) ? [{ code, value }] : []
  })
    .sort((a, b) => b.value / UNUSUAL[b.code] - a.value / UNUSUAL[a.code])
    .slice(0, FACTS_MAX)
}
