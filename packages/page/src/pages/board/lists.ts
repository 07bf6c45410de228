/** media query of the layout that shows one list at a time */
export const NARROW = '(width < 760px)'

/**
 * The six lists and their polling intervals: 51 calls a minute together, and 12 for the additional card data, of the session's
 * 120. Hidden lists are not polled.
 */
export const LISTS = [
  {
    id: 'new',
    title: 'New',
    tab: 'New',
    path: '/v1/tokens/new',
    everyMs: 4_000,
    about: 'Launched in the last five minutes, without obvious rugs; newest first.',
    empty: 'No launch of the last five minutes has passed the rug filter yet.',
  },
  {
    id: 'near',
    title: 'Near graduation',
    tab: 'Near',
    path: '/app/near',
    everyMs: 8_000,
    about: 'Half of the launchpad’s curve is filled, traded within ten minutes; fullest first.',
    empty: 'No curve is half full right now.',
  },
  {
    id: 'pumps',
    title: 'Pumping',
    tab: 'Pumping',
    path: '/v1/tokens/pumps',
    everyMs: 6_000,
    about: 'Rising, with many distinct buyers and more pump than dump conditions; strongest inflow first.',
    empty: 'Nothing is pumping right now.',
  },
  {
    id: 'graduated',
    title: 'Graduated',
    tab: 'Graduated',
    path: '/v1/tokens/graduated',
    everyMs: 12_000,
    about: 'Moved from the launchpad to a decentralized exchange within the last day; newest first.',
    empty: 'No token has graduated within the last day.',
  },
  {
    id: 'survivors',
    title: 'Survivors',
    tab: 'Survivors',
    path: '/v1/tokens/survivors',
    everyMs: 20_000,
    about: 'Still traded 3 to 24 hours after launch; highest market cap first.',
    empty: 'No token launched 3 to 24 hours ago is still traded.',
  },
  {
    id: 'agents',
    title: 'Agents',
    tab: 'Agents',
    path: '/v1/tokens/agents',
    everyMs: 8_000,
    about: 'The 20 latest buys of the agents that gained most per trade in 7 days.',
    empty: 'No agent has gained over at least 20 closed trades in 7 days.',
  },
] as const

export type List = (typeof LISTS)[number]
export type ListId = List['id']
/** A narrow screen has an additional tab for watches. */
export type TabId = ListId | 'watching'

/** Tab named by the query; `watching`: the user is signed in. */
export function tabOf(query: URLSearchParams, watching: boolean): TabId {
  const named = query.get('tab')
  if (watching && named === 'watching') return named
  return LISTS.find(({ id }) => id === named)?.id ?? 'new'
}

export const EXTRAS = { path: '/app/cards', everyMs: 5_000 } as const
