import assert from 'node:assert/strict'
import type { Who } from '@ti/core/contract/who.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import type { Interesting } from './places.ts'
import type { Site } from './site.ts'
import { type Done, type Ended, type Found, runEach, type Task } from './task-run.ts'

/** at most for each task */
export const CLICKS_MAX = 3
const YOUNG_MS = 120_000
/** milliseconds until a payment is final, seen by the service and shown */
const FINAL_MS = 120_000

/** a card's mint and its launch, Unix milliseconds */
type Launch = readonly [mint: string, at: number]
/** those of the column of new tokens, newest first */
const LAUNCHES = `[...document.querySelectorAll('[data-column="new"] [data-card]')].map((card) =>
  [card.dataset.card, Date.parse(card.querySelector('time').dateTime)])`

const board = (): string => '/'
const token = ({ people }: Found): string => `/token/${people.token}`

const tab = (page: Page, name: string): Locator => page.getByRole('main').getByRole('tab', { name, exact: true })
const cardsOf = (page: Page, column: string): Locator => page.locator(`[data-column="${column}"] [data-card]`)
const search = (page: Page): Locator => page.getByRole('combobox', { name: 'Search' })

const TASKS: readonly Task[] = [
  {
    name: 'the safest token under two minutes old, and why',
    from: board,
    async run({ page, see, click }) {
      await cardsOf(page, 'new').first().waitFor()
      const [[, newest]] = await page.evaluate<[Launch, ...Launch[]]>(LAUNCHES)
      await click(page.getByRole('button', { name: /^Cleanest/ }))
      await page
        .getByText(/\d of \d+ shown/)
        .first()
        .waitFor()
      const clean = await page.evaluate<Launch[]>(LAUNCHES)
      const [mint] = clean.find(([, at]) => newest - at < YOUNG_MS) ?? []
      await click(page.locator(`[data-column="new"] [data-card="${mint}"]`))
      const why = page.getByRole('region', { name: 'Verdict' }).getByRole('paragraph').first()
      await see(why)
      assert.notEqual((await why.innerText()).trim(), '')
    },
  },
  {
    name: 'who is behind a red token, and the transactions that prove it',
    from: token,
    async run({ page, see, click }) {
      await click(tab(page, 'Evidence'))
      const group = page.locator('#groups details').first()
      await click(group.locator('summary'))
      const transaction = page.getByRole('button', { name: 'Copy signature' })
      await see(group.getByRole('listitem').filter({ has: transaction }).first())
    },
  },
  {
    name: 'the deployer',
    from: token,
    async run({ page, see }) {
      const story = page.getByRole('region', { name: 'Story' })
      await see(
        story
          .getByRole('listitem')
          .filter({ hasText: /earlier launch|first launch/ })
          .first(),
      )
    },
  },
  {
    name: 'the last tokens of the crew',
    from: token,
    async run({ page, see, click }) {
      await click(page.getByRole('region', { name: 'Verdict' }).locator('a[href^="/actor/"]').first())
      await page.waitForURL('**/actor/**')
      await see(page.getByRole('region', { name: 'Tokens of this crew' }).locator('a[href^="/token/"]').first())
    },
  },
  {
    name: 'the result of a wallet',
    from: board,
    async run({ page, see, click }, { people }) {
      await search(page).fill(people.trader)
      await click(page.getByRole('listbox').getByRole('option').first())
      await see(page.getByText('Lifetime profit', { exact: true }))
    },
  },
  {
    name: 'an API key, without a wallet extension',
    from: board,
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
    from: board,
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
    from: token,
    async run({ page, see, click }) {
      await click(tab(page, 'Score'))
      await click(page.getByRole('button', { name: 'Exact sum' }))
      await page.getByText('add up to the score to the last digit').waitFor()
      await see(page.getByRole('table', { name: 'Contributions to the score' }).getByRole('row').last())
    },
  },
  {
    name: 'share',
    from: token,
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
    from: token,
    async run({ page, click }) {
      await click(tab(page, 'Trades'))
      const file = page.waitForEvent('download')
      await click(page.getByRole('tabpanel').getByRole('button', { name: 'Download CSV' }))
      assert.match((await file).suggestedFilename(), /^trades-.*\.csv$/)
    },
  },
  {
    name: 'is this a farm’s next launch',
    from: board,
    async run({ page, see, click }, { site }) {
      const card = await farmed(page, site)
      const record = /launch|rug|drain|again/
      if (record.test(await card.innerText())) return see(card)
      await click(card)
      await see(
        page
          .getByRole('region', { name: /^(Verdict|Story)$/ })
          .filter({ hasText: record })
          .first(),
      )
    },
  },
  {
    name: 'which of three tokens would I not touch',
    from: board,
    async run({ page, see }) {
      const cards = cardsOf(page, 'new')
      await see(cards.nth(2))
      for (const text of (await cards.allInnerTexts()).slice(0, 3)) assert.match(text, /\p{L}{3,}.*\p{L}{3,}/su)
      assert.equal(await cards.and(page.locator('[data-verdict]')).count(), await cards.count())
    },
  },
  {
    name: 'what did the insiders take',
    from: token,
    async run({ page, see }) {
      const money = page.getByRole('region', { name: 'Who took what' })
      const row = money.getByRole('row', { name: /^(Launcher|Deployer)/ })
      await see(row)
      await money.getByRole('columnheader', { name: /^Result/ }).waitFor()
      assert.match(await row.getByRole('cell').last().innerText(), /^[+−]?[\d.]+/)
    },
  },
  {
    name: 'only near graduation, launcher under 3%',
    from: board,
    async run({ page, see, click }) {
      await click(page.getByRole('button', { name: /Near graduation, dev ≤ 3%/ }))
      const near = page.locator('[data-column="near"]')
      const none = near.getByText('passes your filters')
      await see(
        near
          .locator('[data-card]')
          .or(none)
          .or(page.getByText('passes your filters'))
          .filter({ visible: true })
          .first(),
      )
    },
  },
  {
    name: 'who is this wallet, and who trades right after it',
    from: board,
    async run({ page, see, click }, { people }) {
      await search(page).fill(people.trader)
      await click(page.getByRole('listbox').getByRole('option').first())
      const after = page.getByText(/bought within \d+ s after it/).first()
      await see(after)
    },
  },
  {
    name: 'when did the group sell',
    from: token,
    async run({ page, see }) {
      const line = page
        .getByRole('region', { name: 'Story' })
        .getByRole('listitem')
        .filter({ hasText: /(?:group|crew) .*sells?\b/i })
      await see(line.first())
      assert.match(await line.first().innerText(), /\d{1,2}:\d{2}/)
    },
  },
  {
    name: 'be told when this launcher launches again',
    from: token,
    async run({ page, see, click }) {
      const tell = page.getByRole('button', { name: /launches again/ })
      await click(tell)
      await click(page.getByRole('button', { name: 'Start with a demo wallet' }))
      await page.waitForURL('**/token/**')
      await see(page.locator('button[data-on]').filter({ hasText: /launches again/ }))
    },
  },
  {
    name: 'find by a pasted link, of six sites',
    from: board,
    async run({ page, click }, { people: { token } }) {
      const option = page.getByRole('listbox').getByRole('option')
      for (const link of LINKS(token)) {
        await search(page).fill(link)
        await eventually(`${link} is found`, async () => (await option.count()) > 0)
        await search(page).fill('')
        await eventually('the list is closed', async () => !(await option.first().isVisible()))
      }
      await search(page).fill(LINKS(token)[0]!)
      await click(option.first())
      await page.waitForURL(`**/token/${token}`)
    },
  },
  {
    name: 'what was known five minutes ago',
    from: token,
    async run({ page, see, clicked }) {
      const slider = page.getByRole('slider', { name: 'Time' })
      await see(slider)
      await eventually('the chart has begun', async () => Number(await slider.getAttribute('max')) > 1e9)
      const [min, max] = [Number(await slider.getAttribute('min')), Number(await slider.getAttribute('max'))]
      const { width, height } = (await slider.boundingBox())!
      const x = Math.max(1, (width * (max - 300 - min)) / (max - min))
      await slider.click({ position: { x, y: height / 2 } })
      clicked()
      const then = page.getByRole('region', { name: 'Verdict' }).getByRole('paragraph')
      await see(then.filter({ hasText: /(?:At|The verdict of) \d/ }).first())
    },
  },
  {
    name: 'what is hidden, and why',
    from: board,
    async run({ page, see, click }) {
      const column = page.locator('[data-column="new"]')
      await click(column.getByRole('button', { name: /hidden/ }))
      await column.getByText(/\d hidden$/).waitFor()
      await see(column.locator('[data-card]').first())
    },
  },
]

const LINKS = (mint: string): readonly string[] => [
  `https://pump.fun/coin/${mint}`,
  `https://solscan.io/token/${mint}`,
  `https://dexscreener.com/solana/${mint}`,
  `https://birdeye.so/token/${mint}?chain=solana`,
  `https://gmgn.ai/sol/token/${mint}`,
  `https://axiom.trade/t/${mint}`,
]

/** A card in sight whose deployer or crew has launched before and drained at least two. */
async function farmed(page: Page, site: Site): Promise<Locator> {
  await page.locator('[data-card]').filter({ visible: true }).first().waitFor()
  const mints = await page.evaluate<string[]>(
    `[...document.querySelectorAll('[data-card]')].filter((card) => card.checkVisibility()).map((card) => card.dataset.card)`,
  )
  for (const mint of mints) {
    const { actors, deployer } = (await site.get(`/v1/tokens/${mint}/who`)).data as Who
    const taken = (deployer?.all?.drained ?? 0) + (deployer?.all?.rugged ?? 0)
    if (actors.length > 0 || taken >= 2) return page.locator(`[data-card="${mint}"]`).filter({ visible: true }).first()
  }
  throw new Error('no card of a farm is in sight')
}

export const runTasks = (site: Site, people: Interesting, browser: Browser, ended?: Ended): Promise<Done[]> =>
  runEach({ tasks: TASKS, found: { site, people }, browser, ...(ended && { ended }) })
