import type { TruthToken } from '../simulator/truth.ts'

/** The service's drain verdicts against the planted rugs. */

/** Verdicts as of the end of the log. */
export interface RugFound {
  readonly mint: string
  /** Slots, -1 if never. */
  readonly drainedSlot: number
  readonly ruggedSlot: number
  /** True if the deployer sold any of it. */
  readonly deployerSold: boolean
}

export interface RugResult {
  /** Tokens of which a planted group took at least 2 SOL within a minute; those found drained, and found rugged. */
  readonly planted: number
  readonly drained: number
  readonly rugged: number
  /** Tokens found rugged, and those of them that neither a planted group nor the deployer sold. */
  readonly flagged: number
  readonly wrong: number
  /** Drained by a planted group and not found rugged, by the kind of group. */
  readonly missed: Readonly<Record<string, number>>
}

/** Lamports that a market must hold to count as drained. */
const LEAST = 2_000_000_000

export function judgeRugs(truth: readonly TruthToken[], found: readonly RugFound[]): RugResult {
  const known = new Map(found.map((one) => [one.mint, one]))
  const result = { planted: 0, drained: 0, rugged: 0, flagged: 0, wrong: 0 }
  const missed: Record<string, number> = {}
  for (const { mint, rugs, groups } of truth) {
    const one = known.get(mint)
    if (one === undefined) continue
    if (one.ruggedSlot >= 0) {
      result.flagged++
      if (!one.deployerSold && groups.every(({ exits }) => exits.length === 0)) result.wrong++
    }
    const large = rugs.filter(({ lamports }) => lamports >= LEAST)
    if (large.length === 0) continue
    result.planted++
    if (one.drainedSlot < 0) continue
    result.drained++
    if (one.ruggedSlot >= 0) result.rugged++
    else for (const type of typesOf(groups, large)) missed[type] = (missed[type] ?? 0) + 1
  }
  return { ...result, missed }
}

const typesOf = (groups: NonNullable<TruthToken['groups']>, rugs: NonNullable<TruthToken['rugs']>): Set<string> =>
  new Set(groups.filter(({ person }) => rugs.some((rug) => rug.person === person)).map(({ type }) => type))
