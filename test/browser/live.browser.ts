import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { theMarket } from './market.ts'
import { SHIFTS, type Shift, shiftsOf } from './shifts.ts'
import { DESKTOP, PHONE, visit } from './visit.ts'

/** While the market goes on: nothing jumps, and nothing depends on the visitor's clock or is lost by going back. */

/** of a window's area and height, in a minute */
const SHIFT_MAX = 0.05
/** milliseconds of a look; what moves on its own does so within this */
const LOOK_MS = 20_000

const COLUMNS = `[...document.querySelectorAll('[data-column]')].filter((one) => one.checkVisibility())
  .map((one) => { const { x, y, width } = one.getBoundingClientRect(); return [one.dataset.column, Math.round(x), Math.round(y), Math.round(width)].join(' ') })`
const firstCard = (page: Page) => page.locator('[data-card]:visible').first()
const isLive = (page: Page) => page.locator('header [data-link="live"]').waitFor({ state: 'attached' })

for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE }))
  test(`while it is live nothing jumps and columns stay: ${device}`, inBrowser, async (t) => {
    const { site, browser, found } = await theMarket()
    const pages = []
    for (const path of ['/', `/token/${found.token}`]) {
      const { page, problems } = await visit(browser, site.url, { ...options, before: SHIFTS })
      await page.goto(site.url + path)
      await isLive(page)
      await (path === '/' ? firstCard(page) : page.getByRole('main').getByRole('tabpanel')).first().waitFor()
      pages.push({ path, page, problems })
    }
    const [board] = pages
    const columns = await board!.page.evaluate<string[]>(COLUMNS)
    for (const { page } of pages) await page.evaluate('__shifts.length = 0')
    await pause(LOOK_MS)
    for (const { path, page, problems } of pages) {
      const shifts = await page.evaluate<Shift[]>('__shifts')
      const { sum, text } = shiftsOf(shifts)
      t.diagnostic(`${path} moved by ${sum.toFixed(4)} in ${LOOK_MS / 1000} s ${text}`)
      assert.ok(sum <= (SHIFT_MAX * LOOK_MS) / 60_000, `${path} moved by ${sum}: ${text}`)
      assert.deepEqual(problems, [], path)
    }
    assert.deepEqual(await board!.page.evaluate<string[]>(COLUMNS), columns)
    for (const { page } of pages) await page.context().close()
  })

test('back keeps the place: filters, how far the page was scrolled, and the tab of a token', inBrowser, async () => {
  const { site, browser, found } = await theMarket()
  for (const options of [DESKTOP, PHONE]) {
    const { page, problems } = await visit(browser, site.url, options)
    await page.goto(`${site.url}/token/${found.token}`)
    const tab = page.getByRole('main').getByRole('tab', { name: 'Trades' })
    await tab.click()
    const link = page.getByRole('tabpanel').locator('a[href^="/trader/"]').first()
    await link.scrollIntoViewIfNeeded()
    // an opened tab comes into sight a frame later
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    const before = await page.evaluate<number>('scrollY')
    await link.click()
    await page.waitForURL('**/trader/**')
    await page.locator('main h1').waitFor()
    await page.goBack()
    await page.getByRole('tab', { name: 'Trades', selected: true }).waitFor()
    let now = Number.NaN
    await eventually(
      'the page is where it was',
      async () => {
        now = await page.evaluate<number>('scrollY')
        return Math.abs(now - before) < 100
      },
      { seen: () => `${now} px down, not ${before}` },
    )
    assert.deepEqual(problems, [])
    await page.context().close()
  }
})

/** An hour off, before anything of the page runs. */
const clockOff = (ms: number): string => `{
  const Real = Date
  globalThis.Date = class extends Real {
    constructor(...given) { given.length === 0 ? super(Real.now() + ${ms}) : super(...given) }
    static now() { return Real.now() + ${ms} }
  }
}`
/** Ages on the screen in seconds, by what they are of. */
const AGES = `Object.fromEntries([...document.querySelectorAll('[data-card]')].flatMap((card) => {
  const [, count, unit] = /^(\\d+)\\s*(s|m|h|d)/.exec(card.querySelector('time')?.textContent ?? '') ?? []
  return count === undefined ? [] : [[card.dataset.card, Number(count) * { s: 1, m: 60, h: 3600, d: 86400 }[unit]]]
}))`

test('a clock of the visitor that is an hour off changes nothing', inBrowser, async () => {
  const { site, browser } = await theMarket()
  const seen: { page: Page; problems: string[] }[] = []
  for (const ms of [0, 3_600_000, -3_600_000]) {
    const { page, problems } = await visit(browser, site.url, ms === 0 ? {} : { before: clockOff(ms) })
    await page.goto(`${site.url}/`)
    await isLive(page)
    await firstCard(page).waitFor()
    seen.push({ page, problems })
  }
  await eventually('all say the same ages', async () => {
    const [right, ...others] = await Promise.all(seen.map(({ page }) => page.evaluate<Record<string, number>>(AGES)))
    return others.every((ages) => {
      const common = Object.keys(right!).filter((mint) => mint in ages)
      // a minute is as exact as a card is
      return (
        common.length >= 5 && common.every((mint) => Math.abs(right![mint]! - ages[mint]!) <= 60 + right![mint]! / 10)
      )
    })
  })
  for (const { page, problems } of seen) {
    assert.deepEqual(problems, [])
    await page.context().close()
  }
})
