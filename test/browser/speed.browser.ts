import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Who } from '../../src/contract/who.ts'
import { eventually } from '../support/wait.ts'
import { BUSY_SOCKET } from './busy-socket.ts'
import { inBrowser, launch } from './chromium.ts'
import { interesting } from './places.ts'
import { sharedSite } from './site.ts'
import { longestTask } from './trace.ts'
import { visit } from './visit.ts'

/** its past is made before anything is measured */
const theSite = sharedSite()
const CARDS_A_SECOND = 100
const WINDOW_MS = 6_000
const WINDOWS = 3
/** tasks longer than this are what browsers call long */
const LONG_MS = 50
const SCRIPTS_BYTES_MAX = 120_000

/** Keeps how long the long tasks were, from the beginning. */
const WATCH_TASKS = `globalThis.__long = []
new PerformanceObserver((list) => { for (const { startTime, duration } of list.getEntries()) __long.push({ startTime, duration }) })
  .observe({ type: 'longtask', buffered: true })`

/** Those of a window; said once the browser has nothing else to do. */
const LONG_TASKS = `new Promise((done) => requestIdleCallback(() => setTimeout(() => done(
  __long.filter(({ startTime }) => startTime >= __from && startTime < __until - 5).map(({ duration }) => duration)))))`

/** What stands in the cards. */
const CARD_TEXTS = `[...document.querySelectorAll('[data-card]')].map((card) => card.textContent)`

interface Measured {
  readonly longMs: number[]
  /** the longest task by the clock, and the processor time of the one that took most of it */
  readonly wallMs: number
  readonly cpuMs: number
  readonly frames: number
  readonly changed: number
}

async function measure(page: Page): Promise<Measured> {
  const before = await page.evaluate<string[]>(CARD_TEXTS)
  const { wallMs, cpuMs } = await longestTask(page, async () => {
    // what the test itself asks of the page is not in the window: the tasks of a window begin within it
    await page.evaluate(`setTimeout(() => { __from = performance.now(); __busy.start(${CARDS_A_SECOND}) })`)
    await pause(WINDOW_MS)
    await page.evaluate('__busy.stop(); __until = performance.now()')
  })
  const after = new Set(await page.evaluate<string[]>(CARD_TEXTS))
  return {
    longMs: await page.evaluate<number[]>(LONG_TASKS),
    wallMs,
    cpuMs,
    frames: await page.evaluate<number>('__busy.sent'),
    changed: before.filter((text) => !after.has(text)).length,
  }
}

test(
  'the JavaScript that the board loads before its first list is at most 120 kB as transferred',
  inBrowser,
  async (t) => {
    const site = await theSite()
    const browser = await launch(t)
    const { page } = await visit(browser, site.url)
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    const scripts = new Map<string, string>()
    const sizes = new Map<string, number>()
    let listAsked = false
    // the board asks for its lists when all of its code is there; what it loads ahead for the next page comes after
    session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (/\/v1\/tokens\//.test(request.url)) listAsked = true
      if (type === 'Script' && !listAsked) scripts.set(requestId, new URL(request.url).pathname)
    })
    session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength))
    await page.goto(`${site.url}/`)
    await page.locator('[data-card]').first().waitFor()
    await eventually('all scripts are there', () => [...scripts.keys()].every((id) => sizes.has(id)))
    const each = [...scripts].map(([id, path]) => [path, sizes.get(id)!] as const)
    const total = each.reduce((sum, [, size]) => sum + size, 0)
    console.log(`board: ${total} bytes of scripts with their headers: ${each.map((one) => one.join(' ')).join(', ')}`)
    assert.ok(each.length > 0, 'no script was seen')
    assert.ok(total <= SCRIPTS_BYTES_MAX, `${total} bytes`)
  },
)

test(
  `while ${CARDS_A_SECOND} cards a second change, the best of ${WINDOWS} windows has no task over ${LONG_MS} ms`,
  inBrowser,
  async (t) => {
    const site = await theSite()
    const browser = await launch(t)
    const { page, problems } = await visit(browser, site.url, { before: `${BUSY_SOCKET}\n${WATCH_TASKS}` })
    await page.goto(`${site.url}/`)
    await eventually('the board is full', async () => (await page.locator('[data-card]').count()) >= CARDS_A_SECOND / 2)
    await page.locator('header [data-link="live"]').waitFor({ state: 'attached' })
    const windows: Measured[] = []
    for (let i = 0; i < WINDOWS; i++) {
      const measured = await measure(page)
      windows.push(measured)
      const { longMs, wallMs, cpuMs, frames, changed } = measured
      console.log(
        `window ${i + 1}: ${frames} frames in ${WINDOW_MS / 1000} s, ${changed} cards changed, ${longMs.length} long tasks` +
          ` (${longMs.map(Math.round).join(', ') || 'none'} ms), longest ${wallMs.toFixed(1)} ms by the clock,` +
          ` ${cpuMs.toFixed(1)} ms of processor`,
      )
    }
    for (const { frames, changed } of windows) {
      assert.ok(frames > (CARDS_A_SECOND * WINDOW_MS) / 2000, `only ${frames} frames: the page stood still`)
      assert.ok(changed > 20, `only ${changed} cards changed`)
    }
    const best = Math.min(...windows.map(({ longMs }) => Math.max(0, ...longMs)))
    assert.ok(best <= LONG_MS, `the best window had a task of ${best} ms`)
    assert.deepEqual(problems, [])
  },
)

const TRIES = 5
const PAINT_MS = 1_000

/** Keeps when the largest element so far was painted, from the beginning. */
const WATCH_PAINT = `globalThis.__lcp = 0
new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) __lcp = startTime })
  .observe({ type: 'largest-contentful-paint', buffered: true })`

test(`the largest element of board and token is painted within ${PAINT_MS} ms, at best`, inBrowser, async (t) => {
  const site = await theSite()
  const browser = await launch(t)
  const { token } = await interesting(site)
  for (const [name, path, shows] of [
    ['board', '/', '[data-card]'],
    ['token', `/token/${token}`, '#verdict p'],
  ] as const) {
    const painted: number[] = []
    while (painted.length < TRIES && Math.min(...painted, Number.POSITIVE_INFINITY) > PAINT_MS) {
      // a visitor that has never been here
      const { page } = await visit(browser, site.url, { before: WATCH_PAINT })
      await page.goto(site.url + path)
      await page.locator(shows).first().waitFor()
      await pause(SETTLED_MS)
      painted.push(await page.evaluate<number>('__lcp'))
      await page.context().close()
    }
    t.diagnostic(`${name}: largest contentful paint after ${painted.map(Math.round).join(', ')} ms`)
    const best = Math.min(...painted)
    assert.ok(best > 0, `${name}: the browser measured none`)
    assert.ok(best <= PAINT_MS, `${name}: ${best} ms at best of ${painted.length}`)
  }
})

/** milliseconds in which a later, larger element would be painted */
const SETTLED_MS = 700
const BUBBLES = 500
const GLIDE_MS = 350

/** Moves the slider from end to end and counts frames meanwhile. */
const GLIDES = `(async () => {
  const slider = document.querySelector('#who input[type=range]')
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const frames = []
  for (const moment of [0, 2, 1, 0, 2]) {
    const until = performance.now() + ${GLIDE_MS}
    set.call(slider, String(moment))
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    while (performance.now() < until) frames.push(await new Promise(requestAnimationFrame))
  }
  const gaps = frames.slice(1).map((at, i) => at - frames[i]).sort((a, b) => a - b)
  return gaps[Math.floor(gaps.length / 2)]
})()`

test(
  `a map of ${BUBBLES} bubbles glides at 60 frames, the best window has no task over ${LONG_MS} ms`,
  inBrowser,
  async (t) => {
    const site = await theSite()
    const browser = await launch(t)
    const { token } = await interesting(site)
    const { page, problems } = await visit(browser, site.url)
    await page.route(`**/v1/tokens/${token}/who`, async (route) => {
      const answer = await route.fetch()
      const { data, meta } = (await answer.json()) as { data: Who; meta: object }
      await route.fulfill({ response: answer, json: { data: crowded(data), meta } })
    })
    await page.goto(`${site.url}/token/${token}`)
    await page.getByText(`${BUBBLES} wallets.`).waitFor()
    await page.locator('#who canvas').first().waitFor()
    await pause(SETTLED_MS)
    let best = { frameMs: Number.POSITIVE_INFINITY, wallMs: Number.POSITIVE_INFINITY, cpuMs: 0 }
    for (let i = 0; i < TRIES && (best.wallMs > LONG_MS || best.frameMs > FRAME_MS); i++) {
      let frameMs = 0
      const longest = await longestTask(page, async () => {
        frameMs = await page.evaluate<number>(GLIDES)
      })
      t.diagnostic(
        `window ${i + 1}: a frame every ${frameMs.toFixed(1)} ms (median), longest task ${longest.wallMs.toFixed(1)} ms`,
      )
      if (longest.wallMs < best.wallMs) best = { frameMs, ...longest }
    }
    assert.ok(best.wallMs <= LONG_MS, `the best window had a task of ${best.wallMs} ms`)
    assert.ok(best.frameMs <= FRAME_MS, `a frame every ${best.frameMs} ms`)
    assert.deepEqual(problems, [])
  },
)

/** milliseconds: 60 frames a second, and what timers round */
const FRAME_MS = 17.5

/** The answer with wallets invented until there are as many as the map draws. */
function crowded(who: Who): Who {
  const [model] = who.holders.top
  if (model === undefined) throw new Error('nobody holds it')
  const wallets = Array.from({ length: BUBBLES }, (_, n) => `${model.wallet.slice(0, -3)}${n + 100}`)
  const top = wallets.map((wallet, n) => ({
    ...{ ...model, wallet, name: null, group: null, actor: null, funder: null, tags: [] },
    ...{ holds_pct: 20 / (n + 2), peak_pct: 25 / (n + 2) },
  }))
  return { ...who, groups: [], actors: [], deployer: null, holders: { ...who.holders, top } }
}
