import type { ActorResult } from './actors.ts'
import type { Bar } from './bars.ts'
import type { PairResult } from './bundles.ts'
import type { GroupResult } from './groups.ts'
import { percent } from './numbers.ts'

/** Requirements for groups and actors. */

const PAIRS = { precision: 0.95 }
const GROUPS = { right: 0.9, cleanFlagged: 0.03 }
/** share of planted pairs to find, by how the group hides */
const RECALL: Readonly<Record<string, number>> = { same_slot: 0.9, farm: 0.9, funder_chain: 0.5 }
const ACTORS = { precision: 0.95, recognised: 0.8 }

const part = (some: number, all: number): string => `${some} of ${all} (${percent(all === 0 ? null : some / all)})`

export const pairBars = (pairs: PairResult): Bar[] => [
  {
    area: 'bundles',
    bar: `${percent(PAIRS.precision)} of the pairs of wallets were planted together`,
    passed: pairs.found === 0 ? null : pairs.correct >= PAIRS.precision * pairs.found,
    detail: part(pairs.correct, pairs.found),
  },
  ...Object.entries(RECALL).map(([type, least]) => {
    const { planted, recalled } = pairs.byType.find((one) => one.type === type) ?? { planted: 0, recalled: 0 }
    return {
      area: 'bundles',
      bar: `${percent(least)} of the pairs planted as ${type} are found`,
      passed: planted === 0 ? null : recalled >= least * planted,
      detail: part(recalled, planted),
    }
  }),
]

export const groupBars = ({ groups, right, clean, cleanFlagged }: GroupResult): Bar[] => [
  {
    area: 'bundles',
    bar: `${percent(GROUPS.right)} of the confirmed groups are right`,
    passed: groups === 0 ? null : right >= GROUPS.right * groups,
    detail: part(right, groups),
  },
  {
    area: 'bundles',
    bar: `at most ${percent(GROUPS.cleanFlagged)} of the tokens with nothing planted have a group`,
    passed: clean === 0 ? null : cleanFlagged <= GROUPS.cleanFlagged * clean,
    detail: part(cleanFlagged, clean),
  },
]

export function actorBars(area: string, { precision, withinBounds, largest, farms }: ActorResult): Bar[] {
  const recognised = (by: string, { next }: ActorResult['farms']['deployers']): Bar => ({
    area,
    bar: `${percent(ACTORS.recognised)} of the farms, by ${by}, are recognised at their fourth launch, before their first sale`,
    passed: next.launches === 0 ? null : next.recognised >= ACTORS.recognised * next.launches,
    detail: part(next.recognised, next.launches),
  })
  return [
    {
      area,
      bar: `${percent(ACTORS.precision)} of the wallets of actors belong to the person behind them`,
      passed: precision === null ? null : precision >= ACTORS.precision,
      detail: percent(precision),
    },
    recognised('deployer', farms.deployers),
    recognised('the person behind them', farms.persons),
    {
      area,
      bar: 'no actor is over its bounds',
      passed: withinBounds,
      detail: `the largest has ${largest.wallets} wallets, ${largest.tokens} tokens; a wallet at most ${largest.edges} edges`,
    },
  ]
}
