import { keyToBase58 } from '../base/base58.ts'
import { baseUnits } from '../base/decimal.ts'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '../base/verdict-codes.ts'
import type { AppPast } from '../contract/app.ts'
import { rootOf } from '../engine/bundles/groups.ts'
import { CLASS, isIn } from '../engine/class-memory.ts'
import { VERDICT } from '../engine/constants.ts'
import { hasValue } from '../engine/units.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Position, Token } from '../model/state.ts'
import { groupName } from './bundle-name.ts'
import { COHORTS, cohortsOf, confirmedGroups } from './people/money.ts'
import { share, sol } from './round.ts'
import type { TradedView } from './view.ts'

/**
 * A token as of an earlier slot, from what is kept: its stored trades and the changes of its verdict. Wallets are sorted
 * into cohorts as they are known now. Transfers are not kept, so wallets whose coins also moved outside trades are counted
 * and left out of what is held.
 */

/** Holders listed. */
const LISTED = 20

/** `rows`: the newest rows, oldest first. */
export function pastOf(view: TradedView, rows: readonly TradeRow[], slot: number): AppPast {
  const { token } = view.live
  const isWhole = (rows[0]?.prev ?? -1) < 0
  const until = rows.filter((row) => row.slot <= slot)
  const last = until.at(-1)
  const book = isWhole ? bookOf(view, until) : null
  return {
    slot,
    verdict: verdictAt(token, slot),
    graduated: token.migratedSlot >= 0 && token.migratedSlot <= slot,
    mcap: last?.mcap ?? null,
    peak_mcap: isWhole ? until.reduce((most, { mcap, pricing }) => (pricing ? Math.max(most, mcap) : most), 0) : null,
    trades: isWhole ? until.length : null,
    money: book && moneyOf(view, book),
    holders: book && holdersOf(view, book),
  }
}

/** Null where so many changes followed that the one of that time is not kept. */
function verdictAt({ verdict: { history } }: Token, slot: number): AppPast['verdict'] {
  const change = history.findLast((one) => one.slot <= slot)
  if (change !== undefined) {
    const { colour, code, event } = change
    return {
      colour: COLOURS[colour]!,
      code: VERDICT_CODES[code]!,
      event: VERDICT_EVENTS[event]!,
      since_slot: change.slot,
    }
  }
  return history.length < VERDICT.historyMax ? { colour: 'neutral', code: null, event: null, since_slot: null } : null
}

interface Trader {
  readonly id: number
  readonly position: Position
  /** Its coins moved outside trades too, at times that are not kept. */
  readonly moved: boolean
  held: number
  paid: number
  got: number
}

interface Book {
  readonly traders: readonly Trader[]
  readonly cohorts: readonly Cohort[]
}

interface Cohort extends Pick<Sums, 'cohort' | 'group'> {
  readonly has: (position: Position) => boolean
  held: number
  peak: number
}
type Sums = NonNullable<AppPast['money']>[number]

const hasMoved = ({ received, bought, sold, balance, unpriced }: Position): boolean =>
  received > 0 || unpriced > 0 || balance !== bought - sold

/** Goes through the trades in order, so that each cohort's peak is known. */
function bookOf(view: TradedView, rows: readonly TradeRow[]): Book {
  const cohorts = membersOf(view)
  const traders = new Map<number, Trader & { readonly in: readonly Cohort[] }>()
  for (const { wallet: id, isBuy, tokens, lamports } of rows) {
    let trader = traders.get(id)
    if (trader === undefined) {
      const position = view.positionOf(id)
      if (position === undefined) continue
      const own = cohorts.filter(({ has }) => has(position))
      trader = { id, position, moved: hasMoved(position), in: own, held: 0, paid: 0, got: 0 }
      traders.set(id, trader)
    }
    if (isBuy) trader.paid += lamports
    else trader.got += lamports
    if (trader.moved) continue
    const change = isBuy ? tokens : -tokens
    trader.held += change
    for (const cohort of trader.in) {
      cohort.held += change
      if (cohort.held > cohort.peak) cohort.peak = cohort.held
    }
  }
  return { traders: [...traders.values()], cohorts }
}

function membersOf({ live: { token, bundles }, wallet }: TradedView): Cohort[] {
  const groups = confirmedGroups(bundles)
  return [
    ...cohortsOf(token).map((cohort) => ({
      ...{ cohort, group: null, held: 0, peak: 0 },
      has: (position: Position) => (cohort === 'others' ? !isIn(position, CLASS.own) : isIn(position, COHORTS[cohort])),
    })),
    ...groups.map((group) => ({
      ...{ cohort: 'group' as const, group: groupName(token, group, wallet).id, held: 0, peak: 0 },
      has: (position: Position) => rootOf(bundles, position.group) === group,
    })),
  ]
}

function moneyOf({ live: { token } }: TradedView, { traders, cohorts }: Book): Sums[] {
  const inSol = (lamports: number): number | null => (hasValue(token) ? sol(lamports) : null)
  return cohorts.map(({ cohort, group, has, held, peak }) => {
    const members = traders.filter(({ position }) => has(position))
    const [paid, got] = [sumOf(members, 'paid'), sumOf(members, 'got')]
    return {
      ...{ cohort, group, wallets: members.length, moved: members.filter(({ moved }) => moved).length },
      ...{ paid_sol: inSol(paid), got_sol: inSol(got), result_sol: inSol(got - paid) },
      ...{ peak_pct: share(peak, token.supply), holds_pct: share(held, token.supply) },
    }
  })
}

const sumOf = (traders: readonly Trader[], what: 'paid' | 'got'): number =>
  traders.reduce((sum, trader) => sum + trader[what], 0)

function holdersOf({ live: { token }, wallet }: TradedView, { traders }: Book): AppPast['holders'] {
  const least = baseUnits(token.decimals)
  const holding = traders.filter(({ moved, held }) => !moved && held >= least)
  return {
    count: holding.length,
    moved: traders.filter(({ moved }) => moved).length,
    top: holding
      .sort((a, b) => b.held - a.held || a.id - b.id)
      .slice(0, LISTED)
      .map(({ id, held, paid, got }) => {
        const { address, name } = wallet(id)
        const [paid_sol, got_sol] = hasValue(token) ? [sol(paid), sol(got)] : [null, null]
        return { wallet: keyToBase58(address), name, holds_pct: share(held, token.supply), paid_sol, got_sol }
      }),
  }
}
