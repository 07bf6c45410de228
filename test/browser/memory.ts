/**
 * npm run soak:page -- MINUTES [URL]: keeps the board and the page of its first token open, and prints their memory after a collection of
 * garbage every half minute. Fails if it grew by more than a tenth between the second quarter and the last. Without an address it starts
 * a service over a simulated market.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { launch } from './chromium.ts'
import { startSite } from './site.ts'
import { visit } from './visit.ts'

const EVERY_MS = 30_000
const GROWN_MAX = 1.1

const ends: (() => unknown)[] = []
const t = { after: (end: () => unknown) => void ends.unshift(end) as never }

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize
}

const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

async function main(): Promise<boolean> {
  const minutes = Number(process.argv[2] ?? 30)
  if (!(minutes >= 2)) throw new Error('give at least 2 minutes: npm run soak:page -- 30')
  const url = process.argv[3] ?? (await startSite(t)).url
  const browser = await launch(t)
  const { page: board } = await visit(browser, url)
  await board.goto(url)
  const mint = await board.locator('[data-card]').first().getAttribute('data-card')
  const { page: token } = await visit(browser, url)
  await token.goto(`${url}/token/${mint}`)
  const open = Object.entries({ board, token } satisfies Record<string, Page>)
  const sessions = await Promise.all(open.map(([, page]) => page.context().newCDPSession(page)))
  const samples: number[][] = open.map(() => [])
  const end = Date.now() + minutes * 60_000
  while (Date.now() < end) {
    await pause(EVERY_MS)
    for (const [i, session] of sessions.entries()) samples[i]!.push(await heapOf(session))
    console.log(open.map(([name], i) => `${name} ${(samples[i]!.at(-1)! / 1e6).toFixed(1)} MB`).join(', '))
  }
  return open.every(([name], i) => {
    const all = samples[i]!
    const quarter = Math.floor(all.length / 4)
    const grown = mean(all.slice(-quarter)) / mean(all.slice(quarter, 2 * quarter))
    console.log(`${name}: the last quarter has ${grown.toFixed(3)} times the memory of the second`)
    return grown <= GROWN_MAX
  })
}

const flat = await main().finally(async () => {
  for (const end of ends) await end()
})
process.exitCode = flat ? 0 : 1
