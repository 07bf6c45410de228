import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Check } from '@ti/core/contract/who.ts'
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { contradictions } from './contradictions.ts'
import { BARE_NUMBERS, SAID, type Said } from './figures-in-page.ts'
import { WAITING } from './in-page.ts'
import { theStillMarket } from './market.ts'
import { open, type Place, places } from './places.ts'
import type { Site } from './site.ts'
import { DESKTOP, PHONE, visit } from './visit.ts'

/** Every number of the page has a word, and every sentence agrees with the figures beside it. Nothing moves in this market. */

/** tokens of each colour whose pages are read */
const EACH = 3

async function read(page: Page): Promise<string[]> {
  const bare = await page.evaluate<string[]>(BARE_NUMBERS)
  const wrong = contradictions(await page.evaluate<Said>(SAID))
  return [...bare.map((one) => `no word: ${one}`), ...wrong.map((one) => `does not agree: ${one}`)]
}

/** Faults of the page as it opens, then behind each of its tabs. */
async function readAll(page: Page, url: string, place: Place): Promise<string[]> {
  await open(page, url, place)
  await eventually('all of it has come', async () => (await page.evaluate<number>(WAITING)) === 0)
  const found = new Set(await read(page))
  for (const tab of await page.getByRole('main').getByRole('tab').all()) {
    if (!(await tab.isVisible())) continue
    await tab.click()
    await eventually('the tab has come', async () => (await page.evaluate<number>(WAITING)) === 0)
    for (const fault of await read(page)) found.add(fault)
  }
  return [...found]
}

/** Mints of the lists by colour. */
async function byColour(site: Site): Promise<Map<string, string[]>> {
  const mints = new Set<string>()
  for (const list of ['new', 'pumps', 'graduated', 'agents'])
    for (const { mint } of (await site.get(`/v1/tokens/${list}`)).data as { mint: string }[]) mints.add(mint)
  const colours = new Map<string, string[]>()
  for (const mint of mints) {
    const { colour } = (await site.get(`/v1/tokens/${mint}/check`)).data as Check
    colours.set(colour, [...(colours.get(colour) ?? []), mint])
  }
  return colours
}

const PLANTED = {
  'no word': [
    '<p>12.5</p>',
    '<p><span>$4.2k</span> <time>27s</time></p>',
    '<ul><li>41</li><li>0% · 3 wallets</li></ul>',
  ],
  'does not agree': [
    '<dl><div><dt>A buyer gains</dt><dd>50%</dd><dd>0 of the latest 40 like it</dd></div></dl>',
    '<dl><div><dt>Drained</dt><dd>50%</dd><dd>2 of the latest 4 like it</dd></div></dl>',
    '<p>The launcher launched 4 others: 2 drained, 2 rugged, 1 graduated.</p>',
    '<p>Of the 16 buyers so far 9 hold, 4 sold at a gain, 5 at a loss.</p>',
    '<table><thead><tr><th>Who</th><th>Peak</th><th>Now</th><th>Paid SOL</th><th>Got SOL</th><th>Result</th></tr></thead><tbody><tr><th>Launcher</th><td>9.8%</td><td>3%</td><td>2.4</td><td>18.6</td><td>+12 SOL</td></tr></tbody></table><p>The deployer sold 4.2 % of supply, last 37 min ago, and holds nothing.</p>',
    '<dl><div><dt>Market cap</dt><dd>$4.2k</dd></div><div><dt>From peak $67.6k</dt><dd>−44%</dd></div><div><dt>Holders</dt><dd>41</dd></div></dl><p>You would be buying from the last 40 holders.</p>',
    '<dl><div><dt>Paid</dt><dd>14.75 SOL</dd></div><div><dt>Got</dt><dd>5.45 SOL</dd></div><div><dt>Result</dt><dd>−0.097 SOL</dd></div></dl>',
    '<p>First launch.</p><p>4 earlier launches: 1 drained.</p>',
  ],
} as const
const HARMLESS =
  '<p>The deployer and 3 of 7 wallets sold 12 % of supply.</p><dl><div><dt>Holders</dt><dd>41</dd></div></dl><p>Known since 5:58 as slow-falcon-76.</p><table><thead><tr><th>Pool</th></tr></thead><tbody><tr><td>9.1 SOL</td></tr></tbody></table><p>1 in 45 of 90 like it</p>'

test('the reader of pages finds planted faults, each by itself, and nothing else', inBrowser, async () => {
  const { site, browser } = await theStillMarket()
  const { page } = await visit(browser, site.url)
  await page.goto(`${site.url}/account`)
  await page.locator('main h2').first().waitFor()
  const plant = (html: string) => page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(html)}`)
  for (const [kind, all] of Object.entries(PLANTED))
    for (const html of all) {
      await plant(html)
      const found = await read(page)
      assert.ok(found.length > 0 && found.every((fault) => fault.startsWith(kind)), `${html}: ${JSON.stringify(found)}`)
    }
  await plant(HARMLESS)
  assert.deepEqual(await read(page), [])
})

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  test(`every number has a word and no sentence contradicts a figure: ${device}`, inBrowser, async (t) => {
    const { site, browser, found } = await theStillMarket()
    const colours = await byColour(site)
    assert.ok(colours.size >= 3, `tokens of ${[...colours.keys()]}`)
    const tokens = [...colours].flatMap(([colour, mints]) =>
      mints.slice(0, EACH).map((mint) => ({ name: `${colour} ${mint}`, path: `/token/${mint}`, shows: '#story li' })),
    )
    t.diagnostic(tokens.map(({ name }) => name).join(', '))
    const all = places(found)
    const faults: Record<string, string[]> = {}
    const { page, problems } = await visit(browser, site.url, options)
    for (const place of [...all, ...tokens]) {
      const seen = await readAll(page, site.url, place)
      if (seen.length > 0) faults[place.name] = seen
    }
    assert.deepEqual(faults, {})
    assert.deepEqual(problems, [])
    await page.context().close()
  })
