import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import type { Interesting } from './places.ts'
import type { Site } from './site.ts'
import { type Done, type Ended, runEach, type Task } from './task-run.ts'

/** at most for each task */
export const CLICKS_MAX = 3
const YOUNG_MS = 120_000
/** milliseconds until a payment is final, seen by the service and shown */
const FINAL_MS = 120_000

const [BOARD, TOKEN] = ['board', 'token'] as const

const TASKS: readonly Task[] = [
  {
    name: 'the safest token under two minutes old, and why',
    from: BOARD,
    async run({ page, see, click, clicked }) {
      await page.locator('[data-column="new"] [data-card]').first().waitFor()
      await click(page.getByRole('button', { name: 'Cleanest', exact: true }))
      const young = `[...document.querySelectorAll('[data-column="new"] [data-card]')].find((card) =>
        Date.now() - Date.parse(card.querySelector('time')?.dateTime ?? 0) < ${YOUNG_MS})?.dataset.card ?? null`
      // a card that leaves the column while it is pointed at is none to click: the next one is
      await eventually('a clean young token opens', async () => {
        const id = await page.evaluate<string | null>(young)
        if (id === null) return false
        const card = page.locator(`[data-column="new"] [data-card="${id}"]`)
        return card.click({ timeout: 2_000 }).then(
          () => true,
          () => false,
        )
      })
      clicked()
      const why = page.locator('#verdict p').first()
      await see(why)
      assert.notEqual((await why.innerText()).trim(), '')
    },
  },
  {
    name: 'who is behind a red token, and the transactions that prove it',
    from: TOKEN,
    async run({ page, see, click }) {
      await click(page.getByRole('tab', { name: 'Evidence' }))
      const group = page.locator('#groups details').first()
      await click(group.locator('summary'))
      const evidence = group.getByRole('heading', { name: 'Evidence' }).locator('..')
      const transaction = page.getByRole('button', { name: 'Copy signature' })
      await see(evidence.getByRole('listitem').filter({ has: transaction }).first())
    },
  },
  {
    name: 'the deployer',
    from: TOKEN,
    async run({ page }) {
      const deployer = page.getByRole('region', { name: 'Story' })
      await deployer.getByRole('listitem').first().waitFor()
      assert.match(await deployer.innerText(), /earlier launch|First launch/)
      const { y = 1e9 } = (await deployer.boundingBox()) ?? {}
      assert.ok(y < 900, `the deployer is ${y} px down: on the first screen of a desktop`)
    },
  },
  {
    name: 'the last tokens of the crew',
    from: TOKEN,
    async run({ page, see, click }) {
      await click(page.getByRole('tab', { name: 'Evidence' }))
      await click(
        page.getByRole('region', { name: 'Crews known from other tokens' }).locator('a[href^="/actor/"]').first(),
      )
      await page.waitForURL('**/actor/**')
      await see(page.getByRole('region', { name: 'Tokens of this crew' }).locator('a[href^="/token/"]').first())
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
    async run({ page, see, click }, { site }) {
      await click(page.getByRole('link', { name: 'Account' }))
      await click(page.getByRole('button', { name: 'Start with a demo wallet' }))
      await click(page.getByRole('button', { name: 'Make a key' }))
      const made = page.getByRole('region', { name: /Your new key/ })
      await see(made)
      const [key] = /sk_(?:live|test)_[\w-]{43}/.exec(await made.innerText()) ?? []
      const answer = await fetch(`${site.url}/v1/tokens/new`, { headers: { authorization: `Bearer ${key}` } })
      assert.equal(answer.status, 200)
    },
  },
  {
    name: 'Pro in the sandbox, without a wallet extension',
    from: BOARD,
    async run({ page, see, click }) {
      await click(page.getByRole('link', { name: 'Account' }))
      await click(page.getByRole('button', { name: 'Start with a demo wallet' }))
      await click(page.getByRole('button', { name: 'Pay 1 play SOL' }))
      const paid = page.getByText('Pro for 30 days, paid until').first()
      await paid.waitFor({ timeout: FINAL_MS })
      await see(paid)
    },
  },
  {
    name: 'how the score is computed',
    from: TOKEN,
    async run({ page, see, click }) {
      await click(page.getByRole('tab', { name: 'Score' }))
      await click(page.getByRole('button', { name: 'Exact sum' }))
      await page.getByText('add up to the score to the last digit').waitFor()
      await see(page.getByRole('table', { name: 'Contributions to the score' }).getByText('the sum of all above'))
    },
  },
  {
    name: 'share',
    from: TOKEN,
    async run({ page, click }) {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await click(page.getByRole('button', { name: 'Copy link to this page' }))
      await eventually(
        'the link is copied',
        async () => (await page.evaluate<string>('navigator.clipboard.readText()')) === page.url(),
      )
    },
  },
  {
    name: 'export',
    from: TOKEN,
    async run({ page, click }) {
      await click(page.getByRole('tab', { name: 'Trades' }))
      const file = page.waitForEvent('download')
      await click(page.locator('#trades').getByRole('button', { name: 'Download CSV' }))
      assert.match((await file).suggestedFilename(), /^trades-.*\.csv$/)
    },
  },
]

export const runTasks = (site: Site, found: Interesting, browser: Browser, ended?: Ended): Promise<Done[]> =>
  runEach(TASKS, { site, red: found.token, trader: found.trader }, browser, ended)
