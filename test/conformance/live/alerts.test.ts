import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { EXAMPLE_ADDRESSES } from '@ti/core/contract/examples.ts'
import { EventSource } from 'eventsource'
import { KEYS } from '../../support/fake-service.ts'
import { fakeStreams, openLive, revocableKeys, startLive, until, untilQuiet } from '../../support/live-service.ts'
import { memoryAlerts } from '../../support/memory-alerts.ts'
import { sharedWith } from '../../support/shared.ts'
import { CLIENTS, connectClient, type Followed, follow } from './official.ts'

/** Alerts of an account and filters on topics, by the official clients and by EventSource. */
const QUICK = { visitMs: 60, visitSlots: 3, ownLookMs: 20 }
const MINE = 'alerts:mine'
const resume = ({ seqs }: Followed) => ({ after_seq: seqs.at(-1) ?? 0 })
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i)
const [A, B] = [EXAMPLE_ADDRESSES.mint, EXAMPLE_ADDRESSES.trader]
const trade = (sol_amount: number) => ({ mint: 'm', trades: [{ user_address: 'w', sol_amount, mcap: 1 }] })

function listen(t: TestContext, url: string, event: string, key: string = KEYS.pro) {
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } }),
  })
  t.after(() => source.close())
  const heard = { seqs: [] as number[], joins: [] as { readonly resumed: boolean }[], texts: [] as string[] }
  source.addEventListener(event, ({ data, lastEventId }) => {
    heard.seqs.push(Number(lastEventId))
    heard.texts.push(data)
  })
  source.addEventListener('joined', ({ data }) => void heard.joins.push(JSON.parse(data)))
  return heard
}

for (const [name, Socket] of CLIENTS) {
  test(`${name}: an account’s alerts, from where it asks, and nobody else’s`, async (t) => {
    const alerts = memoryAlerts()
    const service = await openLive(t, { alerts, bounds: QUICK })
    alerts.add('acc_pro', 70)
    alerts.add('acc_free', 1)
    const client = connectClient(t, Socket, service.socketUrl)
    const [mine, tokens] = [await follow(client, MINE, { after_seq: 3 }), await follow(client, 'tokens:live')]
    await until('what was missed has come', () => mine.seqs.length === 67)
    alerts.add('acc_pro', 2)
    // on another node
    alerts.add('acc_pro', 1, false)
    service.publish('tokens:live')
    await until('the rest has come', () => mine.seqs.length === 70 && tokens.seqs.length === 1)
    assert.deepEqual(mine.seqs, range(4, 73))
    assert.deepEqual(mine.joins, [{ seq: 70, oldest_seq: 1, resumed: true }])
    const { data } = mine.payloads.at(-1) as unknown as { data: object }
    assert.deepEqual(data, {
      ...{ id: 'alert_acc_pro_73', seq: 73, watch: { id: 'watch_1', name: 'w' }, event: 'sold', title: 't', text: 'x' },
      ...{ why: {}, mint: null, wallet: null, slot: 73, at: 73, links: [] },
    })
  })

  test(`${name}: over a restart of the service every alert comes once`, async (t) => {
    const alerts = memoryAlerts()
    const topics = fakeStreams()
    const first = await startLive({ alerts, topics, bounds: { ...QUICK, shutdownMs: 200 } })
    const client = connectClient(t, Socket, first.socketUrl)
    const mine = await follow(client, MINE, resume)
    alerts.add('acc_pro', 2)
    await until('two have come', () => mine.seqs.length === 2)
    await first.close()
    alerts.add('acc_pro', 2)
    await openLive(t, { alerts, topics, port: first.port, bounds: QUICK })
    await until('it is back', () => mine.seqs.length === 4)
    assert.deepEqual(mine.seqs, [1, 2, 3, 4])
  })

  test(`${name}: a filter in the join; one that is wrong is refused with its place`, async (t) => {
    const service = await openLive(t, { bounds: QUICK })
    const client = connectClient(t, Socket, service.socketUrl)
    for (const amount of [1, 9, 1]) service.publish('frames:live', trade(amount))
    const big = await follow(client, 'frames:live', { after_seq: 0, filter: 'sol_amount > 5' })
    for (const amount of [9, 1, 8]) service.publish('frames:live', trade(amount))
    await until('all has come', () => big.seqs.length === 3)
    assert.deepEqual(big.seqs, [2, 4, 6])
    const wrong = await follow(connectClient(t, Socket, service.socketUrl), 'frames:live', { filter: 'sol_amount > x' })
    assert.deepEqual(wrong.story, ['refused: bad filter: at character 14: expected a number for `sol_amount`'])
    const mine = await follow(connectClient(t, Socket, service.socketUrl), MINE, {})
    assert.deepEqual(mine.story, ['refused: no account'], 'here nobody has alerts')
  })

  test(`${name}: the events of one token, under its name, with the numbers of all tokens, over a restart`, async (t) => {
    const topics = fakeStreams()
    const first = await startLive({ topics, bounds: { ...QUICK, shutdownMs: 200 } })
    const client = connectClient(t, Socket, first.socketUrl)
    for (const mint of [A, B]) first.publish('tokens:live', { mint })
    const [one, narrow] = [
      await follow(client, `token:${A}`, ({ seqs }: Followed) => ({ after_seq: seqs.at(-1) ?? 0 })),
      await follow(client, `token:${B}`, { filter: 'mcap > 5' }),
    ]
    for (const [mint, mcap] of [
      [B, 1],
      [A, 1],
      [B, 9],
    ] as const)
      first.publish('tokens:live', { mint, mcap })
    await until('three have come', () => one.seqs.length === 2 && narrow.seqs.length === 1)
    assert.deepEqual([one.seqs, narrow.seqs], [[1, 4], [5]])
    assert.deepEqual(one.joins[0], { seq: 2, oldest_seq: 1, resumed: true })
    await first.close()
    for (const mint of [B, A]) topics.append('tokens:live', { mint })
    await openLive(t, { topics, port: first.port, bounds: QUICK })
    await until('it is back', () => one.seqs.length === 3)
    assert.deepEqual(one.seqs, [1, 4, 7])
    for (const wrong of ['token:', 'token:x', `token:${A}x`, `token:${A}"`]) {
      assert.deepEqual((await follow(client, wrong)).story, ['refused: unmatched topic'], wrong)
    }
  })
}

test('what comes while a join asks the database is answered behind it', async (t) => {
  const alerts = memoryAlerts()
  let go: (() => void) | null = null
  const slow = {
    ...alerts,
    async range(account: string) {
      if (go === null) {
        await new Promise<void>((done) => {
          go = done
        })
      }
      return alerts.range(account)
    },
  }
  const service = await openLive(t, { alerts: slow, bounds: QUICK })
  const client = connectClient(t, CLIENTS[0]![1], service.socketUrl)
  const order: string[] = []
  const channels = [MINE, 'tokens:live', 'frames:live'].map((topic) => client.socket.channel(topic))
  for (const channel of channels) channel.join().receive('ok', () => void order.push(channel.topic))
  await until('the database is asked', () => go !== null)
  assert.deepEqual(order, [])
  ;(go as unknown as () => void)()
  await until('all are answered', () => order.length === 3)
  assert.deepEqual(order, [MINE, 'tokens:live', 'frames:live'])
})

test('a key that is revoked hears no more alerts', async (t) => {
  const alerts = memoryAlerts()
  const { keys, revoke } = revocableKeys()
  const service = await openLive(t, { alerts, keys, bounds: QUICK })
  const client = connectClient(t, CLIENTS[0]![1], service.socketUrl)
  const mine = await follow(client, MINE)
  const events = listen(t, `${service.baseUrl}/v1/stream?topic=${MINE}`, 'alert')
  await until('both have joined', () => events.joins.length === 1 && mine.joins.length === 1)
  revoke(KEYS.pro)
  await untilQuiet(service)
  alerts.add('acc_pro', 1)
  await new Promise(setImmediate)
  assert.deepEqual([mine.seqs, events.seqs], [[], []])
  assert.ok(client.story.includes(1001))
})

test('server-sent events: alerts with their seq as id, resumed by Last-Event-ID over a restart', async (t) => {
  const alerts = memoryAlerts()
  const bounds = { ...QUICK, eventsRetryMs: 20, shutdownMs: 200 }
  const first = await startLive({ alerts, bounds })
  alerts.add('acc_pro', 3)
  alerts.add('acc_free', 1)
  const url = `${first.baseUrl}/v1/stream?topic=${MINE}`
  const pro = listen(t, `${url}&after_seq=1`, 'alert')
  const free = listen(t, `${url}&after_seq=0`, 'alert', KEYS.free)
  await until('what was missed has come', () => pro.seqs.length === 2 && free.seqs.length === 1)
  await first.close()
  alerts.add('acc_pro', 1)
  await openLive(t, { alerts, bounds, port: first.port })
  await until('it is back', () => pro.seqs.length === 3)
  assert.deepEqual([pro.seqs, free.seqs], [[2, 3, 4], [1]])
  assert.ok(pro.joins.every(({ resumed }) => resumed))
  assert.equal(JSON.parse(pro.texts[0]!).data.id, 'alert_acc_pro_2')
})

test('server-sent events: filters, and what is refused', async (t) => {
  const alerts = memoryAlerts()
  const service = await openLive(t, { alerts, bounds: QUICK, shared: sharedWith({ filters: { share: { pro: 1 } } }) })
  const base = `${service.baseUrl}/v1/stream?topic=`
  const headers = { authorization: `Bearer ${KEYS.pro}` }
  const status = async (query: string) => {
    const response = await fetch(base + query, { headers })
    const text =
      response.status === 200 ? '' : ((await response.json()) as { error: { message: string } }).error.message
    if (response.status === 200) await response.body?.cancel()
    return `${response.status} ${text}`.trim()
  }
  const heard = listen(t, `${base}frames:live&after_seq=0&filter=${encodeURIComponent('sol_amount > 5')}`, 'frame')
  await until('it has joined', () => heard.joins.length === 1)
  for (const amount of [9, 1, 8]) service.publish('frames:live', trade(amount))
  await until('all has come', () => heard.seqs.length === 2)
  assert.deepEqual(heard.seqs, [1, 3])
  assert.match(await status(`token:${A}`), /^503 too many different filters/, 'a token counts as a filter')
  assert.equal(
    await status('frames:live&filter=x'),
    '400 bad filter: at character 1: expected one of the fields mint, wallet, launchpad, sol_amount, mcap, buy, bundled, smart_money',
  )
  assert.equal(await status(`${MINE}&filter=x`), '400 bad filter: alerts:mine has none')
  assert.equal(await status('frames:live&filter=buy&filter=buy'), '400 filter must be given once')
  assert.match(await status('frames:live&filter=buy'), /^503 too many different filters/)
  assert.match(
    await status('trades:live'),
    /^400 topic must be one of tokens:live, frames:live, verdicts:live, alerts:mine, token:MINT/,
  )
  alerts.fail(true)
  assert.match(await status(MINE), /^503 /)
})
