import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { launch } from './chromium.ts'
import { type Interesting, interesting } from './places.ts'
import { type Site, startSite, stillMarket } from './site.ts'

/**
 * One market and one browser for all tests of a process that only look: a market of its own costs each of them half a minute. A
 * test that stops the service, changes its settings or needs an account that nobody else uses starts a site itself.
 */

interface Market {
  readonly site: Site
  readonly browser: Browser
  readonly found: Interesting
}

/** An hour of a market with tokens of all four colours, which then stands still: everything is read at one slot. */
const hour = (): string => {
  const slots = 9_000
  const startTime = Math.floor(Date.now() / 1000 - slots * 0.4)
  return `simulator:seed=4&tps=20&kinds=4&traced=0.9&speed=0&slots=${slots}&startTime=${startTime}`
}

const ends: (() => Promise<void>)[] = []
const scope = { after: (end: () => Promise<void>) => void ends.unshift(end) }
const begun = new Map<'live' | 'hour' | 'still', Promise<Market>>()
let browser: Promise<Browser> | null = null

export const theMarket = (): Promise<Market> => the('live', () => ({}))
export const theHour = (): Promise<Market> => the('hour', () => ({ source: hour() }))
export const theStillMarket = (): Promise<Market> => the('still', () => ({ source: stillMarket() }))

function the(name: 'live' | 'hour' | 'still', options: () => Parameters<typeof startSite>[1]): Promise<Market> {
  const known = begun.get(name) ?? begin(options())
  begun.set(name, known)
  return known
}

async function begin(options: Parameters<typeof startSite>[1]): Promise<Market> {
  browser ??= launch(scope)
  const [site, opened] = await Promise.all([startSite(scope, options), browser])
  return { site, browser: opened, found: await interesting(site) }
}

after(async () => {
  for (const end of ends) await end()
})
