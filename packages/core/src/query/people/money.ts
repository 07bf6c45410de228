import type { Who } from '../../contract/who.ts'
import { CLASS, classOf } from '../../engine/class-memory.ts'
import { resultOf, ruggedBy } from '../../engine/drain.ts'
import { birthBagPct, firstBagPct } from '../../engine/first-bag.ts'
import { gotBy, paidBy } from '../../engine/positions.ts'
import { tokenState } from '../../engine/token-state.ts'
import { hasValue } from '../../engine/units.ts'
import type { ClassSums } from '../../model/buckets.ts'
import type { BundleBook, Group } from '../../model/bundles.ts'
import type { Token } from '../../model/state.ts'
import { groupName } from '../bundle-name.ts'
import { maybe, percent, share, sol } from '../round.ts'
import type { TokenView } from '../view.ts'

/** Renders the money of each cohort over the token's life. */

type Cohort = Who['money'][number]

/** The cohorts of the answer, and the class that each one sums. */
export const COHORTS = {
  own: CLASS.own,
  launcher: CLASS.insiders,
  first_block: CLASS.firstBlock,
  first_3s: CLASS.firstSeconds,
  kols: CLASS.kols,
  known_actors: CLASS.actors,
  groups: CLASS.bundled,
  others: CLASS.others,
} as const
export type CohortName = keyof typeof COHORTS

/** The cohorts of a token. Who came first is not known of a launch that was not seen. */
export const cohortsOf = ({ createdKnown }: Token): CohortName[] =>
  (Object.keys(COHORTS) as CohortName[]).filter((cohort) => createdKnown || !cohort.startsWith('first_'))

/** `most` confirmed groups are listed one by one. */
export function renderMoney(view: TokenView, most: number): Cohort[] {
  const { token, bundles } = view.live
  const groups = confirmedGroups(bundles).slice(0, most)
  return [
    ...cohortsOf(token).map((cohort) => render(token, cohort, null, classOf(token, COHORTS[cohort]))),
    ...groups.map((group) => render(token, 'group', groupName(token, group, view.wallet).id, sumsOf(view, group))),
  ]
}

/** Largest peak first. */
export const confirmedGroups = ({ groups }: Readonly<BundleBook>): Group[] =>
  groups
    .filter(({ mergedInto, confirmedSlot }) => mergedInto < 0 && confirmedSlot >= 0)
    .sort((a, b) => b.peak - a.peak || a.no - b.no)

function sumsOf({ live: { positions } }: TokenView, { members, balance, peak, sold }: Group): ClassSums {
  const sums = { wallets: members.length, held: balance, peak, sold, paid: 0, got: 0 }
  for (const id of members) {
    const position = positions.get(id)!
    sums.paid += paidBy(position)
    sums.got += gotBy(position)
  }
  return sums
}

function render(token: Token, cohort: Cohort['cohort'], group: string | null, sums: Readonly<ClassSums>): Cohort {
  const inSol = (lamports: number): number | null => (hasValue(token) ? sol(lamports) : null)
  return {
    cohort,
    group,
    wallets: sums.wallets,
    paid_sol: inSol(sums.paid),
    got_sol: inSol(sums.got),
    result_sol: inSol(sums.got - sums.paid),
    peak_pct: share(sums.peak, token.supply),
    holds_pct: share(sums.held, token.supply),
  }
}

export function renderState(token: Token, slot: number): Who['memory']['state'] {
  const { state, since } = tokenState(token, slot)
  const took_sol = state === 'rugged' && hasValue(token) ? sol(resultOf(token, CLASS.own)) : null
  return { name: state, since_slot: since, by: ruggedBy(token), took_sol }
}

export const renderFirstBag = (token: Token): Who['first_bag'] => ({
  transaction_pct: maybe(birthBagPct(token), percent),
  slot_pct: maybe(firstBagPct(token), percent),
})
