import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { theMarket } from './market.ts'
import { open, places } from './places.ts'
import { visit } from './visit.ts'

/** Where the links of the page's content lead. */
const HREFS = `[...document.querySelectorAll('main a[href]')].map((link) => link.href)`
const hrefsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(HREFS)

test('wallets, mints and transactions lead to an explorer on the main network, and only there', inBrowser, async () => {
  const { site, browser, found } = await theMarket()
  const [token, trader, deployer] = ['token', 'trader', 'deployer'].map(
    (name) => places(found).find((place) => place.name === name)!,
  )
  const explored = async (page: Page): Promise<string[]> =>
    (await hrefsOf(page)).filter((href) => new URL(href).host === 'solscan.io')

  const sandbox = await visit(browser, site.url)
  for (const place of [token!, trader!, deployer!]) {
    await open(sandbox.page, site.url, place)
    assert.deepEqual(await explored(sandbox.page), [], `${place.name} of a simulated market`)
  }

  const { page, problems } = await visit(browser, site.url)
  // the market is simulated, but this page is told otherwise
  await page.route('**/app/session', async (route) => {
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: object }
    await route.fulfill({ response: answer, json: { data: { ...data, network: 'mainnet' } } })
  })
  await open(page, site.url, token!)
  const ofToken = new Set(await explored(page))
  assert.ok(ofToken.has(`https://solscan.io/token/${found.token}`), 'the mint')
  assert.ok(ofToken.has(`https://solscan.io/account/${found.deployer}`), 'the deployer')
  assert.ok(
    [...ofToken].some((href) => href.startsWith('https://solscan.io/tx/')),
    'a transaction',
  )
  for (const [place, wallet] of [
    [trader!, found.trader],
    [deployer!, found.deployer],
  ] as const) {
    await open(page, site.url, place)
    assert.ok((await explored(page)).includes(`https://solscan.io/account/${wallet}`), place.name)
  }
  assert.deepEqual([...sandbox.problems, ...problems], [])
})

/** what strangers wrote is computed by nobody; lists of settings, neither */
const NOT_COMPUTED = new Set(['What its creators say', 'How sure it is'])
const COMPUTED = ['token', 'trader', 'deployer', 'actor', 'accuracy'] as const

/** Titles of panels, and whether each leads to the methodology. */
const PANELS = `[...document.querySelectorAll('main section')].flatMap((section) => {
  const head = section.querySelector(':scope > h2, :scope > h3, :scope > header')
  return head === null ? [] : [{
    title: (head.querySelector('h2') ?? head).firstChild.textContent.trim(),
    leads: head.querySelector('a[href^="/guide/methodology#"]') !== null,
  }]
})`
const IDS = `[...document.querySelectorAll('[id]')].map(({ id }) => id)`
/** Where on the page the part stands that its address names; null: it is not there. */
const PART_TOP = `document.getElementById(decodeURIComponent(location.hash.slice(1)))?.getBoundingClientRect().top ?? null`

test('every panel leads to its paragraph, and no link of the page leads nowhere', inBrowser, async () => {
  const { site, browser, found } = await theMarket()
  const { page, problems } = await visit(browser, site.url)
  const seen = new Map<string, string>()
  /** of each page by its path: the parts that an address can name */
  const ids = new Map<string, ReadonlySet<string>>()
  const bare: string[] = []
  for (const place of places(found)) {
    await open(page, site.url, place)
    ids.set(place.path, new Set(await page.evaluate<string[]>(IDS)))
    for (const href of await hrefsOf(page)) if (href.startsWith(site.url)) seen.set(href, place.name)
    if (!COMPUTED.some((name) => name === place.name)) continue
    const panels = await page.evaluate<{ title: string; leads: boolean }[]>(PANELS)
    assert.ok(panels.length > 0, `${place.name} has panels`)
    for (const { title, leads } of panels) if (!leads && !NOT_COMPUTED.has(title)) bare.push(`${place.name}: ${title}`)
  }
  assert.deepEqual(bare, [], 'panels that do not say how they are computed')

  const lost: string[] = []
  const paths = new Set([...seen.keys()].map((href) => href.replace(/#.*/, '')))
  // every token has the same page: one of each kind is enough
  const kinds = [...paths].filter((href) => !/\/(token|trader|deployer|actor)\//.test(href))
  for (const href of kinds) {
    const { status } = await fetch(href, { headers: { accept: 'text/html' } })
    if (status !== 200) lost.push(`${href}: ${status}, on ${seen.get(href)}`)
  }
  const parts = [...seen.keys()].filter((href) => href.includes('#'))
  assert.ok(parts.some((href) => href.includes('/guide/methodology#')))
  for (const href of parts) {
    const { pathname, hash } = new URL(href)
    if (ids.get(pathname)?.has(decodeURIComponent(hash.slice(1))) !== true) lost.push(`${href}, on ${seen.get(href)}`)
  }
  assert.deepEqual(lost, [])
  assert.deepEqual(problems, [])
})

test(
  'a reader goes from a panel to its paragraph, which is then in sight, and from the reference back',
  inBrowser,
  async () => {
    const { site, browser, found } = await theMarket()
    const { page, problems } = await visit(browser, site.url)
    await open(page, site.url, { path: `/token/${found.token}?tab=score`, shows: '#score table' })
    await page.getByRole('link', { name: 'How is this computed: Signals' }).click()
    await page.waitForURL('**/guide/methodology#7-signals')
    await page.locator('main h1').waitFor()
    await eventually('the paragraph is in sight', async () => {
      const top = await page.evaluate<number | null>(PART_TOP)
      return top !== null && top >= 0 && top < 300
    })
    await page.goto(`${site.url}/docs`)
    await page.getByRole('navigation', { name: 'Token Intelligence' }).getByRole('link').first().click()
    await page.waitForURL(`${site.url}/`)
    assert.deepEqual(problems, [])
  },
)
