import assert from 'node:assert/strict'
import type { TokenCard, TokenSnapshot, Trade } from '@ti/core/contract/resources.ts'
import type { Browser } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import type { Site } from './site.ts'
import { type Done, type Ended, type Found, runEach, type Task } from './task-run.ts'

/** The last commit before the page was made anew: the ten tasks as somebody who knew that page would have done them. */
export const BEFORE = 'f605eb2'

const [BOARD, TOKEN] = ['board', 'token'] as const

/** the card with the best score of those that the filters leave; null where none has one */
const BEST = `(() => {
  const score = (card) => Number(/quality score ([\\d.]+)/.exec(card.querySelector('[title^="quality score"]').title)[1])
  const rated = (card) => card.querySelector('[title^="quality score"]').dataset.rating !== 'neutral'
  const cards = [...document.querySelectorAll('[data-column="new"] [data-card]:not([data-gone])')].filter(rated)
  return cards.sort((a, b) => score(b) - score(a))[0]?.dataset.card ?? null
})()`

/** The first group of the token, open. */
async function openGroup({ page, click }: Parameters<Task['run']>[0]) {
  const group = page.locator('#bundles details').first()
  await click(group.locator('summary'))
  return group
}

const NO_WALLET = 'No wallet that can sign in was found in this browser.'

/** Signing in ends here without an extension, and there is no other button that begins an account. */
const withoutExtension: Task['run'] = async ({ page, see, click }) => {
  await click(page.getByRole('link', { name: 'Account' }))
  await see(page.getByText(NO_WALLET))
  const buttons = await page.locator('main').getByRole('button').allInnerTexts()
  assert.deepEqual(
    buttons.filter((name) => name.trim() !== ''),
    ['Load the page again'],
  )
  assert.equal(await page.getByRole('button', { name: /demo|key$|pay/i }).count(), 0)
}

const TASKS: readonly Task[] = [
  {
    name: 'the safest token under two minutes old, and why',
    from: BOARD,
    async run({ page, see, click }) {
      await page.locator('[data-column="new"] [data-card]').first().waitFor()
      await page.getByLabel('Age to, min').fill('2')
      await page
        .getByText(/^\d+ of \d+ tokens$/)
        .first()
        .waitFor()
      const best = await page.evaluate<string | null>(BEST)
      assert.notEqual(best, null)
      await click(page.locator(`[data-column="new"] [data-card="${best}"]`))
      const why = page.getByRole('region', { name: 'Ratings' }).getByRole('listitem')
      await see(why.last())
      assert.equal(await why.count(), 10)
    },
  },
  {
    name: 'who is behind a red token, and the transactions that prove it',
    from: TOKEN,
    missing: 'the evidence of a group named slots, no transactions',
    async run(hand) {
      const { see } = hand
      const group = await openGroup(hand)
      await see(group.getByRole('heading', { name: 'Evidence' }))
      const evidence = group.locator('dl').first()
      await see(evidence)
      assert.match(await evidence.innerText(), /slot [\d,]+/)
      assert.ok((await group.getByRole('button', { name: 'Copy wallet' }).count()) > 1)
      assert.equal(await group.getByRole('button', { name: 'Copy signature' }).count(), 0)
    },
  },
  {
    name: 'the deployer',
    from: TOKEN,
    async run({ page, see, click }) {
      await click(page.locator('main header a[href^="/deployer/"]').first())
      const record = page.getByRole('region', { name: 'Record' })
      await see(record)
      assert.match(await record.innerText(), /Launched/)
    },
  },
  {
    name: 'the last tokens of the crew',
    from: TOKEN,
    missing: 'a group had no page, only each of its wallets had one',
    async run(hand) {
      const { see } = hand
      const group = await openGroup(hand)
      await see(group.getByRole('listitem').first())
      const links = group.getByRole('link')
      const kinds = await Promise.all(
        (await links.all()).map(async (link) => (await link.getAttribute('href'))!.split('/')[1]),
      )
      assert.deepEqual([...new Set(kinds)], ['trader'])
    },
  },
  {
    name: 'the result of a wallet',
    from: BOARD,
    async run({ page, see, click }, { trader }) {
      await page.getByRole('combobox', { name: 'Search' }).fill(trader)
      await click(page.getByRole('listbox').getByRole('option').first())
      await see(page.getByText('Lifetime profit', { exact: true }))
    },
  },
  {
    name: 'an API key, without a wallet extension',
    from: BOARD,
    missing: 'no account without a wallet extension',
    run: withoutExtension,
  },
  {
    name: 'Pro in the sandbox, without a wallet extension',
    from: BOARD,
    missing: 'no account without a wallet extension, and no wallet with play money',
    run: withoutExtension,
  },
  {
    name: 'how the score is computed',
    from: TOKEN,
    async run({ page, see }) {
      await see(page.getByRole('table', { name: 'Contributions to the score' }).getByText('the sum of all above'))
    },
  },
  {
    name: 'share',
    from: TOKEN,
    missing: 'no button; the address was to be copied from the browser’s own bar',
    async run({ page }, { red }) {
      await page.getByRole('region', { name: 'Trades' }).getByRole('table').waitFor()
      assert.equal(await page.getByRole('button', { name: /share|link|address/i }).count(), 0)
      assert.equal(new URL(page.url()).pathname, `/token/${red}`)
    },
  },
  {
    name: 'export',
    from: TOKEN,
    missing: 'nothing to download',
    async run({ page, see }) {
      const trades = page.getByRole('region', { name: 'Trades', exact: true })
      // beside these is what can be done with the list
      await see(trades.getByRole('group', { name: 'Which trades' }))
      await trades.getByRole('row').nth(1).waitFor()
      const ways = page.getByRole('button', { name: /csv|json|export|download/i })
      assert.equal((await ways.count()) + (await page.locator('a[download]').count()), 0)
    },
  },
]

/** A red token that names its deployer and has a confirmed group, and a wallet that trades. */
async function people(site: Site): Promise<Found> {
  let found: Found | null = null
  await eventually('a red token has a group', async () => {
    for (const list of ['graduated', 'pumps', 'new'])
      for (const { mint, ratings } of (await site.get(`/v1/tokens/${list}`)).data as TokenCard[]) {
        if (ratings.score !== 'red') continue
        const { meta, bundles } = (await site.get(`/v1/tokens/${mint}`)).data as TokenSnapshot
        if (meta.deployer === null || bundles.count === 0) continue
        const trades = (await site.get(`/v1/tokens/${mint}/trades`)).data as Trade[]
        const known = trades.find(({ user_name }) => user_name !== null) ?? trades[0]
        if (known === undefined) continue
        found = { site, red: mint, trader: known.user_address }
        return true
      }
    return false
  })
  return found!
}

export const runTasksBefore = async (site: Site, browser: Browser, ended?: Ended): Promise<Done[]> =>
  runEach(TASKS, await people(site), browser, ended)
