import type { TokenCard, TokenSnapshot, Trade } from '@ti/core/contract/resources.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { eventually } from '../support/wait.ts'
import type { Site } from './site.ts'

export interface Interesting {
  readonly token: string
  readonly trader: string
  readonly deployer: string
  /** one that is known from other tokens */
  readonly actor: string
}

/** A token with groups, a score and trades, its deployer, and somebody with a record who trades it. */
export async function interesting(site: Site): Promise<Interesting> {
  let best: { snapshot: TokenSnapshot; trades: Trade[] } | null = null
  const weight = ({ bundles, holders, meta }: TokenSnapshot): number =>
    Math.min(bundles.count, 3) * 10 + Math.min(holders.count, 40) + (meta.deployer === null ? -100 : 0)
  await eventually('a token has groups and a score', async () => {
    for (const list of ['new', 'pumps', 'graduated']) {
      const cards = (await site.get(`/v1/tokens/${list}`)).data as TokenCard[]
      for (const { mint } of cards.slice(0, 8)) {
        const snapshot = (await site.get(`/v1/tokens/${mint}`)).data as TokenSnapshot
        if (best !== null && weight(best.snapshot) >= weight(snapshot)) continue
        best = { snapshot, trades: (await site.get(`/v1/tokens/${mint}/trades`)).data as Trade[] }
      }
    }
    return best !== null && best.snapshot.bundles.count > 0 && best.trades.length > 20
  })
  const { snapshot, trades } = best!
  const known = trades.find(({ user_name }) => user_name !== null) ?? trades.find(({ smart_money }) => smart_money)
  return {
    token: snapshot.meta.mint,
    trader: (known ?? trades[0]!).user_address,
    deployer: snapshot.meta.deployer!,
    actor: await anActor(site, snapshot.meta.mint),
  }
}

/** Of this token, or the first that is named among the newest tokens. */
async function anActor(site: Site, mint: string): Promise<string> {
  const actorOf = async (token: string): Promise<string | undefined> =>
    ((await site.get(`/v1/tokens/${token}/who`)).data as Who).actors[0]?.id
  let found = await actorOf(mint)
  await eventually('a token has an actor', async () => {
    for (const list of ['new', 'pumps', 'graduated']) {
      const cards = found === undefined ? ((await site.get(`/v1/tokens/${list}`)).data as TokenCard[]) : []
      for (const card of cards) found ??= await actorOf(card.mint)
    }
    return found !== undefined
  })
  return found!
}

export interface Place {
  readonly name: string
  readonly path: string
  /** selects what is there only when the page has its content */
  readonly shows: string
}

/** Every page of the service, with what it looks like when it is there. */
export const places = ({ token, trader, deployer, actor }: Interesting): readonly Place[] => [
  { name: 'board', path: '/', shows: '[data-column="new"] [data-card]' },
  { name: 'token', path: `/token/${token}`, shows: '#trades table tbody tr' },
  { name: 'trader', path: `/trader/${trader}`, shows: 'main dl dd' },
  { name: 'deployer', path: `/deployer/${deployer}`, shows: 'main table tbody tr' },
  { name: 'actor', path: `/actor/${actor}`, shows: 'main table tbody tr' },
  { name: 'accuracy', path: '/accuracy', shows: 'main section h2' },
  { name: 'methodology', path: '/guide/methodology', shows: 'main table' },
  { name: 'account', path: '/account', shows: 'main h2' },
  { name: 'status', path: '/status', shows: 'main canvas' },
  { name: 'guide', path: '/guide', shows: 'main pre' },
]
