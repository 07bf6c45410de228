import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subscribeInSandbox } from '@ti/sandbox/demo/subscribe.ts'
import type { Page } from 'playwright-core'
import { encode } from 'uqr'
import { eventually } from '../support/wait.ts'
import { inBrowser, launch } from './chromium.ts'
import { KEPT, SQUARES } from './in-page.ts'
import { startSite } from './site.ts'
import { visit } from './visit.ts'
import { signIn, walletScript } from './wallet.ts'

const SOL = 1_000_000_000n
/** The account needs little of a market. */
const SMALL = { source: 'simulator:seed=1&tps=5&warmup=300' }

/** Nothing that opens anything is where scripts or the next user of the browser could read it. */
async function assertNothingKept(page: Page): Promise<void> {
  assert.deepEqual(JSON.parse(await page.evaluate<string>(KEPT)), { local: {}, session: {}, cookie: '' })
}

test(
  'a wallet signs in, makes a key, subscribes in parts, is Pro, revokes the key and leaves',
  inBrowser,
  async (t) => {
    const site = await startSite(t, SMALL)
    const browser = await launch(t)
    const { page, problems } = await visit(browser, site.url, { before: walletScript() })
    await page.goto(`${site.url}/account`)
    await signIn(page)
    await page.getByText('not subscribed').waitFor()

    // the key stands there once
    await page.getByLabel('Name of a new key').fill('first bot')
    const asked = page.waitForRequest((sent) => sent.method() === 'POST' && sent.url().endsWith('/account/keys'))
    await page.getByRole('button', { name: 'Make a key' }).click()
    const { work } = (await asked).postDataJSON() as { work: { counters: number[] } }
    assert.equal(work.counters.length, 16, 'the page has done what the key costs')
    const made = page.getByRole('region', { name: /Your new key/ })
    const key = (await made.locator('code').first().textContent())!
    assert.match(key, /^sk_(?:live|test)_[\w-]{43}$/)
    assert.match((await made.locator('code').nth(1).textContent())!, new RegExp(`^curl .*${key}`))
    await assertNothingKept(page)
    const call = () => fetch(`${site.url}/v1/tokens/new`, { headers: { authorization: `Bearer ${key}` } })
    const first = await call()
    assert.deepEqual([first.status, first.headers.get('x-ratelimit-limit')], [200, '5'])
    await made.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('table', { name: 'Keys in use' }).getByText('first bot').waitFor()
    await page.reload()
    await page.getByRole('table', { name: 'Keys in use' }).getByText('first bot').waitFor()
    assert.doesNotMatch(await page.content(), /sk_(?:live|test)_[\w-]{43}/, 'the key is not shown again')

    // paid in parts: the page counts what has come, and asks for the rest
    await page.getByRole('button', { name: 'Show how to pay' }).click()
    await page.getByText('nothing has arrived yet').waitFor()
    const part = async (name: string) => (await page.locator(`dt:text-is("${name}") + dd code`).textContent())!
    const reference = await part('Reference')
    const pay = (lamports: bigint) => subscribeInSandbox({ url: site.url, reference, lamports, print: () => {} })
    assert.equal(await part('Amount'), '1 SOL')
    await pay(SOL / 4n)
    await page.getByText('0.25 SOL has arrived, 0.75 SOL is missing').first().waitFor({ timeout: 90_000 })
    assert.equal(await part('Amount'), '0.75 SOL')
    await pay(SOL - SOL / 4n)
    await page.getByText('Pro for 30 days').first().waitFor({ timeout: 90_000 })
    await page.locator('dt:text-is("Plan") + dd:has-text("Pro")').waitFor()
    await page.getByText('600 a minute').waitFor()
    await eventually('the key is a Pro key', async () => (await call()).headers.get('x-ratelimit-limit') === '600')

    // ended, and over
    await page.getByRole('button', { name: 'Revoke first bot' }).click()
    await page.getByRole('button', { name: 'Really revoke? first bot' }).click()
    await page.getByText('1 ended key').waitFor()
    await eventually('the key is refused', async () => (await call()).status === 402)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: /^Test Wallet/ }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: /^Test Wallet/ }).waitFor()
    await assertNothingKept(page)
    assert.deepEqual(problems, [])
  },
)

test(
  'who declines to sign is told so and may try again; a wallet that signs in by itself is taken too',
  inBrowser,
  async (t) => {
    const site = await startSite(t, SMALL)
    const browser = await launch(t)
    const declining = walletScript({ behaviour: 'decline' })
    const { page, problems } = await visit(browser, site.url, { before: declining })
    await page.goto(`${site.url}/account`)
    await page.getByRole('button', { name: /^Test Wallet/ }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('button', { name: /^Test Wallet/ }).waitFor()
    assert.deepEqual(problems, [])

    const willing = walletScript({ signIn: 'same text' })
    const second = await visit(browser, site.url, { before: willing })
    await second.page.goto(`${site.url}/account`)
    await signIn(second.page)
    const address = await second.page.evaluate<string>('__testWallet.address')
    assert.equal(await second.page.locator(`a[title="${address}"]`).count(), 1)
    assert.deepEqual(second.problems, [])
  },
)

test('where money is real the request is a code that a wallet scans, and a link', inBrowser, async (t) => {
  const site = await startSite(t, SMALL)
  const browser = await launch(t)
  const { page, problems } = await visit(browser, site.url, { before: walletScript() })
  // the service plays with money, but this page is told that it does not: nothing is paid here
  await page.route('**/app/session', async (route) => {
    const answer = await route.fetch()
    const { data } = (await answer.json()) as { data: object }
    await route.fulfill({ response: answer, json: { data: { ...data, sandbox: false } } })
  })
  await page.goto(`${site.url}/account`)
  await signIn(page)
  await page.getByRole('button', { name: 'Show how to pay' }).click()
  await page.getByRole('img', { name: 'Solana Pay code for 1 SOL' }).waitFor()
  const link = (await page.getByRole('link', { name: 'Open in a wallet' }).getAttribute('href'))!
  const asked = new URL(link)
  const part = async (name: string) => (await page.locator(`dt:text-is("${name}") + dd code`).textContent())!
  assert.deepEqual(
    [asked.protocol, asked.pathname, asked.searchParams.get('amount')],
    ['solana:', await part('To'), '1'],
  )
  assert.equal(asked.searchParams.get('reference'), await part('Reference'))
  const expected = encode(link, { ecc: 'M', border: 4 }).data
  assert.deepEqual(await page.evaluate<boolean[][]>(SQUARES), expected, 'the code says the link')
  assert.deepEqual(problems, [])
})
