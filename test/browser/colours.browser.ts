import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Check, Who } from '@ti/core/contract/who.ts'
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { theStillMarket } from './market.ts'
import { readTopic } from './read-topic.ts'
import type { Site } from './site.ts'
import { visit } from './visit.ts'

/** A token has one colour, wherever it is shown. All is read at one slot, the last of a market that stands still. */

/** tokens of each colour that are opened in the browser */
const EACH = 2

interface Changed {
  readonly mint: string
  readonly slot: number
  readonly colour: string
  readonly before: string
}

/** Colour of each card on the board, by its mint. */
const CARDS = `Object.fromEntries([...document.querySelectorAll('[data-card][data-verdict]')]
  .map((card) => [card.dataset.card, card.dataset.verdict]))`
/** Colours of the page's head and of its first sentence. */
const COLOURED = `[...document.querySelectorAll('main header[data-rating], #verdict p[data-rating]')].map(({ dataset }) => dataset.rating)`
/** Colours in the order in which the story tells of them. */
const TURNS = `[...document.querySelectorAll('#story li')].flatMap(({ textContent }) => / turns (\\w+)/.exec(textContent)?.[1] ?? [])`
/** Colours of the picture that is shared, as its left edge has them. */
const EDGES = { '62d18c': 'green', e7bd5a: 'yellow', ff938a: 'red', '9aa5b5': 'neutral', '2a333e': 'neutral' } as const
const edgeOf = (path: string): string => `fetch(${JSON.stringify(path)})
  .then((answer) => answer.blob()).then(createImageBitmap).then((picture) => {
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
    canvas.drawImage(picture, 0, 0)
    return [...canvas.getImageData(8, picture.height / 2, 1, 1).data].slice(0, 3).map((value) => value.toString(16).padStart(2, '0')).join('')
  })`

/** The page as it is served to the `n`th reader, each of another network: one gets 120 previews a minute. */
const served = async (site: Site, mint: string, n = 0): Promise<string> => {
  const headers = { accept: 'text/html', 'x-forwarded-for': `10.${n >> 8}.${n & 255}.1` }
  return (await fetch(`${site.url}/token/${mint}`, { headers })).text()
}

/** Every token that was launched, with each change of its colour as alerts and streams are told of it. */
async function changesOf(site: Site): Promise<Map<string, Changed[]>> {
  const changes = new Map<string, Changed[]>()
  for (const { type, data } of await readTopic(site, 'tokens:live')) {
    const { mint } = data as { mint: string }
    const known = changes.get(mint) ?? []
    changes.set(mint, type === 'verdict_changed' ? [...known, data as Changed] : known)
  }
  return changes
}

test(
  'every token of a market has one colour: of check, who, its alerts, its preview and its page',
  inBrowser,
  async (t) => {
    const { site } = await theStillMarket()
    const changes = await changesOf(site)
    const keys = [site.key, await site.anotherKey(), await site.anotherKey()]
    const counts = new Map<string, number>()
    const wrong: string[] = []
    let n = 0
    for (const [mint, told] of changes) {
      const by = keys[n++ % keys.length]
      const { colour } = (await site.get(`/v1/tokens/${mint}/check`, by)).data as Check
      const { verdict } = (await site.get(`/v1/tokens/${mint}/who`, by)).data as Who
      const html = await served(site, mint, n)
      const all = {
        ...{ check: colour, who: verdict.colour, history: verdict.history.at(-1)?.colour ?? 'neutral' },
        alerts: told.at(-1)?.colour ?? 'neutral',
        preview: /property="og:title" content="(Red|Yellow|Green|No verdict)/
          .exec(html)?.[1]
          ?.toLowerCase()
          .replace('no verdict', 'neutral'),
        words: /"colour":"(\w+)"/.exec(html)?.[1],
      }
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
      if (new Set(Object.values(all)).size > 1) wrong.push(`${mint}: ${JSON.stringify(all)}`)
      const history = verdict.history.map(({ slot, colour }) => `${slot} ${colour}`)
      const alerts = told.map(({ slot, colour }) => `${slot} ${colour}`).slice(-history.length || told.length)
      if (history.join() !== alerts.join()) wrong.push(`${mint}: ${history} on its page, ${alerts} in alerts`)
    }
    t.diagnostic(`${changes.size} tokens: ${[...counts].map(([colour, count]) => `${count} ${colour}`).join(', ')}`)
    assert.ok(changes.size >= 400 && counts.size === 4, `${changes.size} tokens of ${[...counts.keys()]}`)
    assert.deepEqual(wrong, [])
  },
)

test(
  'in the browser: card, page, search and picture have it, and the story tells of each change',
  inBrowser,
  async (t) => {
    const { site, browser } = await theStillMarket()
    const { page, problems } = await visit(browser, site.url)
    await page.goto(`${site.url}/`)
    const cardsOf = () => page.evaluate<Readonly<Record<string, string>>>(CARDS)
    await eventually('cards have their colours', async () => Object.keys(await cardsOf()).length >= 5)
    const cards = await cardsOf()
    const byColour = new Map<string, string[]>()
    for (const [mint, colour] of Object.entries(cards)) {
      assert.equal(((await site.get(`/v1/tokens/${mint}/check`)).data as Check).colour, colour, mint)
      byColour.set(colour, [...(byColour.get(colour) ?? []), mint])
    }
    // the lists leave out what is dumped
    for (const [mint, told] of await changesOf(site)) {
      const colour = told.at(-1)?.colour ?? 'neutral'
      if ((byColour.get(colour)?.length ?? 0) < EACH) byColour.set(colour, [...(byColour.get(colour) ?? []), mint])
    }
    t.diagnostic(`${Object.keys(cards).length} cards; ${[...byColour.keys()]}`)
    assert.equal(byColour.size, 4)
    for (const [colour, mints] of byColour)
      for (const mint of mints.slice(0, EACH)) await assertPage(page, site, mint, colour)
    assert.deepEqual(problems, [])
  },
)

async function assertPage(page: Page, site: Site, mint: string, colour: string): Promise<void> {
  await page.goto(`${site.url}/token/${mint}`)
  await page.locator('#story li').first().waitFor()
  const found = await page.evaluate<string>(
    `fetch('/app/search?q=${mint}').then((answer) => answer.json()).then(({ data }) => data.tokens[0].colour)`,
  )
  const [, picture = ''] = /property="og:image" content="([^"]+)"/.exec(await served(site, mint)) ?? []
  const path = new URL(picture, site.url).pathname
  const edge = await page.evaluate<string>(edgeOf(path))
  assert.deepEqual(
    { page: await page.evaluate(COLOURED), search: found, picture: EDGES[edge as keyof typeof EDGES] ?? edge },
    { page: [colour, colour], search: colour, picture: colour },
    mint,
  )
  const more = page.locator('#story').getByRole('button', { name: /more$/ })
  if (await more.isVisible()) await more.click()
  const { verdict } = (await site.get(`/v1/tokens/${mint}/who`)).data as Who
  assert.deepEqual(
    await page.evaluate(TURNS),
    verdict.history.map((change) => change.colour),
    `${mint}: every change of colour is told`,
  )
}
