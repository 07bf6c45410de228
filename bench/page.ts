import { setTimeout as pause } from 'node:timers/promises'
import type { Who } from '@ti/core/contract/who.ts'
import type { Browser, Page } from 'playwright-core'
import { BUSY_SOCKET } from '../test/browser/busy-socket.ts'
import { CHROMIUM, inBrowser, launch } from '../test/browser/chromium.ts'
import { crowded } from '../test/browser/crowded.ts'
import { interesting } from '../test/browser/places.ts'
import { type Site, startSite } from '../test/browser/site.ts'
import { type Longest, longestTask } from '../test/browser/trace.ts'
import { DESKTOP, visit } from '../test/browser/visit.ts'
import { eventually } from '../test/support/wait.ts'
import { median } from './service.ts'
import type { BenchRow } from './types.ts'

/** The page in Chromium: when it has painted, and whether it stays smooth. */
const CARDS_A_SECOND = 100
const WINDOW_MS = 6_000
/** of none of them may the longest task be longer than the bar; of frames the median is taken (odd) */
const WINDOWS = 5
const LOADS = 5
/** what a page still does once its content is there */
const OPENED_MS = 1_000
const BUBBLES = 500
/** milliseconds; tasks longer than 50 are what browsers call long; a screen of 60 Hz leaves out one frame in twelve at most */
const BAR = { largestMs: 1_000, taskMs: 50, framesASecond: 55 }

/** What stands in the cards. */
const CARD_TEXTS = `[...document.querySelectorAll('[data-card]')].map((card) => card.textContent)`

/** When the largest part of the page was painted, milliseconds since the page was asked for. */
const WATCH_LARGEST = `globalThis.__largest = 0
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) __largest = startTime })
  .observe({ type: 'largest-contentful-paint', buffered: true })`

/** When the first of something was there, to the frame. */
const watchFirst = (selector: string): string => `globalThis.__first = 0
const look = (now) => { if (document.querySelector('${selector}') === null) requestAnimationFrame(look); else __first = now }
requestAnimationFrame(look)`

/** Between two frames, while `__frames` is kept. */
const WATCH_FRAMES = `globalThis.__frames = null
const each = (now) => { __frames?.push(now); requestAnimationFrame(each) }
requestAnimationFrame(each)`

export async function benchPage(): Promise<BenchRow[]> {
  if (CHROMIUM === null) throw new Error(String(inBrowser.skip))
  const ends: (() => Promise<void>)[] = []
  const scope = { after: (end: () => Promise<void>) => void ends.unshift(end) }
  try {
    const site = await startSite(scope)
    const browser = await launch(scope)
    const { token } = await interesting(site)
    return [
      ...(await paint(browser, site, { name: 'board', path: '/', first: 'card', shows: '[data-card]' })),
      ...(await paint(browser, site, {
        ...{ name: 'token', path: `/token/${token}`, first: 'bubble', shows: '#who a[aria-label^="Wallet:"]' },
      })),
      await opening(browser, `${site.url}/token/${token}`),
      await busyBoard(browser, site),
      ...(await crowdedMap(browser, site, token)),
    ]
  } finally {
    for (const end of ends) await end()
  }
}

interface Painted {
  readonly name: string
  readonly path: string
  /** what of its content comes first, and what selects it */
  readonly first: string
  readonly shows: string
}

async function paint(browser: Browser, site: Site, { name, path, first, shows }: Painted): Promise<BenchRow[]> {
  const largest: number[] = []
  const content: number[] = []
  for (let i = 0; i < LOADS; i++) {
    // as a reader's browser does it: nothing looks at its requests on their way
    const context = await browser.newContext(DESKTOP)
    await context.addInitScript({ content: `${WATCH_LARGEST}\n${watchFirst(shows)}` })
    const page = await context.newPage()
    await page.goto(site.url + path)
    await page.locator(shows).first().waitFor()
    await page.evaluate(
      'new Promise((done) => requestIdleCallback(() => requestAnimationFrame(() => setTimeout(done))))',
    )
    largest.push(await page.evaluate<number>('__largest'))
    content.push(await page.evaluate<number>('__first'))
    await context.close()
  }
  const best = Math.min(...largest)
  const loads = (times: number[]): string =>
    `the best of ${LOADS} loads without a cache: ${times.map(Math.round).join(', ')} ms`
  return [
    {
      ...{ name: `${name}: largest contentful paint, ms (at most)`, ratio: best, bar: BAR.largestMs },
      ...{ pass: best > 0 && best < BAR.largestMs, detail: loads(largest) },
    },
    {
      // the frame is painted first: this is when it has something in it
      ...{ name: `${name}: first ${first}, ms`, ratio: Math.min(...content), bar: null },
      ...{ pass: Math.min(...content) > 0, detail: loads(content) },
    },
  ]
}

/** The longest task from the address to the last panel, each time in a browser that has seen nothing of the page. */
async function opening(browser: Browser, address: string): Promise<BenchRow> {
  const loads: Longest[] = []
  for (let i = 0; i < LOADS; i++) {
    const context = await browser.newContext(DESKTOP)
    const page = await context.newPage()
    const longest = await longestTask(page, async () => {
      await page.goto(address)
      for (const shows of ['#line canvas', '#trades tbody tr', '#kols h2']) await page.locator(shows).first().waitFor()
      await pause(OPENED_MS)
    })
    loads.push(longest)
    await context.close()
  }
  return tasksRow('token: longest task while it opens, ms (at most)', `${LOADS} loads without a cache`, loads)
}

/** By the clock, as a reader feels it; the processor's part beside it shows what the machine was busy with otherwise. */
function tasksRow(name: string, of: string, all: readonly (Longest & { readonly detail?: string })[]): BenchRow {
  const walls = all.map(({ wallMs }) => wallMs)
  const worst = Math.max(...walls)
  const each = all.map(
    ({ wallMs, cpuMs, detail }) =>
      `${detail === undefined ? '' : `${detail}, `}${wallMs.toFixed(1)} ms by the clock and ${cpuMs.toFixed(1)} ms of processor`,
  )
  return {
    ...{ name, ratio: worst, bar: BAR.taskMs, pass: worst > 0 && worst <= BAR.taskMs },
    detail: `the longest of ${of} (median ${median(walls).toFixed(1)} ms): ${each.join('; ')}`,
  }
}

/** The longest task while cards change, in windows that begin and end within the page. */
async function busyBoard(browser: Browser, site: Site): Promise<BenchRow> {
  const { page } = await visit(browser, site.url, { before: BUSY_SOCKET })
  await page.goto(`${site.url}/`)
  await eventually('the board is full', async () => (await page.locator('[data-card]').count()) >= CARDS_A_SECOND / 2)
  await page.locator('header [data-link="live"]').waitFor({ state: 'attached' })
  const windows = []
  for (let i = 0; i < WINDOWS; i++) windows.push(await busyWindow(page))
  await page.context().close()
  const name = `board on which ${CARDS_A_SECOND} cards a second change: longest task, ms (at most)`
  const row = tasksRow(name, `${WINDOWS} windows of ${WINDOW_MS / 1000} s`, windows)
  return { ...row, pass: row.pass && windows.every(({ changed }) => changed > 20) }
}

async function busyWindow(page: Page) {
  const before = await page.evaluate<string[]>(CARD_TEXTS)
  const longest = await longestTask(page, async () => {
    await page.evaluate(`__busy.start(${CARDS_A_SECOND})`)
    await pause(WINDOW_MS)
    await page.evaluate('__busy.stop()')
  })
  const after = new Set(await page.evaluate<string[]>(CARD_TEXTS))
  const changed = before.filter((text) => !after.has(text)).length
  return { ...longest, changed, detail: `${changed} cards changed` }
}

/** Frames and the longest task while the slider of a map with many holders moves. */
async function crowdedMap(browser: Browser, site: Site, token: string): Promise<BenchRow[]> {
  const { page } = await visit(browser, site.url, { before: WATCH_FRAMES })
  await page.route(`**/v1/tokens/${token}/who`, async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { data: Who }
    await route.fulfill({ response: answer, json: { ...body, data: crowded(body.data, BUBBLES) } })
  })
  await page.goto(`${site.url}/token/${token}`)
  await page.getByText(`${BUBBLES} wallets.`).waitFor()
  await page.getByRole('slider', { name: 'Moment' }).focus()
  const windows = []
  for (let i = 0; i < WINDOWS; i++) windows.push(await mapWindow(page))
  await page.context().close()
  const all = windows.map(({ frames }) => frames)
  const frames = median(all)
  const each = all.map((one) => one.toFixed(1)).join(', ')
  return [
    {
      name: `map of ${BUBBLES} wallets while its slider moves: frames a second (at least)`,
      ...{ ratio: frames, bar: BAR.framesASecond, pass: frames >= BAR.framesASecond },
      detail: `the median of ${WINDOWS} windows: ${each} frames/s`,
    },
    tasksRow('the same: longest task, ms (at most)', `${WINDOWS} windows`, windows),
  ]
}

async function mapWindow(page: Page) {
  let times: number[] = []
  const longest = await longestTask(page, async () => {
    await page.evaluate('__frames = []')
    // from one end to the other and back, without a rest between two glides
    for (let n = 0; n < 12; n++) {
      await page.keyboard.press(n % 4 < 2 ? 'ArrowLeft' : 'ArrowRight')
      await pause(300)
    }
    times = await page.evaluate<number[]>('__frames.splice(0)')
  })
  const seconds = (times.at(-1)! - times[0]!) / 1000
  return { ...longest, frames: (times.length - 1) / seconds }
}
