import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { createDeliveryLog } from '@ti/service/alerts/delivery/deliveries.ts'
import { createDestinationBook } from '@ti/service/alerts/delivery/destinations.ts'
import { createAlertStore } from '@ti/service/alerts/watches.ts'
import { createOutboundOn } from '@ti/service/observe/outbound/outbound.ts'
import { startAccountFace } from '../../support/account-face.ts'
import { createInternet, type Internet } from '../../support/observe-internet.ts'
import { sharedWith } from '../../support/shared.ts'
import { wallet } from '../../support/wallet.ts'

let net: Internet
before(async () => {
  net = await createInternet()
  net.name('fine.example', ['93.184.216.34'])
  net.name('inside.example', ['10.1.2.3'])
})
after(() => net.close())

const PATH = '/account/destinations'
const FULL = 'an account may have 3 destinations on the free plan: delete one first'
const HOOK = { kind: 'webhook', name: 'mine', url: 'https://fine.example/hook' }

async function start(t: TestContext, loopback = false) {
  let woken = 0
  const scene = await startAccountFace(t, {
    services: (database, now) => ({
      destinations: {
        book: createDestinationBook(database, {
          ...{
            now,
            outbound: createOutboundOn(net.network, { loopback }),
            reader: createAlertStore(database),
            telegram: true,
          },
          shared: sharedWith({ destinations: { share: { free: 3, pro: 4 } } }),
        }),
        log: createDeliveryLog(database, { now }),
        botName: () => 'ti_bot',
        wake: () => woken++,
      },
    }),
  })
  return { ...scene, woken: () => woken }
}

test('a webhook: made, shown without its secret, changed, tested, listed, replayed, rotated, deleted', async (t) => {
  const { call, enter, database, pass, woken } = await start(t)
  const me = await enter(wallet())
  const made = await call('POST', PATH, HOOK, me)
  assert.equal(made.status, 200)
  const { secret, id, ...rest } = made.json.data
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(rest, {
    ...{ kind: 'webhook', name: 'mine' },
    ...{
      enabled: true,
      state: 'unverified',
      address: HOOK.url,
      watches: null,
      failing_since: null,
      delivered_at: null,
    },
    ...{ notice: null, missed: 0, created_at: '2026-01-01T00:00:00.000000Z' },
  })
  const list = async () => (await call('GET', PATH, undefined, me)).json.data
  assert.deepEqual(await list(), [{ id, ...rest }])
  assert.ok(!JSON.stringify(await list()).includes(secret.slice(6)))

  const logged = await call('GET', `${PATH}/${id}/deliveries`, undefined, me)
  assert.deepEqual([logged.json.data[0].event, logged.json.data[0].state], ['challenge', 'waiting'])
  const at = new Date(0)
  await database.sql.updateTable('destinations').set({ delivered_at: at, next_number: 1 }).execute()
  await database.sql.deleteFrom('deliveries').execute()
  assert.deepEqual(await list(), [{ id, ...rest, state: 'working', delivered_at: '1970-01-01T00:00:00.000000Z' }])

  const tested = await call('POST', `${PATH}/${id}/test`, {}, me)
  assert.equal(tested.status, 200)
  assert.deepEqual([tested.json.data.event, tested.json.data.state, woken()], ['test', 'waiting', 1])
  const log = async (query = '') => (await call('GET', `${PATH}/${id}/deliveries${query}`, undefined, me)).json.data
  assert.deepEqual(await log(), [tested.json.data])
  assert.deepEqual(await log('?before=1'), [])
  const replay = (number: number | string) => call('POST', `${PATH}/${id}/deliveries/${number}/replay`, {}, me)
  assert.equal((await replay(1)).status, 400)
  await database.sql
    .updateTable('deliveries')
    .set({ state: 'failed', error: 'the answer was 500', attempts: 12 })
    .execute()
  pass(1_000)
  const again = await replay(1)
  assert.deepEqual([again.status, again.json.data.state, again.json.data.attempts], [200, 'waiting', 0])
  assert.equal(again.json.data.id, tested.json.data.id)
  for (const number of [2, 0, 'x']) assert.equal((await replay(number)).status, 404)

  const rotated = await call('POST', `${PATH}/${id}/secret`, {}, me)
  assert.notEqual(rotated.json.data.secret, secret)
  assert.equal(rotated.json.data.previous_until, '2026-01-02T00:00:01.000000Z')

  const change = (body: object) => call('PATCH', `${PATH}/${id}`, body, me)
  const changed = await change({ name: 'other', watches: ['watch_a'], enabled: false })
  assert.deepEqual(
    [changed.json.data.name, changed.json.data.watches, changed.json.data.state],
    ['other', ['watch_a'], 'disabled'],
  )
  assert.deepEqual([(await log())[0].state, (await log())[0].error], ['failed', 'the answer was 500'])
  assert.equal((await call('POST', `${PATH}/${id}/test`, {}, me)).status, 400)
  assert.equal((await replay(1)).status, 400)
  assert.equal((await change({})).status, 400)
  assert.equal((await call('DELETE', `${PATH}/${id}`, undefined, me)).status, 200)
  assert.deepEqual(await list(), [])
})

test('what is refused says why, and nothing is made of it', async (t) => {
  const { call, enter } = await start(t)
  const me = await enter(wallet())
  const inside = /private, local and reserved addresses are not connected to/
  const rows: readonly (readonly [object, RegExp])[] = [
    [{ ...HOOK, url: 'https://127.0.0.1/' }, inside],
    [{ ...HOOK, url: 'https://10.0.0.8/hook' }, inside],
    [{ ...HOOK, url: 'https://[::1]/' }, inside],
    [{ ...HOOK, url: 'https://[::ffff:10.0.0.8]/' }, inside],
    [{ ...HOOK, url: 'https://2130706433/' }, inside],
    [{ ...HOOK, url: 'https://localhost/' }, inside],
    [{ ...HOOK, url: 'https://inside.example/' }, inside],
    [{ ...HOOK, url: 'https://fine.example:8443/' }, /only the ports 443 and 80/],
    [{ ...HOOK, url: 'http://fine.example/' }, /an https address of at most 500 characters/],
    [{ ...HOOK, url: 'https://user:pass@fine.example/' }, /with a user name in it/],
    [{ ...HOOK, url: `https://fine.example/${'a'.repeat(500)}` }, /^url: /],
    [{ ...HOOK, url: undefined }, /url: is needed/],
    [{ ...HOOK, kind: 'discord' }, /a webhook of Discord is needed/],
    [{ ...HOOK, kind: 'telegram' }, /Telegram needs none/],
    [{ ...HOOK, kind: 'mail' }, /^kind: /],
    [{ ...HOOK, name: '' }, /^name: /],
    [{ ...HOOK, name: 'a'.repeat(101) }, /^name: /],
    [{ ...HOOK, watches: Array.from({ length: 41 }, (_, i) => `w${i}`) }, /^watches: /],
    [{ ...HOOK, secret: 'mine' }, /secret/],
  ]
  for (const [body, words] of rows) {
    const { status, json } = await call('POST', PATH, body, me)
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(json.error.message, words, JSON.stringify(body))
  }
  assert.deepEqual((await call('GET', PATH, undefined, me)).json.data, [])
  const { id } = (await call('POST', PATH, HOOK, me)).json.data
  const moved = await call('PATCH', `${PATH}/${id}`, { url: 'https://10.0.0.8/' }, me)
  assert.match(moved.json.error.message, inside)
  assert.equal((await call('GET', PATH, undefined, me)).json.data[0].address, HOOK.url)
  net.assertNothingForbidden()
})

test('in a sandbox of one’s own, a destination may be on this machine', async (t) => {
  const { call, enter } = await start(t, true)
  const me = await enter(wallet())
  const made = await call('POST', PATH, { ...HOOK, url: 'http://localhost:8080/hook' }, me)
  assert.deepEqual([made.status, made.json.data?.state], [200, 'unverified'])
  for (const url of ['http://fine.example/', 'http://10.0.0.8:8080/', 'https://10.0.0.8/']) {
    assert.equal((await call('POST', PATH, { ...HOOK, url }, me)).status, 400, url)
  }
})

test('a plan has so many; a Discord webhook and a Telegram code are shown once', async (t) => {
  const { call, enter } = await start(t)
  const me = await enter(wallet())
  const token = 'a'.repeat(68)
  const url = `https://discord.com/api/webhooks/123456789012345678/${token}`
  const discord = await call('POST', PATH, { kind: 'discord', name: 'server', url }, me)
  assert.equal(discord.json.data.address, 'https://discord.com/api/webhooks/123456789012345678/…')
  const telegram = await call('POST', PATH, { kind: 'telegram', name: 'phone' }, me)
  const { link, id, state } = telegram.json.data
  assert.deepEqual(
    [state, link.url, link.send],
    ['unlinked', `https://t.me/ti_bot?start=${link.code}`, `/start ${link.code}`],
  )
  assert.match(link.code, /^[\w-]{24}$/)
  const list = JSON.stringify((await call('GET', PATH, undefined, me)).json)
  assert.ok(!list.includes(token) && !list.includes(link.code))
  const another = await call('POST', `${PATH}/${id}/link`, {}, me)
  assert.notEqual(another.json.data.code, link.code)
  assert.equal((await call('POST', `${PATH}/${id}/secret`, {}, me)).status, 404)
  assert.equal((await call('POST', `${PATH}/${id}/test`, {}, me)).status, 400)
  assert.equal((await call('POST', PATH, HOOK, me)).status, 200)
  const full = await call('POST', PATH, HOOK, me)
  assert.deepEqual([full.status, full.json.error.message], [400, FULL])
})

test('somebody else’s destination is not there, and a session that ended opens nothing', async (t) => {
  const { call, enter } = await start(t)
  const me = await enter(wallet())
  const { id } = (await call('POST', PATH, HOOK, me)).json.data
  await call('POST', `${PATH}/${id}/test`, {}, me)
  const asks = [
    ['PATCH', `${PATH}/${id}`, { name: 'x' }],
    ['DELETE', `${PATH}/${id}`, undefined],
    ['POST', `${PATH}/${id}/test`, {}],
    ['POST', `${PATH}/${id}/secret`, {}],
    ['POST', `${PATH}/${id}/link`, {}],
    ['GET', `${PATH}/${id}/deliveries`, undefined],
    ['POST', `${PATH}/${id}/deliveries/1/replay`, {}],
  ] as const
  const other = await enter(wallet())
  for (const [method, path, body] of asks) {
    const { status, json } = await call(method, path, body, other)
    assert.deepEqual([status, /this account has no such/.test(json.error.message)], [404, true], `${method} ${path}`)
  }
  assert.deepEqual((await call('GET', PATH, undefined, other)).json.data, [])
  await call('DELETE', '/account/session', undefined, me)
  for (const [method, path, body] of [...asks, ['GET', PATH, undefined], ['POST', PATH, HOOK]] as const) {
    const { status, json } = await call(method, path, body, me)
    assert.deepEqual([status, /^not signed in/.test(json.error.message)], [404, true], `${method} ${path}`)
  }
})

test('with a key of the account: the same destinations, without a session', async (t) => {
  const { call, enter, makeKey, woken } = await start(t)
  const me = await enter(wallet())
  const made = await makeKey({ name: 'bot' }, me)
  const bot = { authorization: `Bearer ${made.json.data.key}` }
  const { id } = (await call('POST', PATH, HOOK, bot)).json.data
  const listed = async (by: Record<string, string>) => (await call('GET', PATH, undefined, by)).json.data
  assert.deepEqual(await listed(bot), await listed(me))
  assert.equal((await call('PATCH', `${PATH}/${id}`, { name: 'other' }, bot)).json.data.name, 'other')
  assert.equal((await call('POST', `${PATH}/${id}/test`, undefined, bot)).json.data.event, 'challenge')
  assert.equal(woken(), 1)
  assert.equal((await call('POST', `${PATH}/${id}/secret`, undefined, bot)).status, 200)
  assert.equal((await call('GET', `${PATH}/${id}/deliveries`, undefined, bot)).json.data.length, 2)
  for (const name of ['two', 'three']) assert.equal((await call('POST', PATH, { ...HOOK, name }, bot)).status, 200)
  assert.equal((await call('POST', PATH, HOOK, bot)).json.error.message, FULL, 'the account’s limit, not the key’s')
  assert.equal((await call('DELETE', `${PATH}/${id}`, undefined, bot)).status, 200)

  const other = await enter(wallet())
  const stranger = { authorization: `Bearer ${(await makeKey({ name: 'bot' }, other)).json.data.key}` }
  assert.deepEqual(await listed(stranger), [])
  await call('DELETE', `/account/keys/${made.json.data.id}`, undefined, me)
  for (const [method, body] of [['GET'], ['POST', HOOK]] as const) {
    const { status, json } = await call(method, PATH, body, { ...me, ...bot })
    assert.deepEqual([status, json.error.reason], [402, 'key_refused'], 'not even beside a session')
  }
})
