import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { plainLine } from '@ti/core/base/plain-text.ts'
import type { TokenCard } from '@ti/core/contract/resources.ts'
import { CANARY, WALLET_NAME as RED_NAME, RED_TEAM, unseenIn, WALLET_CANARY } from '../support/red-team.ts'
import { eventually } from '../support/wait.ts'
import { inBrowser, launch } from './chromium.ts'
import {
  deployerAddress,
  LAUNCHES,
  mintAddress,
  namedAddress,
  RAN,
  WALLET_NAME,
  writeHostileMarket,
} from './hostile-market.ts'
import { OVERFLOWING } from './in-page.ts'
import { startSite } from './site.ts'
import { PHONE, type Visit, visit } from './visit.ts'

/** Addresses behind the links of a page, and what the page says with them. */
const LINKS = `[...document.body.querySelectorAll('[href], [src], [srcset], [action], [formaction], [data]')].map((element) => ({
  tag: element.tagName,
  to: element.getAttribute('href') ?? element.getAttribute('src') ?? element.outerHTML,
  rel: element.rel ?? '',
  target: element.target ?? '',
  text: element.textContent,
}))`

interface Found {
  readonly tag: string
  readonly to: string
  readonly rel: string
  readonly target: string
  readonly text: string
}

/** Elements that only markup of strangers could have made. */
const FOREIGN = `[...document.querySelectorAll('main img, main script, main iframe, main object, main embed, main [onerror], main [onload], main [onmouseover]')]
  .map((element) => element.outerHTML)`

/** Texts from right to left that are not kept to themselves: what stands beside them could be turned around. */
const LOOSE = `(() => {
  const loose = []
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (!/[\\u0590-\\u08ff]/.test(node.data)) continue
    const isolated = ['isolate', 'isolate-override', 'plaintext'].includes(getComputedStyle(node.parentElement).unicodeBidi)
    if (!isolated && node.parentElement.checkVisibility() && !['TITLE', 'SCRIPT'].includes(node.parentElement.tagName)) loose.push(node.parentElement.outerHTML.slice(0, 200))
  }
  return loose
})()`

async function assertHarmless({ page, problems, images }: Visit, where: string): Promise<void> {
  assert.equal(await page.evaluate(`typeof window.${RAN}`), 'undefined', `${where}: something ran`)
  assert.deepEqual(await page.evaluate(FOREIGN), [], `${where}: markup of a stranger`)
  assert.deepEqual(await page.evaluate(LOOSE), [], `${where}: text that is not isolated`)
  assert.deepEqual(await page.evaluate(OVERFLOWING), [], `${where}: the layout holds`)
  for (const { tag, to, rel, target } of await page.evaluate<Found[]>(LINKS)) {
    const own = /^(\/(?!\/)|#)/.test(to)
    const outside =
      /^https?:\/\//.test(to) && tag === 'A' && /noopener.*noreferrer.*nofollow/.test(rel) && target === '_blank'
    assert.equal(own || outside, true, `${where}: a link to ${to}`)
  }
  assert.deepEqual(images, [], `${where}: a picture was loaded`)
  assert.deepEqual(problems, [], where)
}

test(
  'texts, links and pictures of strangers are shown as text: nothing runs, nothing is loaded',
  inBrowser,
  async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'hostile-'))
    t.after(() => rmSync(dir, { recursive: true, force: true }))
    const capture = join(dir, 'hostile.capture')
    await writeHostileMarket(capture)
    const site = await startSite(t, { source: `capture:${capture}?speed=0` })
    await eventually('all launches are listed', async () => {
      const listed = (await site.get('/v1/tokens/new')).data as TokenCard[]
      return listed.length === LAUNCHES.length
    })
    const browser = await launch(t)
    for (const [name, device] of [
      ['desktop', {}],
      ['phone', PHONE],
    ] as const) {
      const seen = await visit(browser, site.url, device)
      const { page } = seen
      const open = async (path: string, text: string) => {
        await page.goto(site.url + path)
        await page.getByText(plainLine(text, 500), { exact: true }).filter({ visible: true }).first().waitFor()
        await assertHarmless(seen, `${name} ${path}`)
      }
      await open('/', LAUNCHES[0]!.symbol)
      for (const [number, { name: text }] of LAUNCHES.entries()) {
        await open(`/token/${mintAddress(number)}`, text)
        // a name of a wallet is text too
        await page.getByText(plainLine(WALLET_NAME, 500)).filter({ visible: true }).first().waitFor()
        for (const folded of await page.locator('main details > summary').all()) await folded.click()
        await assertHarmless(seen, `${name}, unfolded ${number}`)
      }
      await open(`/trader/${namedAddress}`, WALLET_NAME)
      await open(`/deployer/${deployerAddress}`, LAUNCHES[0]!.symbol)
      // what is found is written by strangers too
      await page.getByRole('combobox').fill('<script')
      await page.getByRole('option').first().waitFor()
      await assertHarmless(seen, `${name}, found`)
      await page.context().close()
    }
  },
)

test(
  'the red team’s texts are seen whole: nothing in them is invisible, and nothing is obeyed',
  inBrowser,
  async (t) => {
    const dir = mkdtempSync(join(tmpdir(), 'red-team-'))
    t.after(() => rmSync(dir, { recursive: true, force: true }))
    const capture = join(dir, 'red-team.capture')
    await writeHostileMarket(capture, RED_TEAM, RED_NAME)
    const site = await startSite(t, { source: `capture:${capture}?speed=0` })
    const seen = await visit(await launch(t), site.url)
    const { page } = seen
    const tokens = RED_TEAM.map((_, launch) => `/token/${mintAddress(launch)}`)
    for (const path of [...tokens, `/trader/${namedAddress}`, `/deployer/${deployerAddress}`]) {
      await page.goto(site.url + path)
      const words = page.getByText(path.startsWith('/trader') ? WALLET_CANARY : CANARY)
      await words.filter({ visible: true }).first().waitFor()
      const texts = await page.evaluate<string[]>(
        `[document.title, document.body.innerText, ...[...document.querySelectorAll('[title], [aria-label]')].flatMap((one) => [one.getAttribute('title') ?? '', one.ariaLabel ?? ''])]`,
      )
      for (const text of texts)
        assert.equal(unseenIn(text.replace(/[\n\t\u00a0]/g, ' ')), null, `${path}: ${JSON.stringify(text)}`)
      await assertHarmless(seen, path)
    }
  },
)

test('an address of the page that is not one is only text', inBrowser, async (t) => {
  const site = await startSite(t, { source: 'simulator:seed=1&tps=5&warmup=300' })
  const browser = await launch(t)
  const seen = await visit(browser, site.url)
  const script = encodeURIComponent(`"><script>window.${RAN}=1</script>`)
  for (const path of [`/?tab=${script}&q=${script}&text=${script}`, `/guide#${script}`, `/status?${script}`]) {
    await seen.page.goto(site.url + path)
    await seen.page.locator('main h1').first().waitFor({ state: 'attached' })
    await assertHarmless(seen, path)
  }
})
