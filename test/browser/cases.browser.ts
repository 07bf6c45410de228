import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Who } from '@ti/core/contract/who.ts'
import type { Block } from '@ti/core/model/entries.ts'
import { importFiles } from '@ti/lab/import/import.ts'
import { createCaptureWriter } from '@ti/service/source/capture/writer.ts'
import type { Page } from 'playwright-core'
import { blockAt, CREW, keyOf, plantedRug } from '../support/planted-rug.ts'
import { eventually } from '../support/wait.ts'
import { inBrowser, launch } from './chromium.ts'
import { startSite } from './site.ts'
import { DESKTOP, visit } from './visit.ts'

const CSV = resolve(import.meta.dirname, '../../../shared/data/trades/pumpfun_trades.csv')
const RUG = 'FCuk4XWLR6fAJFTcQoMrm3KeywSt2X6wK4Ufh4Xjpump'
const SOL = 1_000_000_000
const LAUNCHED = 300_000_000
/** slots from a planted launch to the exit of its crew */
const EXIT = 400
/** the last block; the crews left at the launch of `dead` + 400, and of `dump` + 400, 58 slots before it */
const END = LAUNCHED + 30_000
/** lamports of each: a crew that takes a part of the money, and one that takes most of it */
const PART = { crew: 2 * SOL, other: SOL / 2 }
const MOST = { crew: 2.78 * SOL, other: SOL / 10 }

/** A launch at three moments: before its crew left, 23 s after, and hours later, with no trade since. */
const CASES = {
  before: { mint: keyOf('mint before'), created: END - EXIT + 60, lamports: PART },
  dump: { mint: keyOf('mint dump'), created: END - EXIT - 58, lamports: PART },
  dead: { mint: keyOf('mint dead'), created: LAUNCHED, lamports: MOST },
} as const

async function writeCases(path: string): Promise<void> {
  const bySlot = new Map<number, Block>()
  for (const { mint, created, lamports } of Object.values(CASES))
    for (const block of plantedRug(mint, created, lamports)) {
      if (block.slot > END) continue
      const known = bySlot.get(block.slot)
      bySlot.set(block.slot, known === undefined ? block : { ...known, events: [...known.events, ...block.events] })
    }
  bySlot.set(END, blockAt(END, bySlot.get(END)?.events ?? []))
  const start = Date.now() / 1000 - (END - LAUNCHED) * 0.4
  const writer = await createCaptureWriter(path, {
    created_at: '2026-01-01T00:00:00Z',
    source: 'test',
    chain: null,
    holds: 'rugs',
  })
  // what links them: the deployer sent the others their first SOL
  const [deployer, ...crew] = CREW
  const funded = crew.map(
    (wallet) =>
      ({
        kind: 'funding',
        wallet,
        funder: deployer!,
        slot: LAUNCHED - 1_000,
        exchange: false,
        lamports: 10 * SOL,
      }) as const,
  )
  await writer.write({ kind: 'facts', time: start, facts: [{ kind: 'sol_price', usd: 150 }, ...funded] })
  for (const { slot, parent, events } of [...bySlot.values()].sort((a, b) => a.slot - b.slot))
    await writer.write({ kind: 'decoded', slot, parent, time: start + (slot - LAUNCHED) * 0.4, events })
  await writer.finish()
}

interface FirstScreen {
  readonly headline: string
  readonly severity: string | null
  /** everything above 900 px */
  readonly text: string
  /** ratings on it that are green */
  readonly green: string[]
}

/** What a desktop shows of a token without scrolling. */
async function firstScreen(page: Page, url: string, mint: string): Promise<FirstScreen> {
  await page.goto(`${url}/token/${mint}`)
  await page.locator('#verdict p').first().waitFor()
  await page.locator('#chart canvas').first().waitFor()
  return page.evaluate<FirstScreen>(`(() => {
    const shown = (element) => element.checkVisibility() && element.getBoundingClientRect().top < ${DESKTOP.viewport.height}
    const headline = document.querySelector('#verdict p')
    const textOf = (element) => element.innerText.replaceAll('\\u00a0', ' ')
    return {
      headline: textOf(headline),
      severity: headline.dataset.rating ?? null,
      text: [...document.querySelectorAll('main h1, main p, main li, main dt, main dd')].filter(shown).map(textOf).join('\\n'),
      green: [...document.querySelectorAll('main [data-rating="green"]')].filter(shown).map((e) => e.innerText).filter((text) => text !== ''),
    }
  })()`)
}

const folder = (t: { after(end: () => void): void }): string => {
  const dir = mkdtempSync(join(tmpdir(), 'cases-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('a crew before it sells, 23 s after, and hours later: the first screen says each', inBrowser, async (t) => {
  const capture = join(folder(t), 'cases.capture')
  await writeCases(capture)
  const site = await startSite(t, { source: `capture:${capture}?speed=0` })
  const mintOf = ({ mint }: { mint: Key }): string => keyToBase58(mint)
  await eventually('all blocks are folded', async () => {
    const { data } = (await site.get(`/v1/tokens/${mintOf(CASES.dead)}/who`)) as { data: { slot: number } }
    return data.slot >= END
  })
  const browser = await launch(t)
  const { page, problems } = await visit(browser, site.url)
  const see = async (name: keyof typeof CASES): Promise<FirstScreen> => {
    const screen = await firstScreen(page, site.url, mintOf(CASES[name]))
    t.diagnostic(`${name}: [${screen.severity}] ${screen.headline}`)
    return screen
  }

  // still holding: nothing says that it sold, and the group is named
  const before = await see('before')
  assert.doesNotMatch(before.headline, /sold|Rugged/)
  assert.match(before.text, /launches it/)

  const dump = await see('dump')
  assert.equal(dump.severity, 'red')
  assert.match(dump.headline, /The deployer’s group \(\d+ wallets\) sold \d+% of supply in one block 23 s ago/)
  assert.match(dump.text, /Deployer, insiders and coordinated wallets sold \d+% of supply in the past hour/)
  assert.deepEqual(dump.green, [], 'nothing on the first screen is green after the exit')

  const dead = await see('dead')
  assert.equal(dead.severity, 'red')
  assert.match(dead.headline, /Rugged .+ ago by its deployer, coordinated wallets and insiders/)
  assert.match(dead.text, /Group [\w-]+: \d+ wallets sell \d+% of supply for [\d.]+ SOL in one block/)
  assert.deepEqual(dead.green, [], 'and hours later neither')
  assert.deepEqual(problems, [])
})

test('a real exit: the first screen says that its money left, and who still seems to hold', {
  ...inBrowser,
  skip: inBrowser.skip || (!existsSync(CSV) && `real trades are not at ${CSV}`),
}, async (t) => {
  const capture = join(folder(t), 'trades.capture')
  await importFiles([CSV], capture, { solUsd: 200 })
  const site = await startSite(t, { source: `capture:${capture}?speed=0` })
  await eventually('its exit is known', async () => {
    const { verdict } = (await site.get(`/v1/tokens/${RUG}/who`)).data as Who
    return verdict.reasons.some(({ code }) => code === 'drained')
  })
  const browser = await launch(t)
  const { page, problems } = await visit(browser, site.url)
  const screen = await firstScreen(page, site.url, RUG)
  t.diagnostic(`[${screen.severity}] ${screen.headline}`)
  assert.equal(screen.severity, 'red')
  // those who took the money paid more for it than they got, so it is no rug; who launched it is not in this file
  assert.match(screen.headline, /Drained .* ago: most of the SOL in its market left within minutes/)
  assert.match(screen.text, /3 coordinated groups hold \d+% of supply/)
  assert.doesNotMatch(screen.text, /Rugged/)
  assert.deepEqual(screen.green, [])
  assert.deepEqual(problems, [])
})
