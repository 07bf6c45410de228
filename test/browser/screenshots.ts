/**
 * npm run screenshots: opens every page of the built program over a simulated market, in light and dark, on a desktop and
 * a phone, and writes what is seen to reports/screenshots; then does the twenty tasks, and writes what is seen at the end of each
 * to reports/screenshots/tasks and their clicks and seconds to reports/tasks.md. `npm run screenshots -- pages` or `-- tasks` does one
 * of the two.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { CHROMIUM, inBrowser, launch } from './chromium.ts'
import { WAITING } from './in-page.ts'
import { type Interesting, interesting, open, places } from './places.ts'
import { withPalette } from './png.ts'
import { type Site, startSite, stillMarket } from './site.ts'
import { runTasks } from './tasks.ts'
import { makeFolder, pictureOf, writeTasks } from './tasks-page.ts'
import { testWalletScript } from './test-wallet.ts'
import { DESKTOP, PHONE, visit } from './visit.ts'

const FOLDER = join(import.meta.dirname, '../../reports/screenshots')
/** bytes of a picture; of a task's, which is seen beside a table */
const [BYTES_MAX, TASK_BYTES_MAX] = [400_000, 150_000]
/** worth seeing below the fold, too */
const WHOLE: ReadonlySet<string> = new Set(['token'])
const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  desktop: DESKTOP,
  phone: { ...PHONE, viewport: { width: 390, height: 844 } },
}
const WALLET = `if (location.protocol !== 'about:') ${testWalletScript({ seed: '2a'.repeat(32) })}`

const ends: (() => unknown)[] = []
const t = { after: (end: () => unknown) => void ends.unshift(end) }

/** What a page needs before it is worth a picture. */
const PREPARE: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async board(page) {
    await page.locator('header [data-link="live"]').waitFor({ state: 'attached' })
    await page
      .getByText(/trades \d+↑/)
      .filter({ visible: true })
      .first()
      .waitFor()
  },
  async token(page) {
    await page.locator('main canvas').first().waitFor()
  },
  async trader(page) {
    await page.locator('main table svg[role=img]').first().waitFor()
  },
  async account(page) {
    await page.getByRole('button', { name: /^Test Wallet/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await page.getByLabel('Name of a new key').fill('trading bot')
    if ((await page.getByRole('table', { name: 'Keys in use' }).count()) === 0) {
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByRole('button', { name: 'I have stored it' }).click()
    }
    await page.getByRole('button', { name: 'Show how to pay' }).click()
    await page.getByText('nothing has arrived yet').first().waitFor()
    await page.getByRole('table', { name: 'Keys in use' }).waitFor()
  },
  async status(page) {
    const drawn = `[...document.querySelectorAll('main section svg')].length`
    await eventually('all lines are drawn', async () => (await page.evaluate<number>(drawn)) >= 4)
  },
}

const PAINTED =
  'document.fonts.ready.then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))'

async function take(page: Page, name: string, { fullPage = false, most = BYTES_MAX } = {}): Promise<void> {
  const path = join(FOLDER, `${name}.png`)
  const seen = page.viewportSize()
  // what is below the screen is not painted until it is near: the whole page needs a window as high as it is
  if (fullPage && seen !== null) {
    await page.setViewportSize({
      ...seen,
      height: await page.evaluate<number>('document.documentElement.scrollHeight'),
    })
    await page.evaluate(PAINTED)
    await page.setViewportSize({
      ...seen,
      height: await page.evaluate<number>('document.documentElement.scrollHeight'),
    })
    await page.evaluate(PAINTED)
  }
  // a pixel for a pixel: a phone's picture in its own density would be four times as heavy
  const picture = withPalette(await page.screenshot({ fullPage, scale: 'css', animations: 'disabled', caret: 'hide' }))
  if (fullPage && seen !== null) await page.setViewportSize(seen)
  writeFileSync(path, picture)
  const size = picture.length
  console.log(`${name}.png ${Math.round(size / 1000)} kB`)
  if (size > most) throw new Error(`${name}.png has ${size} bytes, more than ${most}`)
}

async function takeTasks(site: Site, found: Interesting, browser: Browser): Promise<void> {
  makeFolder()
  let taken = 0
  const done = await runTasks(site, found, browser, async (page, { task, device }) => {
    if (device !== 'desktop') return
    await eventually('all of it has come', async () => (await page.evaluate<number>(WAITING)) === 0)
    await page.evaluate(PAINTED)
    await take(page, pictureOf(taken++, task), { most: TASK_BYTES_MAX })
  })
  writeTasks(done)
}

async function main(): Promise<void> {
  if (CHROMIUM === null) throw new Error(String(inBrowser.skip))
  const [only = null] = process.argv.slice(2)
  if (only !== null && !['pages', 'tasks'].includes(only)) throw new Error(`pages or tasks, not ${only}`)
  const site = await startSite(t, { source: stillMarket() })
  const browser = await launch(t)
  const found = await interesting(site)
  // once there is something to take: a start that fails leaves the pictures as they are
  if (only === null || only === 'pages') {
    mkdirSync(FOLDER, { recursive: true })
    for (const name of readdirSync(FOLDER)) if (name.endsWith('.png')) rmSync(join(FOLDER, name))
    await takePlaces(site, found, browser)
  }
  if (only !== 'pages') await takeTasks(site, found, browser)
}

async function takePlaces(site: Site, found: Interesting, browser: Browser): Promise<void> {
  for (const [device, options] of Object.entries(DEVICES)) {
    for (const place of places(found)) {
      const { page } = await visit(browser, site.url, { ...options, before: WALLET })
      await open(page, site.url, place)
      await PREPARE[place.name]?.(page)
      await page.evaluate('document.activeElement?.blur(); scrollTo(0, 0)')
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.evaluate(PAINTED)
        await take(page, `${place.name}-${device}-${colorScheme}`)
        if (WHOLE.has(place.name) && device === 'desktop')
          await take(page, `${place.name}-whole-${colorScheme}`, { fullPage: true })
      }
      await page.context().close()
    }
  }
}

await main().finally(async () => {
  for (const end of ends) await end()
})
