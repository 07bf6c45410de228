import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { inBrowser, launch } from './chromium.ts'
import { interesting, type Place, places } from './places.ts'
import { startSite } from './site.ts'
import { visit } from './visit.ts'

/** Where the links of the page's content lead. */
const HREFS = `[...document.querySelectorAll('main a[href]')].map((link) => link.href)`
const hrefsOf = (page: Page): Promise<string[]> => page.evaluate<string[]>(HREFS)

async function open(page: Page, url: string, { path, shows }: Pick<Place, 'path' | 'shows'>): Promise<void> {
  await page.goto(url + path)
  await page.locator(shows).first().waitFor()
}

test(
  'wallets, mints and transactions lead to an explorer on the main network, and only there',
  inBrowser,
  async (t) => {
    const site = await startSite(t)
    const browser = await launch(t)
    const found = await interesting(site)
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
  },
)
