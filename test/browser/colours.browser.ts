import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Check, Who } from '@ti/core/contract/who.ts'
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser } from './chromium.ts'
import { theMarket } from './market.ts'
import { visit } from './visit.ts'

/** Tokens of the board whose colours are compared; their pages are opened, one of each colour. */
const TOKENS = 12

/** Colour of each card on the board, by its mint. */
const CARDS = `Object.fromEntries([...document.querySelectorAll('[data-card][data-verdict]')]
  .map((card) => [card.getAttribute('href').split('/').at(-1), card.dataset.verdict]))`
/** Colours of the page's head and of its first sentence. */
const COLOURED = `[...document.querySelectorAll('main header[data-rating], #verdict p[data-rating]')].map(({ dataset }) => dataset.rating)`

const cardsOf = (page: Page) => page.evaluate<Readonly<Record<string, string>>>(CARDS)

test(
  'a token has one colour: on its card, its page, its preview, in the search, of who and of check',
  inBrowser,
  async (t) => {
    const { site, browser, found } = await theMarket()
    const { page, problems } = await visit(browser, site.url)
    await page.goto(`${site.url}/`)
    await eventually('cards have their colours', async () => Object.keys(await cardsOf(page)).length >= 5)
    const mints = [found.token, ...Object.keys(await cardsOf(page))].slice(0, TOKENS)

    /** What each face says at about the same time. */
    async function said(mint: string): Promise<Readonly<Record<string, string | undefined>>> {
      const { colour } = (await site.get(`/v1/tokens/${mint}/check`)).data as Check
      const { verdict } = (await site.get(`/v1/tokens/${mint}/who`)).data as Who
      const served = await (await fetch(`${site.url}/token/${mint}`, { headers: { accept: 'text/html' } })).text()
      const search = await page.evaluate<string>(
        `fetch('/app/search?q=${mint}').then((answer) => answer.json()).then(({ data }) => data.tokens[0].colour)`,
      )
      const card = (await cardsOf(page))[mint]
      return {
        ...{ check: colour, who: verdict.colour, search },
        ...(card === undefined ? {} : { card }),
        preview: /content="(RED|YELLOW|GREEN|NEUTRAL): /.exec(served)?.[1]?.toLowerCase(),
        words: /"colour":"(\w+)"/.exec(served)?.[1],
      }
    }

    const colours = new Map<string, string>()
    for (const mint of mints) {
      let last = {}
      // a colour that changes meanwhile is the same everywhere a moment later
      await eventually(
        `${mint} has one colour`,
        async () => {
          const all = await said(mint)
          last = all
          colours.set(all.who!, mint)
          return new Set(Object.values(all)).size === 1
        },
        { seen: () => JSON.stringify(last) },
      )
    }
    t.diagnostic(`${mints.length} tokens: ${[...colours.keys()].join(', ')}`)
    assert.ok(colours.size >= 2, `tokens of one colour only: ${[...colours.keys()]}`)

    for (const mint of colours.values()) {
      await page.goto(`${site.url}/token/${mint}`)
      await page.locator('#details table tbody tr').first().waitFor()
      await eventually(`the page of ${mint} has one colour`, async () => {
        const { verdict } = (await site.get(`/v1/tokens/${mint}/who`)).data as Who
        const seen = await page.evaluate<string[]>(COLOURED)
        return seen.length >= 2 && seen.every((colour) => colour === verdict.colour)
      })
    }
    assert.deepEqual(problems, [])
  },
)
