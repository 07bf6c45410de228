import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Trade } from '@ti/core/contract/resources.ts'
import type { Frame } from '@ti/core/contract/streams.ts'
import type { Page } from 'playwright-core'
import { freePort } from '../ports.mjs'
import { operatorOf } from '../simulation/service.ts'
import { eventually } from '../support/wait.ts'
import { inBrowser, launch } from './chromium.ts'
import { openLine } from './line.ts'
import { theMarket } from './market.ts'
import { type Site, startSite } from './site.ts'
import { visit } from './visit.ts'

/** what a browser itself says of a service that is away, and of one that has forgotten its visitors (402 and a new cookie) */
const AWAY = /net::ERR_|WebSocket connection to|status of (402|503)/
const BACK_MS = 120_000
/** Trades are all that is needed of it: a short past, which is made quickly. */
const BUSY = 'simulator:seed=1&tps=40&warmup=900'

/** Every frame that reaches the page, over all its sockets. */
function follow(page: Page): Frame['data'][] {
  const frames: Frame['data'][] = []
  page.on('websocket', (socket) =>
    socket.on('framereceived', ({ payload }) => {
      const [, , , event, body] = JSON.parse(String(payload)) as [unknown, unknown, string, string, Frame]
      if (event === 'frame') frames.push(body.data)
    }),
  )
  return frames
}

const linkIs = (page: Page, link: string) =>
  page.locator(`header [data-link="${link}"]`).waitFor({ timeout: BACK_MS, state: 'attached' })

/** The mint of which the market talks most. */
function busiest(frames: readonly Frame['data'][]): string {
  const counts = new Map<string, number>()
  for (const { mint } of frames) counts.set(mint, (counts.get(mint) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]![0]
}

function assertNoneMissing(frames: readonly Frame['data'][], where: string): void {
  const seqs = [...new Set(frames.map(({ seq }) => seq))].sort((a, b) => a - b)
  const expected = Array.from({ length: seqs.length }, (_, i) => seqs[0]! + i)
  assert.deepEqual(seqs, expected, `${where}: every frame from the first to the last`)
}

/** The newest trades that the token page shows, by their signatures. */
const SHOWN = `[...document.querySelectorAll('#trades tbody tr')].slice(0, 40).map((row) => row.querySelector('td:last-child [title]').title)`

interface Outage {
  /** ends what is there */
  begin(): Promise<void>
  /** brings it back; `seqNow`: so far the market went meanwhile */
  end(): Promise<void>
}

/** Board and token page through an outage: they say so, go on by themselves, and miss nothing. */
async function through(site: Site, { begin, end }: Outage, t: Parameters<typeof launch>[0]): Promise<void> {
  const browser = await launch(t)
  const board = await visit(browser, site.url, { expected: AWAY })
  const boardFrames = follow(board.page)
  await board.page.goto(`${site.url}/`)
  await linkIs(board.page, 'live')
  await eventually('the board hears trades', () => boardFrames.length > 30)
  const mint = busiest(boardFrames)
  const token = await visit(browser, site.url, { expected: AWAY })
  const tokenFrames = follow(token.page)
  await token.page.goto(`${site.url}/token/${mint}?tab=trades`)
  await linkIs(token.page, 'live')
  await eventually('the token page hears trades', () => tokenFrames.length > 10)
  // what a page loads when it needs it is there: an outage before that is the test of the chart below
  await token.page.locator('.uplot').first().waitFor()
  for (const { page } of [board, token]) await page.evaluate('window.__stays = 1')

  await begin()
  for (const { page } of [board, token]) {
    await linkIs(page, 'lost')
    let standing = ''
    await eventually(
      'the page says that it reconnects',
      async () => {
        standing = await page.locator('header').first().innerText()
        return standing.includes('reconnecting')
      },
      { seen: () => standing },
    )
  }
  await token.page.locator('#trades').getByText('the stream is down').waitFor()
  const before = [boardFrames.length, tokenFrames.length]
  await end()

  for (const { page } of [board, token]) await linkIs(page, 'live')
  await eventually(
    'both hear trades again',
    () => boardFrames.length > before[0]! + 60 && tokenFrames.length > before[1]! + 60,
    { deadlineMs: BACK_MS, seen: () => `${boardFrames.length - before[0]!}, ${tokenFrames.length - before[1]!}` },
  )
  assertNoneMissing(boardFrames, 'board')
  assertNoneMissing(tokenFrames, 'token')
  await eventually(
    'the token page shows the trades that the service has',
    async () => {
      const shown = await token.page.evaluate<string[]>(SHOWN)
      const trades = (await site.get(`/v1/tokens/${mint}/trades`)).data as Trade[]
      return trades.slice(0, shown.length).every(({ signature }, i) => signature === shown[i])
    },
    { deadlineMs: BACK_MS },
  )
  await eventually(
    'the lists are asked again',
    async () => (await board.page.getByText('not up to date').count()) === 0,
    { deadlineMs: BACK_MS },
  )
  for (const [name, { page, problems }] of Object.entries({ board, token })) {
    assert.equal(await page.evaluate('window.__stays'), 1, `${name}: it was not loaded again`)
    assert.deepEqual(problems, [], name)
  }
}

test(
  'the line breaks while the market goes on: board and token page say so, go on, and miss nothing',
  inBrowser,
  async (t) => {
    const line = await openLine(t)
    const port = await freePort()
    line.to(port)
    const site = await startSite(t, { source: BUSY, env: { PORT: String(port), PUBLIC_URL: line.url } })
    const seqOf = async () => ((await (await fetch(`${operatorOf(site.url)}/readyz`)).json()) as { seq: number }).seq
    let cutAt = 0
    const begin = async () => {
      cutAt = await seqOf()
      line.cut()
    }
    const end = async () => {
      await eventually('the market goes on', async () => (await seqOf()) > cutAt + 10)
      line.mend()
    }
    await through(site, { begin, end }, t)
  },
)

test(
  'the service is killed and started again on its port: board and token page say so, go on, and miss nothing',
  inBrowser,
  async (t) => {
    const site = await startSite(t, { source: BUSY })
    let back = () => {}
    let restarted: Promise<void> = Promise.resolve()
    const begin = () =>
      new Promise<void>((away) => {
        restarted = site.restart(() => {
          away()
          return new Promise((done) => {
            back = done
          })
        })
      })
    const end = async () => {
      back()
      await restarted
    }
    await through(site, { begin, end }, t)
  },
)

test(
  'a chart that could not be loaded, because the service went away just then, takes nothing else with it',
  inBrowser,
  async () => {
    const { site, browser, found } = await theMarket()
    const { token } = found
    const { page } = await visit(browser, site.url, { expected: AWAY })
    await page.route(/\/assets\/line-chart-[^/]*\.js$/, (route) => route.abort())
    const frames = follow(page)
    await page.goto(`${site.url}/token/${token}?tab=trades`)
    await page.getByText('could not be loaded').waitFor()
    await linkIs(page, 'live')
    const before = frames.length
    await eventually('the streams go on', () => frames.length > before + 10)
    await page.locator('#trades tbody tr').first().waitFor()
  },
)
