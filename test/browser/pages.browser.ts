import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { faults } from './faults.ts'
import { FOCUS_SHOWS } from './in-page.ts'
import { theMarket } from './market.ts'
import { open, type Place, places } from './places.ts'
import { DESKTOP, PHONE, visit } from './visit.ts'

async function look(device: BrowserContextOptions): Promise<void> {
  const { site, browser, found } = await theMarket()
  const wrong: Record<string, string[]> = {}
  for (const place of places(found)) {
    const { page, problems } = await visit(browser, site.url, device)
    await open(page, site.url, place)
    const seen = [...(await faults(page)), ...titleOf(await page.title(), place)]
    if (place.name === 'token' && device === PHONE) seen.push(...(await farTrades(page)))
    await page.context().close()
    if (problems.length + seen.length > 0) wrong[place.name] = [...problems, ...seen]
  }
  assert.deepEqual(wrong, {})
}

/** screens of a phone */
const SCREENS_TO_TRADES = 4

async function farTrades(page: Page): Promise<string[]> {
  const top = await page.evaluate<number>("document.getElementById('trades').getBoundingClientRect().top + scrollY")
  const most = SCREENS_TO_TRADES * PHONE.viewport.height
  return top <= most ? [] : [`its trades begin ${Math.round(top)} px down, more than ${most}`]
}

const titleOf = (title: string, { name }: Place): string[] =>
  title.includes('Token Intelligence') || name === 'token' ? [] : [`its title is ${title}`]

test(
  'every page opens with its content, in order, within its policy and its width, for everybody: 1440 wide',
  inBrowser,
  () => look(DESKTOP),
)

test(
  'every page opens with its content, in order, within its policy and its width, for everybody: 390 wide',
  inBrowser,
  () => look(PHONE),
)

test('every page opens with its content at 200 %: a desktop then has 720 by 450 pixels', inBrowser, () =>
  look({ viewport: { width: DESKTOP.viewport.width / 2, height: DESKTOP.viewport.height / 2 }, deviceScaleFactor: 2 }),
)

test('the keyboard finds, walks the board and opens', inBrowser, async () => {
  const { site, browser, found } = await theMarket()
  const { page, problems } = await visit(browser, site.url)
  await page.goto(`${site.url}/`)
  await page.locator('[data-column="new"] [data-card]').nth(2).waitFor()
  const { token } = found
  const shows = async (what: string) => {
    const visible = await page.evaluate<boolean>(FOCUS_SHOWS)
    assert.equal(visible, true, `the focus is seen on ${what}`)
  }

  // the first tab stop leads past the header
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Skip to the content')
  assert.equal(await page.evaluate('document.activeElement.getBoundingClientRect().top >= 0'), true, 'it is in sight')
  await shows('the skip link')
  await page.keyboard.press('Enter')
  assert.equal(await page.evaluate('document.activeElement.id'), 'main')

  // every stop of the tab key is seen
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab')
    await shows(`stop ${i}: ${await page.evaluate('document.activeElement.outerHTML.slice(0, 120)')}`)
  }

  // arrows go from card to card
  const cards = page.locator('[data-column="new"] [data-card]')
  await cards.first().focus()
  const focused = () => page.evaluate<string>('document.activeElement.dataset.card ?? document.activeElement.tagName')
  const ids = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-column="new"] [data-card]')].map((card) => card.dataset.card)`,
  )
  const walked: string[] = [await focused()]
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp', 'End', 'Home']) {
    await page.keyboard.press(key)
    walked.push(await focused())
  }
  assert.deepEqual(walked, [ids[0], ids[1], ids[2], ids[1], ids.at(-1), ids[0]])
  await page.keyboard.press('ArrowRight')
  const column = 'document.activeElement.closest("[data-column]").dataset.column'
  assert.notEqual(await page.evaluate(column), 'new')
  await page.keyboard.press('ArrowLeft')
  assert.equal(await page.evaluate(column), 'new')
  await page.keyboard.press('Home')
  const opened = await focused()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${site.url}/token/${opened}`)
  assert.equal(await page.evaluate('document.activeElement.id'), 'main', 'a new page begins at its top')

  // the slash leads to the search, Enter to what it found
  await page.keyboard.press('/')
  assert.equal(await page.evaluate('document.activeElement.role ?? document.activeElement.outerHTML'), 'combobox')
  await page.keyboard.type(token)
  const option = page.getByRole('option')
  await option.first().waitFor()
  await page.keyboard.press('ArrowDown')
  await eventually(
    'the first choice is active',
    async () => (await option.first().getAttribute('aria-selected')) === 'true',
  )
  await page.keyboard.press('Enter')
  await page.waitForURL(`${site.url}/token/${token}`)
  // written where one writes, it is a character
  await page.goto(`${site.url}/`)
  await page.getByRole('button', { name: 'Filters' }).click()
  const filter = page.locator('form').getByRole('textbox').first()
  await filter.focus()
  await page.keyboard.press('/')
  assert.equal(await filter.inputValue(), '/')
  assert.deepEqual(problems, [])
})
