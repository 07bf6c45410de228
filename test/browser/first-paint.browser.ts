import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Who } from '@ti/core/contract/who.ts'
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { theMarket } from './market.ts'
import { SHIFTS, type Shift, shiftsOf } from './shifts.ts'
import { DESKTOP, PHONE, visit } from './visit.ts'

/** What is seen before scripts have run, and that it stays where it is when they have. */
const SHIFT_MAX = 0.05
const HEADLINE = '#verdict p[data-rating]'

/** Also each frame in which the verdict that was there is not. */
const WATCH = `${SHIFTS}
globalThis.__blinks = 0
let was = false
const look = () => {
  const is = (document.querySelector('${HEADLINE}')?.textContent ?? '') !== ''
  if (was && !is) __blinks += 1
  was ||= is
  requestAnimationFrame(look)
}
requestAnimationFrame(look)`

test('the first painting says what the page says, and nothing moves when it is made', inBrowser, async (t) => {
  const { site, browser, found } = await theMarket()
  const { token } = found
  const headline = async (): Promise<string> => {
    const { verdict } = (await site.get(`/v1/tokens/${token}/who`)).data as Who
    return verdict.headline
  }

  for (const [device, options] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await t.test(
      `${device}: without scripts a token has its name and its verdict, and the board its heads`,
      async () => {
        const { page, problems } = await visit(browser, site.url, { ...options, javaScriptEnabled: false })
        await eventually('the verdict is that of this moment', async () => {
          const before = await headline()
          await page.goto(`${site.url}/token/${token}`)
          // a service that is too busy to find the words in time sends the page without them
          const seen = (await page.locator(HEADLINE).allInnerTexts())[0]
          return [before, await headline()].some((text) => seen?.endsWith(text))
        })
        assert.equal(await page.locator(HEADLINE).isVisible(), true)
        const { symbol, name } = ((await site.get(`/v1/tokens/${token}/who`)).data as Who).said_by_deployer
        assert.ok((await page.locator('h1').innerText()).startsWith(symbol || name || 'Unnamed'))
        await page.goto(`${site.url}/`)
        assert.equal(await page.locator('[data-column="new"] h2').isVisible(), true)
        for (const column of ['near', 'graduated'])
          assert.equal(await page.locator(`[data-column="${column}"] h2`).isVisible(), device === 'desktop')
        assert.deepEqual(problems, [])
        await page.context().close()
      },
    )

    await t.test(`${device}: nothing moves between the first painting and the page`, async () => {
      for (const [path, ready] of [
        ['/', boardIsFull],
        [`/token/${token}`, tokenIsThere],
      ] as const) {
        const { page, problems } = await visit(browser, site.url, { ...options, before: WATCH })
        await page.goto(site.url + path)
        await ready(page)
        await page.locator('header [data-link="live"]').waitFor({ state: 'attached' })
        assert.deepEqual(problems, [], path)
        const shifts = await page.evaluate<Shift[]>('__shifts')
        const { sum, text } = shiftsOf(shifts)
        assert.ok(sum <= SHIFT_MAX, `${path} moved by ${sum}: ${text}`)
        assert.equal(await page.evaluate('__blinks'), 0, path)
        await page.context().close()
      }
    })
  }
})

const tokenIsThere = (page: Page): Promise<void> => page.locator('#details table tbody tr').first().waitFor()

const boardIsFull = (page: Page): Promise<void> => page.locator('[data-column="new"] [data-card]').first().waitFor()
