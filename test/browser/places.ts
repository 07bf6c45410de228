import { setTimeout as pause } from 'node:timers/promises'
import type { TokenCard, Trade } from '@ti/core/contract/resources.ts'
import type { Who } from '@ti/core/contract/who.ts'
import type { Page } from 'playwright-core'
import { type Site, TELLING } from './site.ts'

/** A red token of which every page has something to show, and the people around it. */
export interface Interesting {
  readonly token: string
  readonly trader: string
  readonly deployer: string
  /** one that is known from other tokens */
  readonly actor: string
}

/** milliseconds between two looks at the lists: two of them ask for less than the 600 answers a minute of a Pro key */
const LOOK_MS = 15_000
const FOUND_MS = 180_000

/** A red token with a deployer, an actor, a confirmed group with evidence, and trades: looked for among those that are listed. */
export async function interesting(site: Site): Promise<Interesting> {
  const until = Date.now() + FOUND_MS
  for (;;) {
    const who = await redToken(site)
    if (who !== null) return peopleOf(site, who)
    if (Date.now() > until) throw new Error('no listed token is red, with a deployer, an actor and a group')
    await pause(LOOK_MS)
  }
}

/** The one that is known, or the first of the lists; each list is asked once. */
async function redToken(site: Site): Promise<Who | null> {
  const whoOf = async (mint: string): Promise<Who> => (await site.get(`/v1/tokens/${mint}/who`)).data as Who
  // another market may not have it
  const known = await whoOf(TELLING).catch(() => null)
  if (known !== null && isTelling(known)) return known
  for (const list of ['new', 'agents', 'pumps', 'graduated'])
    for (const { mint } of (await site.get(`/v1/tokens/${list}`)).data as TokenCard[]) {
      const who = await whoOf(mint)
      if (isTelling(who)) return who
    }
  return null
}

const isTelling = ({ verdict, deployer, actors, groups: [group] }: Who): boolean =>
  verdict.colour === 'red' &&
  deployer !== null &&
  actors.length > 0 &&
  group?.confirmed === true &&
  group.evidence.length > 0

/** Its deployer, its first actor, and somebody who traded it: with a name or a record, if there is one. */
async function peopleOf(site: Site, { mint, deployer, actors }: Who): Promise<Interesting> {
  const trades = (await site.get(`/v1/tokens/${mint}/trades`)).data as Trade[]
  const known = trades.find(({ user_name, is_buy }) => is_buy && user_name !== null)
  return {
    token: mint,
    trader: (known ?? trades.find(({ is_buy }) => is_buy) ?? trades[0]!).user_address,
    deployer: deployer!.wallet,
    actor: actors[0]!.id,
  }
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
  { name: 'token', path: `/token/${token}?tab=trades`, shows: '#trades table tbody tr' },
  { name: 'trader', path: `/trader/${trader}`, shows: 'main dl dd' },
  { name: 'deployer', path: `/deployer/${deployer}`, shows: 'main table tbody tr' },
  { name: 'actor', path: `/actor/${actor}`, shows: 'main table tbody tr' },
  { name: 'accuracy', path: '/accuracy', shows: 'main section h2' },
  { name: 'methodology', path: '/guide/methodology', shows: 'main table' },
  { name: 'account', path: '/account', shows: 'main h2' },
  { name: 'status', path: '/status', shows: 'main section svg' },
  { name: 'guide', path: '/guide', shows: 'main pre' },
]

/** Opens a page and waits for its content; the error tells what is there instead. */
export async function open(page: Page, url: string, { path, shows }: Omit<Place, 'name'>): Promise<void> {
  await page.goto(url + path)
  try {
    await page.locator(shows).first().waitFor()
  } catch (error) {
    throw new Error(`${path} shows: ${await page.locator('body').innerText()}`, { cause: error })
  }
}
