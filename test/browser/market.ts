import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { launch } from './chromium.ts'
import { type Interesting, interesting } from './places.ts'
import { type Site, startSite } from './site.ts'

/**
 * One market and one browser for all tests of a process that only look: a market of its own costs each of them half a minute. A
 * test that stops the service, changes its settings or needs an account that nobody else uses starts a site itself.
 */

interface Market {
  readonly site: Site
  readonly browser: Browser
  readonly found: Interesting
}

const ends: (() => Promise<void>)[] = []
const scope = { after: (end: () => Promise<void>) => void ends.unshift(end) }
let begun: Promise<Market> | null = null

export const theMarket = (): Promise<Market> => (begun ??= begin())

async function begin(): Promise<Market> {
  const [site, browser] = await Promise.all([startSite(scope), launch(scope)])
  return { site, browser, found: await interesting(site) }
}

after(async () => {
  for (const end of ends) await end()
})
