import { type ListedCard, VALUES, type ValueName } from './filters.ts'

/** Sort order of every list; null: the list's own. */
export type Sorting = { readonly by: ValueName; readonly falling: boolean } | null

interface Choice {
  readonly by: ValueName
  readonly label: string
  /** one sentence */
  readonly means: string
  /** direction of the first click: largest first, or smallest */
  readonly falling: boolean
}

/** Sort orders as offered; a card's cells show the first eight. */
export const CHOICES: readonly Choice[] = [
  {
    by: 'bundle',
    label: 'bundled',
    means: 'Held by coordinated wallets: share of what holders own, not of the supply.',
    falling: false,
  },
  {
    by: 'dirty',
    label: 'suspicious',
    means: 'Held by suspicious wallets: share of what holders own, not of the supply.',
    falling: false,
  },
  {
    by: 'dev',
    label: 'dev',
    means: 'Share of the supply that the deployer holds; sold: it had some and sold all.',
    falling: false,
  },
  { by: 'top10', label: 'top 10', means: 'Share of the supply held by the ten largest holders.', falling: false },
  {
    by: 'sold',
    label: 'groups sold',
    means: 'Share of the supply that coordinated wallets have sold.',
    falling: false,
  },
  {
    by: 'snipers',
    label: 'snipers',
    means: 'Share of the supply held by wallets that bought within 3 seconds of the launch, first block included.',
    falling: false,
  },
  {
    by: 'fresh',
    label: 'fresh',
    means: 'Share of the supply held by wallets that were new when they bought.',
    falling: false,
  },
  {
    by: 'drain',
    label: 'drain',
    means: 'How many of 100 tokens like it lost four fifths of their market’s money within an hour.',
    falling: false,
  },
  { by: 'score', label: 'score', means: 'Quality score of 10.', falling: true },
  { by: 'cap', label: 'market cap', means: 'Market cap.', falling: true },
  { by: 'age', label: 'age', means: 'Time since the launch.', falling: false },
  { by: 'kols', label: 'KOLs', means: 'Tracked KOL wallets that hold it.', falling: true },
  { by: 'curve', label: 'curve', means: 'How full the launchpad’s curve is.', falling: true },
]

/** Cells of a card, two rows of four. */
export const CELLS = CHOICES.slice(0, 8)

export function sortingOf(query: URLSearchParams): Sorting {
  const text = query.get('sort') ?? ''
  const falling = text.startsWith('-')
  const by = falling ? text.slice(1) : text
  const choice = CHOICES.find((one) => one.by === by)
  return choice === undefined ? null : { by: choice.by, falling }
}

export const sortingText = (sorting: Sorting): string =>
  sorting === null ? '' : `${sorting.falling ? '-' : ''}${sorting.by}`

/** A click on a heading: its default direction, then the reverse, then the list's own order. */
export function clicked(before: Sorting, by: ValueName): Sorting {
  const first = CHOICES.find((choice) => choice.by === by)?.falling ?? false
  if (before?.by !== by) return { by, falling: first }
  return before.falling === first ? { by, falling: !first } : null
}

/** Sorts rows; missing readings come last in both directions, and equal rows keep their order. */
export function sorted<Row extends ListedCard>(rows: readonly Row[], sorting: Sorting, now: number): readonly Row[] {
  if (sorting === null) return rows
  const { by, falling } = sorting
  const valued = rows.map((row, at) => ({ row, at, value: VALUES[by](row, now) }))
  valued.sort((a, b) => {
    const [noA, noB] = [Number.isNaN(a.value), Number.isNaN(b.value)]
    if (noA || noB) return noA === noB ? a.at - b.at : noA ? 1 : -1
    return (falling ? b.value - a.value : a.value - b.value) || a.at - b.at
  })
  return valued.map(({ row }) => row)
}
