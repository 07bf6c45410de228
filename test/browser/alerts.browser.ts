import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../support/wait.ts'
import { inBrowser, launch } from './chromium.ts'
import { faults } from './faults.ts'
import { startSite } from './site.ts'
import { DESKTOP, PHONE, visit } from './visit.ts'
import { signIn, walletScript } from './wallet.ts'

/** A few tokens are enough; each trades within seconds. */
const SMALL = { source: 'simulator:seed=1&tps=10&warmup=900' }
/** what the service refuses here on purpose */
const REFUSED = /status of (?:400|503)/
const SECRET = 'whsec_b25seSBoZXJlIGFuZCBub3doZXJlIGVsc2U='

const starOf = (page: Page, mint: string, column = 'new') =>
  page.locator(`[data-column="${column}"] li:has([data-card="${mint}"]) button`)

test(
  'a star leads to signing in, then watches; a condition is mended at its place; its alert comes, is counted, listed and read; watches are edited',
  inBrowser,
  async (t) => {
    const site = await startSite(t, SMALL)
    const browser = await launch(t)
    const { page, problems } = await visit(browser, site.url, { before: walletScript(), expected: REFUSED })
    /** alerts that came over the socket */
    let streamed = 0
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/^\["\d+",null,"alerts:mine","alert",/.test(String(payload))) streamed++
      }),
    )
    const cards = page.locator('[data-column="new"] [data-card]')
    const anyMint = async () => (await cards.first().getAttribute('data-card'))!

    // nobody is signed in
    await page.goto(`${site.url}/`)
    const asked = await anyMint()
    await starOf(page, asked).first().click()
    await page.waitForURL(`${site.url}/account?watch=%2F`)
    await page.getByText('Watching needs an account').waitFor()
    await page.getByRole('button', { name: /^Test Wallet/ }).click()
    // the watch is made, and the page is where it was asked
    await page.waitForURL(`${site.url}/`)
    await page.getByRole('button', { name: 'Watching 1' }).click()
    const watched = starOf(page, asked, 'watching').first()
    await watched.click()
    await watched.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Launches' }).click()

    // a refusal is taken back, and said
    await cards.first().waitFor()
    const mint = await anyMint()
    const star = starOf(page, mint).first()
    await page.route('**/account/watches', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'later' } } })
        : route.continue(),
    )
    await star.click()
    await page.getByRole('alert').getByText('Not watching').waitFor()
    assert.match((await star.getAttribute('aria-label'))!, /^Watch /)
    await page.getByRole('alert').getByRole('button', { name: 'Close the message' }).click()
    await page.unroute('**/account/watches')

    // watched: in its column, on its page, and after a reload
    await star.click()
    await page.getByRole('button', { name: 'Watching 1' }).click()
    await page.locator(`[data-column="watching"] [data-card="${mint}"]`).waitFor()
    await page.goto(`${site.url}/token/${mint}`)
    await page.getByRole('button', { name: /^Stop watching/ }).waitFor()

    // a condition that is wrong is wrong at its place
    await page.goto(`${site.url}/account`)
    const condition = page.getByLabel('Condition')
    await condition.fill('tradez >= 2')
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByText(/At character 1: expected one of the fields .*trades/).waitFor()
    assert.equal(await condition.getAttribute('aria-invalid'), 'true')
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA')
    await condition.fill('trades >= 2')
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    const watches = page.getByRole('table', { name: 'Watches' })
    await watches.getByText('New tokens with').waitFor()
    await eventually('both count', async () => (await watches.getByText('watching', { exact: true }).count()) === 2)

    // its alert comes while another page is open
    await page.goto(`${site.url}/status`)
    await page.getByRole('link', { name: /^Alerts, \d+ new$/ }).click()
    await page.waitForURL(`${site.url}/account#alerts`)
    const met = page.locator('[data-alert]').filter({ hasText: 'meets the condition' }).first()
    await met.waitFor()
    assert.match((await met.textContent())!, /^new.*trades \d+.*watch trades >= 2/s)
    const alert = `[data-alert="${await met.getAttribute('data-alert')}"]`
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().waitFor()
    assert.ok(streamed > 0, 'a free account follows its alerts where everybody may follow')
    // a filter is edited; the name that was made from it changes too
    await watches.getByRole('button', { name: 'Edit trades >= 2' }).click()
    const edit = page.getByRole('form', { name: /^Edit / })
    await edit.getByLabel('Condition').fill('tradez >= 3')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByText(/At character 1: expected one of the fields/).waitFor()
    const wide = await faults(page)
    await page.setViewportSize(PHONE.viewport)
    const narrow = await faults(page)
    await page.setViewportSize(DESKTOP.viewport)
    await edit.getByLabel('Condition').fill('trades >= 3')
    await edit.getByRole('button', { name: 'Save' }).click()
    const paused = watches.getByRole('button', { name: 'Pause trades >= 3' })
    await paused.waitFor()
    await edit.waitFor({ state: 'detached' })
    assert.match(
      (await page.evaluate<string>('document.activeElement.ariaLabel'))!,
      /^Edit trades/,
      'the focus is back',
    )
    // and a least amount
    const token = watches.getByRole('row').filter({ hasText: /Token/ })
    await token.getByRole('button', { name: /^Edit / }).click()
    await edit.getByLabel('Report trades from, SOL').fill('0.5')
    await edit.getByRole('button', { name: 'Save' }).click()
    await token.getByText('0.5 SOL').waitFor()
    await page.reload()
    await token.getByText('0.5 SOL').waitFor()
    // paused and deleted in place
    await paused.click()
    await watches.getByText('paused', { exact: true }).waitFor()
    await watches.getByRole('button', { name: 'Delete trades >= 3' }).click()
    await watches.getByRole('button', { name: /Really delete/ }).click()
    await eventually('it is gone', async () => (await watches.getByRole('row').count()) === 2)
    // read once, read for good
    await page.reload()
    await page.locator('[data-alert]').first().waitFor()
    await eventually('it is in the list', async () => {
      if ((await page.locator(alert).count()) === 1) return true
      await page.getByRole('button', { name: 'Older alerts' }).click()
      return false
    })
    assert.equal(await page.locator(`${alert}[data-new]`).count(), 0)
    assert.deepEqual([wide, narrow, problems], [[], [], []])
  },
)

test('a destination: refused at its place, watches chosen, secret shown once, log replayed', inBrowser, async (t) => {
  const site = await startSite(t, SMALL)
  const browser = await launch(t)
  const { page, problems } = await visit(browser, site.url, { before: walletScript(), expected: REFUSED })
  await page.goto(`${site.url}/account`)
  await signIn(page)
  await page.getByLabel('Condition').fill('trades >= 2')
  await page.getByRole('button', { name: 'Watch', exact: true }).click()
  await page.getByRole('table', { name: 'Watches' }).getByText('New tokens with').waitFor()
  const part = page.locator('#destinations')
  await part.getByLabel('Name').fill('desk')
  await part.getByLabel('Address').fill('https://10.0.0.1/alerts')
  await part.getByRole('button', { name: 'Add', exact: true }).click()
  await part.getByRole('alert').waitFor()
  assert.equal(await part.getByLabel('Address').getAttribute('aria-invalid'), 'true')
  await part.getByLabel('Send alerts to').selectOption('telegram')
  await part.getByRole('button', { name: 'Add', exact: true }).click()
  await part.getByText('This service has no Telegram bot').waitFor()

  // from here on the service is played: nothing is sent anywhere
  await page.route('**/account/destinations**', (route) => {
    const { pathname } = new URL(route.request().url())
    const method = route.request().method()
    const [, , , id, what, number] = pathname.split('/')
    asked.push(`${method} ${[id, what, number].filter((one) => one !== undefined).join(' ')}`.trim())
    if (what === undefined && (method === 'POST' || method === 'PATCH')) {
      const body = route.request().postDataJSON() as { name: string; watches: readonly string[] | null }
      made = { ...made, name: body.name, watches: body.watches }
    }
    const data = id === undefined ? (method === 'POST' ? { ...made, secret: SECRET } : [made]) : DELIVERY
    return route.fulfill({ json: { data: what === 'deliveries' && method === 'GET' ? [DELIVERY] : data } })
  })
  const asked: string[] = []
  let made: { readonly name: string; readonly watches: readonly string[] | null } = DESTINATION
  await part.getByLabel('Send alerts to').selectOption('webhook')
  await part.getByLabel('Address').fill('https://alerts.example.com/desk')
  await part.getByLabel('some watches').check()
  await part.getByRole('button', { name: 'Add', exact: true }).click()
  await part.getByRole('alert').getByText('Choose at least one watch.').waitFor()
  await part.getByLabel('trades >= 2').check()
  await part.getByRole('button', { name: 'Add', exact: true }).click()
  await part.getByText(SECRET).waitFor()
  await part.getByRole('button', { name: 'I have stored it' }).click()
  assert.ok(!(await page.content()).includes(SECRET), 'the secret is not shown again')
  assert.match(made.watches?.join() ?? 'all', /^watch_[\w-]+$/)
  await part.getByText('alerts of 1 watch').waitFor()
  await part.getByRole('button', { name: 'Edit desk' }).click()
  const edit = part.getByRole('form', { name: 'Edit desk' })
  assert.ok(await edit.getByLabel('trades >= 2').isChecked())
  const wide = await faults(page)
  await page.setViewportSize(PHONE.viewport)
  const narrow = await faults(page)
  await page.setViewportSize(DESKTOP.viewport)
  await edit.getByLabel(/^all watches/).check()
  await edit.getByLabel('Name').fill('screen')
  await edit.getByRole('button', { name: 'Save' }).click()
  await part.getByText('alerts of all watches').waitFor()
  assert.deepEqual([made.name, made.watches], ['screen', null])
  await part.getByRole('button', { name: 'Test screen' }).click()
  await part.getByRole('button', { name: /^Send again/ }).click()
  await eventually('the delivery is replayed', async () => asked.includes('POST destination_1 deliveries 7'))
  assert.ok(asked.includes('POST destination_1 test'))
  wide.push(...(await faults(page)))
  await page.setViewportSize(PHONE.viewport)
  narrow.push(...(await faults(page)))
  await page.setViewportSize(DESKTOP.viewport)
  assert.deepEqual([wide, narrow, problems], [[], [], []])
})

const DESTINATION = {
  ...{ id: 'destination_1', kind: 'webhook', name: 'desk', enabled: true, state: 'working', watches: null },
  ...{ address: 'https://alerts.example.com/desk', failing_since: null, delivered_at: null, notice: null, missed: 0 },
  created_at: '2026-11-24T20:00:00.000000Z',
}
const DELIVERY = {
  ...{ number: 7, id: 'alert_1', seq: 3, event: 'graduated', title: 'MOTH (Moth) graduated', state: 'delivered' },
  ...{ attempts: 1, status: 204, error: null, attempted_at: '2026-11-24T20:00:01.000000Z', next_at: null },
  created_at: '2026-11-24T20:00:00.000000Z',
}
