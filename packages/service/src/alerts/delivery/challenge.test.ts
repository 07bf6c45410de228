import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ChallengeMessage } from '@ti/core/contract/account.ts'
import { Webhook } from 'standardwebhooks'
import {
  type DeliveryScene,
  deliveryScene,
  type Received,
  type Receiver,
} from '../../../../../test/support/delivery-scene.ts'
import { CHALLENGE, CHALLENGE_WINDOW_MS } from './deliveries.ts'

const eventOf = ({ body }: Received): string => JSON.parse(body).type
const challengeIn = ({ body }: Received): string => JSON.parse(body).data.challenge
const saying =
  (say: (got: Received) => string): Receiver =>
  (_, response, got) =>
    response.writeHead(200).end(say(got))
const repeating = saying(challengeIn)

async function untilOver(scene: DeliveryScene): Promise<void> {
  for (await scene.drain(); await scene.toNextDue(); ) await scene.drain()
}

test('a receiver is asked first, with a signed challenge, and gets its alerts once it has repeated it', async (t) => {
  const scene = await deliveryScene(t)
  t.mock.timers.enable({ apis: ['Date'], now: scene.now() })
  const me = await scene.account()
  const { destination, secret } = await scene.add(me, { unverified: true })
  const { id } = destination
  const alerts = await scene.emit(me, 3)
  await scene.drain()
  assert.deepEqual(scene.received.map(eventOf), ['alert.challenge'])
  const [asked] = scene.received
  assert.match(challengeIn(asked!), /^[\w-]{32}$/)
  assert.deepEqual(ChallengeMessage.parse(JSON.parse(asked!.body)), JSON.parse(asked!.body), 'as the contract says')
  assert.deepEqual(new Webhook(secret!).verify(asked!.body, asked!.headers), JSON.parse(asked!.body))
  const [first] = await scene.deliveries(id)
  assert.deepEqual(
    [first!.state, first!.status, first!.error],
    ['waiting', 204, 'the answer was 204 without the challenge'],
  )

  scene.receivers.set(
    'hook',
    saying((got) => JSON.stringify({ challenge: challengeIn(got) })),
  )
  assert.ok(await scene.toNextDue())
  await scene.drain()
  assert.deepEqual(
    scene.received.slice(2).map(({ headers }) => headers['webhook-id']),
    alerts.map((alert) => alert.id),
  )
  assert.equal((await scene.row(id)).delivered_at?.getTime(), scene.now())
})

const REFUSALS: Readonly<Record<string, Receiver>> = {
  nothing: (_, response) => response.writeHead(200).end(),
  'whatever it got': saying(({ body }) => body),
  'its header': saying(({ headers }) => headers['webhook-id']!),
  'another text': saying((got) => `${challengeIn(got)}!`),
  'another object': saying((got) => JSON.stringify({ data: { challenge: challengeIn(got) } })),
  'no object': saying(() => 'null'),
  'too much': saying((got) => `${challengeIn(got)}${' '.repeat(2_000)}`),
  'a failure': (_, response, got) => response.writeHead(500).end(challengeIn(got)),
}

test('whatever else it answers, it is asked seven times within an hour and gets nothing', async (t) => {
  for (const [name, serve] of Object.entries(REFUSALS)) {
    const scene = await deliveryScene(t)
    const me = await scene.account()
    const { destination } = await scene.add(me, { unverified: true })
    scene.receivers.set('hook', serve)
    await scene.emit(me, 3)
    const begin = scene.now()
    await untilOver(scene)
    assert.deepEqual(scene.received.map(eventOf), Array(7).fill('alert.challenge'), name)
    assert.equal(scene.now(), begin + CHALLENGE_WINDOW_MS, name)
    const { enabled, notice } = await scene.row(destination.id)
    assert.equal(enabled, false, name)
    assert.match(notice!, /^the challenge was not answered: the answer /, name)
    assert.equal((await scene.log.test(me, destination.id))?.ok, false, name)
  }
})

test('a test asks anew, a replay does not pass, and enabling asks again', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  const { id } = (await scene.add(me, { unverified: true })).destination
  await scene.drain()
  const tested = await scene.log.test(me, id)
  assert.ok(tested?.ok && tested.delivery.alert_id.startsWith(CHALLENGE))
  assert.deepEqual(
    (await scene.deliveries(id)).map(({ state }) => state),
    ['failed', 'waiting'],
  )
  assert.deepEqual(await scene.log.replay(me, id, 1), {
    ok: false,
    message: 'a challenge is not sent again: send a test',
  })
  scene.receivers.set('hook', repeating)
  await untilOver(scene)
  await scene.emit(me)
  await scene.drain()
  assert.deepEqual(scene.received.map(eventOf), ['alert.challenge', 'alert.challenge', 'alert.bought'])
  await scene.book.change(me, id, { enabled: false })
  await scene.book.change(me, id, { enabled: true })
  await scene.emit(me)
  await scene.drain()
  assert.deepEqual(scene.received.slice(3).map(eventOf), ['alert.challenge', 'alert.bought'])
})

test('another url is another receiver: it is asked, and an answer of the one before does not count', async (t) => {
  const scene = await deliveryScene(t)
  const me = await scene.account()
  const { id } = (await scene.add(me, { name: 'own' })).destination
  let answer = (): void => {}
  scene.receivers.set('own', (_, response) => (answer = () => response.writeHead(204).end()))
  await scene.emit(me)
  const draining = scene.drain()
  await scene.until('the alert is on its way', () => scene.received.length === 1)
  await scene.book.change(me, id, { url: 'https://secure.example/victim' })
  answer()
  await draining
  await scene.emit(me, 2)
  await untilOver(scene)
  const victim = scene.received.filter(({ path }) => path === '/victim')
  assert.deepEqual(new Set(victim.map(eventOf)), new Set(['alert.challenge']))
  assert.equal(victim.length, 7)
})

test('a host is asked once a second, whoever names it and however; another host is not delayed', async (t) => {
  const scene = await deliveryScene(t)
  scene.net.site('victim.example', (_, response) => response.writeHead(404).end())
  const add = async (url: string) => scene.add(await scene.account(), { url, unverified: true })
  for (let i = 0; i < 60; i++) await add(`https://victim.example${['', ':443', '.'][i % 3]}/${i}`)
  const asked = () => scene.net.resolved.filter((name) => name.startsWith('victim.example')).length - 60
  await scene.drain()
  assert.equal(asked(), 10)
  await add('https://secure.example/hook')
  scene.receivers.set('hook', repeating)
  await scene.drain()
  assert.equal(scene.received.length, 1)
  for (let second = 1; second <= 20; second++) {
    scene.pass(1_000)
    await scene.drain()
    assert.ok(asked() <= 10 + second, `${asked()} requests after ${second} s`)
  }
  assert.equal(asked(), 30)
})
