import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DELIVERY_BEGIN, deliveryScene, type Receiver, WAITING } from '../../../../../test/support/delivery-scene.ts'
import { until } from '../../../../../test/support/observe-internet.ts'
import { SHARED } from '../../access/shared/table.ts'
import { WINDOW_MS } from './deliveries.ts'
import { RETRY_MS } from './schedule.ts'
import { DELIVERY_WORK } from './worker.ts'

const HOUR_MS = 3_600_000
const idsOf = (received: readonly { readonly headers: Readonly<Record<string, string>> }[]) =>
  received.map(({ headers }) => headers['webhook-id'])

test('alerts of an account arrive once each and in order, from its creation on, those of its watches only', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  await scene.emit(me, 2)
  const all = await scene.add(me, { name: 'all' })
  const some = await scene.add(me, { name: 'some', watches: ['watch_b'] })
  await scene.add(await scene.account(), { name: 'other' })
  await scene.emit(me, 3)
  const [mine] = await scene.emit(me, 1, { watch: { id: 'watch_b', name: 'b' } })
  await scene.drain()
  const at = (path: string) => idsOf(scene.received.filter((one) => one.path === path))
  assert.deepEqual(
    at('/all'),
    [3, 4, 5, 6].map((seq) => `alert_${me}_${seq}`),
  )
  assert.deepEqual(at('/some'), [mine!.id])
  assert.deepEqual(at('/other'), [])
  assert.deepEqual(
    (await scene.deliveries(some.destination.id)).map(({ number, state, status, error }) => [
      Number(number),
      state,
      status,
      error,
    ]),
    [[1, 'delivered', 204, null]],
  )
  await scene.drain()
  assert.equal(scene.received.length, 5)
  assert.equal(Number((await scene.row(all.destination.id)).missed), 0)
  assert.equal(scene.worker.counts.get('webhook:delivered'), 5)
})

const answers: Record<
  string,
  { readonly serve: Receiver; readonly status: number | null; readonly error: RegExp | null }
> = {
  hangs: { serve: () => {}, status: null, error: /^no answer in time$/ },
  'answers 500': { serve: (_, response) => response.writeHead(500).end(), status: 500, error: /^the answer was 500$/ },
  'redirects to a private address': {
    serve: (_, response) => response.writeHead(301, { location: 'https://10.0.0.1/' }).end(),
    status: 301,
    error: /301, a redirect; redirects are not followed/,
  },
  resets: { serve: (request) => request.socket.destroy(), status: null, error: /ended before the answer/ },
  'sends 2 MB': {
    serve: (_, response) => response.writeHead(200).end(Buffer.alloc(2 << 20)),
    status: 200,
    error: null,
  },
}

test('what a receiver may do: each attempt ends, is noted in words, and is made again where it failed', async (t) => {
  const scene = await deliveryScene(t)
  for (const [name, { serve, status, error }] of Object.entries(answers)) {
    const me = await scene.account()
    const { destination } = await scene.add(me, { url: `https://secure.example/${encodeURIComponent(name)}` })
    scene.receivers.set(encodeURIComponent(name), serve)
    await scene.emit(me)
    await scene.drain()
    const [delivery] = await scene.deliveries(destination.id)
    assert.equal(delivery?.status, status, name)
    assert.equal(delivery?.state, error === null ? 'delivered' : 'waiting', name)
    if (error === null) continue
    assert.match(delivery?.error ?? '', error, name)
    // the first pause, shortened by half of what chance may take
    assert.equal(delivery?.due_at.getTime(), scene.now() + RETRY_MS[0]! * 0.95, name)
    scene.receivers.delete(encodeURIComponent(name))
    scene.pass(RETRY_MS[0]!)
    await scene.drain()
    assert.equal((await scene.deliveries(destination.id))[0]?.state, 'delivered', name)
  }
  scene.net.assertNothingForbidden()
})

test('a receiver that is back after an hour gets all it missed at once, in order', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  const { destination } = await scene.add(me)
  scene.receivers.set('hook', (_, response) => response.writeHead(503).end())
  await scene.emit(me, 5)
  for (await scene.drain(); scene.now() < DELIVERY_BEGIN + HOUR_MS; await scene.drain())
    assert.ok(await scene.toNextDue())
  const tries = scene.received.length
  assert.ok(tries < 5 * 8, `${tries} attempts in an hour`)
  assert.equal((await scene.row(destination.id)).failing_since?.getTime(), DELIVERY_BEGIN)
  scene.receivers.delete('hook')
  assert.ok(await scene.toNextDue())
  await scene.drain()
  const back = scene.received.slice(tries)
  assert.equal(new Set(idsOf(back)).size, 5)
  assert.equal(back.length, 5)
  assert.equal((await scene.row(destination.id)).failing_since, null)
})

test('after two days without a success it is disabled, and its owner finds out at another destination', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  const { destination } = await scene.add(me, { name: 'down' })
  await scene.add(me, { name: 'up' })
  scene.receivers.set('down', (_, response) => response.writeHead(500).end())
  await scene.emit(me, 2)
  for (await scene.drain(); await scene.toNextDue(); ) await scene.drain()
  assert.equal(scene.now(), DELIVERY_BEGIN + WINDOW_MS)
  const row = await scene.row(destination.id)
  assert.equal(row.enabled, false)
  assert.equal(row.notice, 'no attempt has succeeded for two days: the answer was 500')
  const deliveries = await scene.deliveries(destination.id)
  assert.deepEqual(
    deliveries.map(({ state }) => state),
    ['failed', 'failed'],
  )
  const told = scene.received.filter(({ path }) => path === '/up').at(-1)!
  const { type, data } = JSON.parse(told.body)
  assert.equal(type, 'alert.destination_disabled')
  assert.equal(data.text, 'down: no attempt has succeeded for two days: the answer was 500')
  // enabled again, it begins with what comes then
  await scene.emit(me, 3)
  await scene.drain()
  scene.receivers.set('down', (_, response, { body }) => response.end(JSON.parse(body).data.challenge))
  await scene.book.change(me, destination.id, { enabled: true })
  await scene.drain()
  const [next] = await scene.emit(me)
  const before = scene.received.length
  await scene.drain()
  const later = scene.received.slice(before).filter(({ path }) => path === '/down')
  assert.deepEqual(idsOf(later), [next!.id])
  assert.equal((await scene.row(destination.id)).notice, null)
})

test('410 disables at once, a longer Retry-After is obeyed', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  const gone = (await scene.add(me, { name: 'gone' })).destination
  const busy = (await scene.add(me, { name: 'busy' })).destination
  scene.receivers.set('gone', (_, response) => response.writeHead(410).end())
  scene.receivers.set('busy', (_, response) => response.writeHead(429, { 'retry-after': '600' }).end())
  await scene.emit(me, 2)
  await scene.drain()
  const row = await scene.row(gone.id)
  assert.deepEqual([row.enabled, row.notice], [false, 'the answer was 410: the receiver wants no more'])
  assert.equal(scene.received.filter(({ path }) => path === '/gone').length, 1)
  assert.equal((await scene.deliveries(busy.id))[0]?.due_at.getTime(), scene.now() + 600_000)
})

test('two hundred new receivers that hang, and all slots of proven ones that hang, delay nobody else', async (t) => {
  const scene = await deliveryScene(t)
  const pro = async () => {
    const id = await scene.account()
    const paid_until = new Date(scene.now() + HOUR_MS)
    await scene.database.sql.updateTable('accounts').set({ paid_until }).where('id', '=', id).execute()
    return id
  }
  const letGo: (() => void)[] = []
  const waiting = new Promise<void>((done) => letGo.push(done))
  const well = scene.senders.webhook
  let hung = 0
  const own: typeof scene.senders = {
    webhook: {
      // each is a host of its own
      turnMs: () => 0,
      async send(...sent) {
        if (sent[0].name !== 'hang') return well.send(...sent)
        hung++
        await waiting
        return { kind: 'failed', status: null, error: 'hung' }
      },
    },
  }
  const { worker } = scene.node('main', undefined, own)
  const looks = async () => {
    // the lease ends by the clock of the database, which does not stand
    scene.pass(DELIVERY_WORK.leaseMs)
    for (let i = 0; i < 5; i++) await worker.run()
  }
  for (let i = 0; i < 200; i++) await scene.add(await scene.account(), { name: 'hang', unverified: true })
  const isHung = (most: number) => until(`${most} attempts hang`, () => hung === most)
  await looks()
  await isHung(SHARED.webhooks_new.pool.free)
  const free = await scene.account()
  await scene.add(free, { name: 'free' })
  await scene.emit(free)
  const paying = await pro()
  await scene.add(paying, { name: 'new', unverified: true })
  await looks()
  const has = (path: string) => scene.received.some((one) => one.path === path)
  await until('the free one has its alert, the Pro one its challenge', () => has('/free') && has('/new'))
  for (let i = 0; i < SHARED.webhooks.pool.free + 10; i++) {
    const me = await scene.account()
    await scene.add(me, { name: 'hang' })
    await scene.emit(me)
  }
  await looks()
  await isHung(SHARED.webhooks_new.pool.free + SHARED.webhooks.pool.free)
  await scene.add(paying, { name: 'pro' })
  await scene.emit(paying)
  await looks()
  await until('the Pro one has its alert', () => has('/pro'))
  letGo[0]!()
  await worker.close()
})

test('what failed last keeps within its own places', async (t) => {
  const scene = await deliveryScene(t)
  let most = 0
  let [now, total] = [0, 0]
  const sender = {
    turnMs: () => 0,
    async send() {
      most = Math.max(most, ++now)
      total++
      await new Promise(setImmediate)
      now--
      return { kind: 'failed', status: 500, error: 'no' } as const
    },
  }
  const { drain } = scene.node('main', undefined, { webhook: sender })
  const many = SHARED.webhooks_failing.pool.free + 10
  for (let i = 0; i < many; i++) {
    const me = await scene.account()
    await scene.add(me)
    await scene.emit(me)
  }
  await drain()
  assert.equal(total, many)
  most = 0
  scene.pass(RETRY_MS[0]!)
  await drain()
  assert.equal(total, 2 * many)
  assert.ok(most <= SHARED.webhooks_failing.pool.free, `${most} at once`)
})

test('alerts stay where they are while too many wait, and what was forgotten meanwhile is counted', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  const { destination } = await scene.add(me)
  scene.receivers.set('hook', (_, response) => response.writeHead(500).end())
  await scene.emit(me, WAITING + 30)
  await scene.drain()
  assert.equal((await scene.deliveries(destination.id)).length, WAITING)
  assert.equal(Number((await scene.row(destination.id)).alert_seq), WAITING)
  await scene.database.sql
    .deleteFrom('alerts')
    .where('seq', '<=', WAITING + 7)
    .execute()
  scene.receivers.delete('hook')
  while (await scene.toNextDue()) await scene.drain()
  assert.equal(Number((await scene.row(destination.id)).missed), 7)
  assert.equal(new Set(idsOf(scene.received)).size, WAITING + 23)
})

test('only the holder of the lease delivers, and another takes over', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  await scene.add(me)
  const other = scene.node('other')
  await scene.drain()
  await scene.emit(me)
  await other.drain()
  assert.deepEqual([scene.worker.holds, other.worker.holds, scene.received.length], [true, false, 0])
  await scene.worker.close()
  scene.pass(DELIVERY_WORK.leaseMs)
  await other.drain()
  assert.deepEqual([scene.worker.holds, other.worker.holds, scene.received.length], [false, true, 1])
})
