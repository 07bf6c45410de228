import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createFakeDiscord } from '../../../../../test/fakes/discord.ts'
import { createFakeTelegram } from '../../../../../test/fakes/telegram.ts'
import { DELIVERY_BEGIN, type DeliveryScene, deliveryScene } from '../../../../../test/support/delivery-scene.ts'
import { createDiscordSender } from './discord.ts'
import { createTelegramApi, createTelegramPace, createTelegramSender } from './telegram.ts'

const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** A worker with senders of its own, and the two services as fakes on the same clock. */
async function start(t: TestContext) {
  const scene = await deliveryScene(t)
  const { net, outbound, now } = scene
  const telegram = createFakeTelegram(TOKEN, now)
  const discord = createFakeDiscord(now)
  net.site('telegram.example', telegram.serve)
  net.site('discord.com', discord.serve)
  const api = createTelegramApi({ outbound, url: 'http://telegram.example', token: TOKEN })
  const node = scene.node('main', undefined, {
    webhook: scene.senders.webhook,
    telegram: createTelegramSender(api, createTelegramPace(now)),
    discord: createDiscordSender({ outbound, now, base: 'http://discord.com' }),
  })
  return { ...scene, ...node, telegram, discord, api }
}

/** A destination that a chat was linked to. */
async function linked({ add, database }: DeliveryScene, account: string, chat: string): Promise<string> {
  const { destination } = await add(account, { kind: 'telegram', name: chat })
  await database.sql
    .updateTable('destinations')
    .set({ address: chat, linked_by: chat })
    .where('id', '=', destination.id)
    .execute()
  return destination.id
}

const hook = (n: number) => ({
  kind: 'discord' as const,
  url: `https://discord.com/api/webhooks/${10n ** 17n + BigInt(n)}/${'a'.repeat(68)}`,
})

/** Lets time pass in steps of what a look waits at most, until nothing waits. */
async function untilDelivered(scene: Pick<DeliveryScene, 'drain' | 'pass' | 'toNextDue' | 'worker'>): Promise<void> {
  for (let i = 0; i < 400; i++) {
    await scene.drain()
    if (!(await scene.toNextDue())) return
    scene.pass(Math.max(1, Math.ceil(scene.worker.nextMs())))
  }
  assert.fail('something still waits')
}

test('Telegram: each alert once and in order, within its rates, through 429 with retry_after', async (t) => {
  const scene = await start(t)
  const { telegram } = scene
  const chats = ['11', '12', '13', '-14']
  for (const chat of chats) {
    const me = await scene.account()
    await linked(scene, me, chat)
    await scene.emit(me, 5)
  }
  telegram.refuse({ error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 7 } })
  telegram.refuse({ error_code: 500, description: 'Internal Server Error' })
  await untilDelivered(scene)
  for (const chat of chats) {
    const titles = telegram.texts(chat).map((text) => text.split('\n')[0])
    assert.deepEqual(
      [...titles].sort(),
      [1, 2, 3, 4, 5].map((seq) => `alert ${seq}`),
      chat,
    )
  }
  assert.equal(telegram.sent.length, 20)
  // The sender waited as long as the service asked it to.
  const first = chats.map((chat) => telegram.sent.find((one) => one.chat === chat)!.atMs - DELIVERY_BEGIN)
  assert.ok(
    first.some((ms) => ms >= 7_000),
    String(first),
  )
  assert.equal(telegram.floods, 0)
  assert.deepEqual(scene.troubles, [])
  assert.equal(telegram.sent[0]!.buttons.map(({ text }) => text).join(), 'Mute')
})

test('Telegram: thirty a second in all', async (t) => {
  const scene = await start(t)
  for (let i = 0; i < 35; i++) {
    const me = await scene.account()
    await linked(scene, me, String(100 + i))
    await scene.emit(me)
  }
  await untilDelivered(scene)
  assert.deepEqual([scene.telegram.sent.length, scene.telegram.floods], [35, 0])
  assert.ok(scene.now() - DELIVERY_BEGIN >= 1_000)
})

test('Telegram: a chat that blocked the bot is disabled, one that moved is followed, a bot that is refused waits', async (t) => {
  const scene = await start(t)
  const { telegram } = scene
  const me = await scene.account()
  const id = await linked(scene, me, '20')
  telegram.refuse({
    error_code: 400,
    description: 'Bad Request: group chat was upgraded',
    parameters: { migrate_to_chat_id: -1002 },
  })
  await scene.emit(me)
  await untilDelivered(scene)
  assert.deepEqual([(await scene.row(id)).address, telegram.texts(-1002).length], ['-1002', 1])
  telegram.refuse({ error_code: 401, description: 'Unauthorized' })
  scene.pass(60_000)
  await scene.emit(me)
  await scene.drain()
  const [, second] = await scene.deliveries(id)
  assert.deepEqual(
    [second?.state, second?.attempts, second?.error],
    ['waiting', 0, 'Telegram answered 401: Unauthorized'],
  )
  await untilDelivered(scene)
  telegram.blocked.add('-1002')
  scene.pass(60_000)
  await scene.emit(me)
  await scene.drain()
  const row = await scene.row(id)
  assert.deepEqual([row.enabled, row.notice], [false, 'Telegram answered 403: Forbidden: bot was blocked by the user'])
  telegram.refuse({ error_code: 400, description: "Bad Request: can't parse entities" })
  scene.pass(60_000)
  await scene.book.change(me, id, { enabled: true })
  await scene.emit(me)
  await scene.drain()
  assert.equal((await scene.deliveries(id)).at(-1)?.state, 'failed')
  assert.equal((await scene.row(id)).enabled, true)
})

test('Discord: each alert once, five in two seconds, through 429 in all its forms', async (t) => {
  const scene = await start(t)
  const { discord } = scene
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const me = await scene.account()
    ids.push((await scene.add(me, hook(i))).destination.address!.split('/')[0]!)
    await scene.emit(me, 12)
  }
  discord.refuse(429, { message: 'You are being rate limited.', retry_after: 1.337, global: true })
  discord.refuse(429, {}, { 'retry-after': '3' })
  discord.refuse(502)
  await untilDelivered(scene)
  for (const id of ids) {
    const own = discord.sent
      .filter((one) => one.id === id)
      .map(({ body }) => body.embeds![0]!.description!.split('\n')[0])
    assert.deepEqual(own.sort(), Array.from({ length: 12 }, (_, i) => `\`alert ${i + 1}\``).sort())
  }
  assert.equal(discord.floods, 0)
  assert.ok(discord.sent[0]!.atMs >= DELIVERY_BEGIN + 1_337)
  assert.ok(discord.sent.every(({ body }) => body.allowed_mentions?.parse.length === 0))
})

test('Discord: a webhook that was deleted is disabled, a message that it does not take is given up alone', async (t) => {
  const scene = await start(t)
  const me = await scene.account()
  const { destination } = await scene.add(me, hook(9))
  scene.discord.refuse(400, { message: 'Invalid Form Body' })
  await scene.emit(me, 2)
  await untilDelivered(scene)
  assert.deepEqual(
    (await scene.deliveries(destination.id)).map(({ state, error }) => [state, error]),
    [
      ['failed', 'Discord answered 400: it does not take this message'],
      ['delivered', null],
    ],
  )
  scene.discord.gone.add(destination.address!.split('/')[0]!)
  await scene.emit(me)
  await scene.drain()
  const row = await scene.row(destination.id)
  assert.deepEqual([row.enabled, row.notice], [false, 'Discord does not know this webhook any more'])
})
