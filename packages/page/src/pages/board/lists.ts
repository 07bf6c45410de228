import type { AppBoard, BoardView } from '@ti/core/contract/app.ts'

/** media query of the layout that shows one column at a time */
export const NARROW = '(width < 760px)'

export type ListId = AppBoard['columns'][number]['id']

interface List {
  readonly id: ListId
  readonly view: BoardView
  readonly title: string
  readonly about: string
  readonly empty: string
}

/** Three columns side by side, and three lists that take their place. */
export const LISTS: readonly List[] = [
  {
    id: 'new',
    view: 'launches',
    title: 'New',
    about: 'Launched in the last five minutes, newest first.',
    empty: 'No launch of the last five minutes has passed the rug filter yet.',
  },
  {
    id: 'near',
    view: 'launches',
    title: 'Near graduation',
    about: 'Half of the launchpad’s curve is filled, traded within ten minutes; fullest first.',
    empty: 'No curve is half full right now.',
  },
  {
    id: 'graduated',
    view: 'launches',
    title: 'Graduated',
    about: 'Moved from the launchpad to an exchange within the last day; newest first.',
    empty: 'No token has graduated within the last day.',
  },
  {
    id: 'pumps',
    view: 'pumps',
    title: 'Pumping',
    about: 'Rising, with many distinct buyers; strongest inflow first.',
    empty: 'Nothing is pumping right now.',
  },
  {
    id: 'survivors',
    view: 'survivors',
    title: 'Survivors',
    about: 'Still traded 3 to 24 hours after launch; highest market cap first.',
    empty: 'No token launched 3 to 24 hours ago is still traded.',
  },
  {
    id: 'agents',
    view: 'agents',
    title: 'Agents',
    about: 'The latest buys of the agents that gained most per trade in 7 days.',
    empty: 'No agent has gained over at least 20 closed trades in 7 days.',
  },
]

export type Tab = ListId | 'watching'

/** The list that the address names; a wide screen shows all columns of its view. */
export function tabOf(query: URLSearchParams): Tab {
  const named = query.get('tab')
  if (named === 'watching') return named
  return LISTS.find(({ id }) => id === named)?.id ?? 'new'
}

export const viewOf = (tab: Tab): BoardView | null => LISTS.find(({ id }) => id === tab)?.view ?? null

/** One request for a whole view, 15 a minute of the session's 120. */
export const EVERY_MS = 4_000
export const pathOf = (view: BoardView): string => `/app/board?view=${view}`

/** First request of the board. */
export function firstPaths(): readonly string[] {
  const view = viewOf(tabOf(new URLSearchParams(location.search)))
  return view === null ? [] : [pathOf(view)]
}
