import type { Bar, Launch, Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { part } from './numbers.ts'

/** Found rugs against the truth, by kind of launch. */

/** Lamports gained from which on a rug counts, and the share of the reserve that is left of a drained market. */
const LEAST = 2_000_000_000
const DRAINED = 0.2
const BARS = { found: 0.8, panics: 0 }

/** Kinds whose launches mean to take money. */
const RUGGERS: ReadonlySet<string> = new Set(['farm', 'quiet_farm', 'flattered'])

interface Row {
  launches: number
  /** Own people gained 2 SOL; and the market was drained too; those of both that were found rugged. */
  took: number
  tookFound: number
  emptied: number
  emptiedFound: number
  /** Found rugged although own people gained nothing. */
  accused: number
}

/** Lamports that the launcher and the planted groups gained. A launcher in a group is counted there. */
export function gainOf({ truth }: Pick<Launch, 'truth'>): number {
  if (truth === null) return 0
  const gained = ({ paid, got }: { paid: number; got: number }): number => got - paid
  const groups = truth.groups.reduce((sum, group) => sum + gained(group), 0)
  return truth.groups.some(({ wallets }) => wallets.includes(truth.deployer)) ? groups : groups + gained(truth.launcher)
}

export function judgeRugs(launches: readonly Launch[]): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (const launch of launches) {
    const { truth, ruggedSlot, high, low } = launch
    if (truth === null) continue
    const row = rows.get(truth.launch) ?? {
      launches: 0,
      took: 0,
      tookFound: 0,
      emptied: 0,
      emptiedFound: 0,
      accused: 0,
    }
    rows.set(truth.launch, row)
    const gain = gainOf(launch)
    const found = ruggedSlot >= 0 ? 1 : 0
    row.launches++
    if (gain <= 0) row.accused += found
    if (gain < LEAST) continue
    row.took++
    row.tookFound += found
    if (high < LEAST || low > high * DRAINED) continue
    row.emptied++
    row.emptiedFound += found
  }
  return rows
}

export function rugsSection(launches: readonly Launch[]): Section {
  const rows = judgeRugs(launches)
  const sum = (pick: (row: Row) => number, wanted: (kind: string) => boolean = () => true): number =>
    [...rows].reduce((total, [kind, row]) => total + (wanted(kind) ? pick(row) : 0), 0)
  const isRugger = (kind: string): boolean => RUGGERS.has(kind)
  const [took, found] = [sum(({ emptied }) => emptied, isRugger), sum(({ emptiedFound }) => emptiedFound, isRugger)]
  const panic = rows.get('panic')
  const accused = sum((row) => row.accused)
  return {
    title: 'Rugged',
    lines: [
      'Took: the launcher and the planted groups gained 2 SOL. Emptied: of those, the reserve fell to a fifth of its peak. Accused: found rugged although they gained nothing.',
      table(
        ['kind of launch', 'launches', 'took, found', 'emptied, found', 'accused'],
        [...rows]
          .sort(([, a], [, b]) => b.took - a.took)
          .map(([kind, row]) => [
            kind,
            `${row.launches}`,
            part(row.tookFound, row.took),
            part(row.emptiedFound, row.emptied),
            `${row.accused}`,
          ]),
      ),
    ],
    bars: rows.size === 0 ? [] : barsOf(took, found, panic),
    figures: { 'rugs found': part(found, took), 'accused of a rug': `${accused}` },
  }
}

const barsOf = (took: number, found: number, panic: Row | undefined): Bar[] => [
  {
    bar: `${100 * BARS.found}% of the farms that took 2 SOL and emptied the market are found rugged`,
    passed: took === 0 ? null : found >= BARS.found * took,
    detail: part(found, took),
  },
  {
    bar: 'no panic of strangers is found rugged',
    passed: panic === undefined ? null : panic.accused <= BARS.panics,
    detail: panic === undefined ? 'no panic' : `${panic.accused} of ${panic.launches}`,
  },
]
