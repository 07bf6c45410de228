import type { AppDeployer } from '@ti/core/contract/app.ts'
import { duration, NONE, pct, SLOT_S, sol } from '../../ui/format.ts'

/** Sort orders of a deployer's newest launches, and their values. */

type Launch = AppDeployer['launches'][number]

export const STRIP_ORDERS = {
  newest: 'Newest',
  taken: 'SOL taken out',
  sale: 'First sale',
  bought: 'Bought at launch',
  bundled: 'Bundled after a minute',
} as const

export type StripOrder = keyof typeof STRIP_ORDERS

interface Reading {
  of(launch: Launch): number | null
  /** ascending: a quick first sale is the worst */
  readonly least?: true
  shown(value: number): string
}

const READINGS: Readonly<Record<Exclude<StripOrder, 'newest'>, Reading>> = {
  taken: { of: ({ taken_sol }) => taken_sol, shown: (value) => `${value > 0 ? '+' : ''}${sol(value)}` },
  sale: {
    of: ({ first_sale_slots }) => first_sale_slots,
    least: true,
    shown: (value) => duration(value * SLOT_S),
  },
  bought: { of: ({ bought_pct }) => bought_pct, shown: (value) => pct(value) },
  bundled: { of: ({ bundled_1m_pct }) => bundled_1m_pct, shown: (value) => pct(value) },
}

/** Unknown values come last; equal ones stay newest first. */
export function inStripOrder(launches: readonly Launch[], order: StripOrder): readonly Launch[] {
  if (order === 'newest') return launches
  const { of, least = false } = READINGS[order]
  const rank = (launch: Launch): number => {
    const value = of(launch)
    return value === null ? Number.POSITIVE_INFINITY : least ? value : -value
  }
  return launches
    .map((launch) => ({ launch, at: rank(launch) }))
    .sort(byRank)
    .map(({ launch }) => launch)
}

const byRank = (a: { readonly at: number }, b: { readonly at: number }): number => (a.at === b.at ? 0 : a.at - b.at)

export function stripReading(launch: Launch, order: Exclude<StripOrder, 'newest'>): string {
  const value = READINGS[order].of(launch)
  return value === null ? NONE : READINGS[order].shown(value)
}
