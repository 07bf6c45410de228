import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createFakeTelegram } from '../../../../../test/fakes/telegram.ts'
import { deliveryScene } from '../../../../../test/support/delivery-scene.ts'
import { wallet } from '../../../../../test/support/wallet.ts'
import { createBot, UPDATES_MAX } from './bot.ts'
import type { ShownWatch } from './bot-answers.ts'
import { createChatBook } from './chats.ts'
import { CODE_MS } from './destinations.ts'
import { REPLIES } from './replies.ts'
import { createTelegramApi, createTelegramPace } from './telegram.ts'

const TOKEN = '123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
const MINT = wallet().address
const HOSTILE = '</code><a href="https://evil.example">claim</a> /stop'

async function start(t: TestContext) {
  const scene = await deliveryScene(t)
  const { net, outbound, now, database, alertStore } = scene
  const telegram = createFakeTelegram(TOKEN, now)
  net.site('telegram.example', telegram.serve)
  const watches = new Map<string, ShownWatch & { account: string }>()
  const own = (account: string, id: string) => (watches.get(id)?.account === account ? watches.get(id)! : null)
  const troubles: unknown[] = []
  const bot = createBot({
    api: createTelegramApi({ outbound, url: 'http://telegram.example', token: TOKEN }),
    pace: createTelegramPace(now),
    chats: createChatBook(database, { now, reader: alertStore }),
    watches: {
      list: async (account) => [...watches.values()].filter((one) => one.account === account),
      async add(account, target) {
        if (watches.size >= 3) return 'an account may have 3 watches on the free plan: delete one first'
        const id = `watch_${watches.size}`
        watches.set(id, { id, account, name: HOSTILE, target, paused: false })
        return null
      },
      remove: async (account, id) => own(account, id) !== null && watches.delete(id),
      async pause(account, id, paused) {
        const found = own(account, id)
        if (found !== null) watches.set(id, { ...found, paused })
        return found !== null
      },
    },
    who: async (mint) =>
      mint === MINT ? { text: `${HOSTILE} is behind it`, url: `https://ti.example/token/${mint}` } : null,
    // the clock moves instead
    pause: async (ms) => scene.pass(ms),
    troubles: { note: (_, error) => void troubles.push(error) },
  })
  await bot.name()
  const signal = new AbortController().signal
  const poll = async () => {
    assert.equal(await bot.poll(signal), true)
    await bot.settled()
  }
  const write = async (chat: number, text: string, more: object = {}) => {
    scene.pass(3_000)
    const type = chat < 0 ? 'supergroup' : 'private'
    telegram.update({
      message: { message_id: 1, chat: { id: chat, type }, from: { id: Math.abs(chat), is_bot: false }, text, ...more },
    })
    await poll()
    return telegram.texts(chat).at(-1) ?? ''
  }
  const press = async (chat: number, data: string, from = chat) => {
    scene.pass(3_000)
    telegram.update({
      callback_query: {
        id: `q ${data}`,
        from: { id: from },
        data,
        message: { message_id: 1, chat: { id: chat, type: 'private' } },
      },
    })
    await poll()
    return telegram.texts(chat).at(-1) ?? ''
  }
  /** An account with a chat that is linked. */
  const link = async (chat: number) => {
    const account = await scene.account()
    const { destination, link: made } = await scene.add(account, { kind: 'telegram', name: 'phone' })
    assert.match(await write(chat, `/start ${made!.code}`), /^Linked: /)
    return { account, id: destination.id, code: made!.code }
  }
  return { ...scene, telegram, watches, troubles, bot, poll, write, press, link }
}

test('a chat is linked by its code, once, and lets go with /stop', async (t) => {
  const scene = await start(t)
  const { write } = scene
  for (const text of ['/start', '/list', '/stop', `/who ${MINT}`]) assert.match(await write(5, text), /not linked/)
  const { account, id, code } = await scene.link(5)
  const row = await scene.row(id)
  assert.deepEqual([row.address, row.linked_by], ['5', '5'])
  assert.match(await write(6, `/start ${code}`), /not valid any more/)
  const second = await scene.add(account, { kind: 'telegram', name: 'other' })
  assert.match(await write(5, `/start ${second.link!.code}`), /linked already/)
  scene.pass(CODE_MS)
  assert.match(await write(7, `/start ${second.link!.code}`), /not valid any more/)
  assert.match(await write(7, `/start ${'x'.repeat(190)}`), /not valid any more/)
  const again = await scene.book.link(account, second.destination.id)
  assert.match(await write(7, `/start ${again!.code}`), /^Linked: /)
  assert.match(await write(5, '/stop'), /No more messages here/)
  assert.equal((await scene.row(id)).address, null)
  assert.match(await write(5, '/list'), /not linked/)
  assert.deepEqual(scene.troubles, [])
})

test('watches by command and by button, and who is behind a token: hostile names stay text', async (t) => {
  const scene = await start(t)
  const { write, press, watches, telegram } = scene
  const { account } = await scene.link(5)
  assert.match(await write(5, '/list'), /You watch nothing yet/)
  assert.equal(await write(5, `/watch ${MINT}`), `Watching\n${MINT}`)
  assert.deepEqual(
    [...watches.values()].map((one) => [one.account, one.target]),
    [[account, MINT]],
  )
  for (const wrong of ['', 'x', `${MINT}0`, HOSTILE])
    assert.equal(await write(5, `/watch ${wrong}`), 'That is not the mint of a token.')
  assert.equal(await write(5, '/list'), `1. ${HOSTILE}: ${MINT}`)
  const { entities, buttons } = telegram.sent.at(-1)!
  assert.deepEqual(
    entities.map(({ type }) => type),
    ['code'],
  )
  assert.deepEqual(
    buttons.map(({ text }) => text),
    ['1 Mute', '1 End'],
  )
  assert.equal(await press(5, buttons[0]!.callback_data), 'Muted.')
  assert.match(await write(5, '/list'), /\(muted\)$/)
  assert.equal(await press(5, 'unmute:watch_0'), 'On again.')
  assert.equal(await write(5, `/who ${MINT}`), `${HOSTILE} is behind it\nall of it`)
  assert.deepEqual(
    telegram.sent.at(-1)!.entities.map(({ type }) => type),
    ['code', 'text_link'],
  )
  assert.match(await write(5, `/who ${wallet().address}`), /Nothing is known/)
  await press(5, `watch:${wallet().address}`)
  await press(5, `watch:${wallet().address}`)
  assert.match(await write(5, `/watch ${MINT}`), /Not watched: an account may have 3 watches/)
  assert.match(await write(5, `/unwatch ${MINT}`), /Not watched any more/)
  assert.match(await write(5, `/unwatch ${MINT}`), /no such watch/)
  assert.match(await press(5, 'drop:watch_1'), /has ended/)
  assert.match(await press(5, 'drop:watch_1'), /no such watch/)
  assert.ok(telegram.answered.includes('q drop:watch_1'))
  assert.deepEqual(scene.troubles, [])
})

test('in a group only who linked it changes anything, and a chat reaches its own account only', async (t) => {
  const scene = await start(t)
  const { write, press, watches } = scene
  const group = await scene.link(-9)
  await scene.link(5)
  await write(-9, `/watch ${MINT}`)
  assert.equal(watches.size, 1)
  const stranger = { from: { id: 77 } }
  for (const text of [`/watch ${MINT}`, '/stop', '/unwatch'])
    assert.match(await write(-9, text, stranger), /Only the person who linked/)
  assert.match(await write(-9, `/who ${MINT}`, stranger), /is behind it/)
  assert.match(await write(-9, '/list@ti_bot', stranger), /Only the person who linked/)
  assert.match(await write(-9, '/list@ti_bot'), /^1\. /)
  const before = scene.telegram.sent.length
  await write(-9, '/list@another_bot')
  await write(-9, '/unknown')
  await write(-9, 'hello')
  assert.equal(scene.telegram.sent.length, before)
  // The watch belongs to another account.
  assert.match(await press(5, 'drop:watch_0'), /no such watch/)
  assert.match(await press(5, 'mute:watch_0'), /no such watch/)
  assert.match(await write(5, `/unwatch ${MINT}`), /no such watch/)
  assert.equal((await scene.row(group.id)).address, '-9')
})

/** A message of a member who writes as the group, or as a channel of theirs: `from` is one and the same bot for all of them. */
const ANONYMOUS = [
  {
    from: { id: 1087968824, is_bot: true, username: 'GroupAnonymousBot' },
    sender_chat: { id: -9, type: 'supergroup' },
  },
  { from: { id: 136817688, is_bot: true, username: 'Channel_Bot' }, sender_chat: { id: -77, type: 'channel' } },
]

test('who writes anonymously is nobody: they link nothing, change nothing, and see no list', async (t) => {
  const scene = await start(t)
  const { write } = scene
  const account = await scene.account()
  for (const as of ANONYMOUS) {
    const { destination, link } = await scene.add(account, { kind: 'telegram', name: 'group' })
    assert.match(await write(-9, `/start ${link!.code}`, as), /write as yourself/)
    assert.equal((await scene.row(destination.id)).address, null)
    // everybody in the group has read the code
    assert.match(await write(66, `/start ${link!.code}`), /not valid any more/)
  }
  await scene.link(-9)
  await write(-9, `/watch ${MINT}`)
  for (const as of ANONYMOUS) {
    for (const text of [`/watch ${MINT}`, '/unwatch', '/list', '/stop'])
      assert.match(await write(-9, text, as), /Only the person who linked/, text)
    assert.match(await write(-9, `/who ${MINT}`, as), /is behind it/)
  }
  assert.equal(scene.watches.size, 1)
})

test('a group is shown no watch but those whose alerts it gets, and a code that was read there is spent', async (t) => {
  const scene = await start(t)
  const { write, watches } = scene
  const { account, id } = await scene.link(-9)
  for (const n of [0, 1]) {
    const watch = { id: `own_${n}`, account, name: `secret ${n}`, target: wallet().address, paused: false }
    watches.set(watch.id, watch)
  }
  assert.match(await write(-9, '/list'), /secret 0.*\n.*secret 1/)
  await scene.book.change(account, id, { watches: ['own_1'] })
  for (const text of ['/list', '/unwatch']) {
    const list = await write(-9, text)
    assert.ok(!list.includes('secret 0') && list.includes('secret 1'), list)
  }
  const { link } = await scene.add(account, { kind: 'telegram', name: 'other' })
  assert.match(await write(-9, `/start ${link!.code}`), /linked already/)
  assert.match(await write(66, `/start ${link!.code}`), /not valid any more/)
})

test('updates that are none are passed over, and a chat that floods is not answered beyond its bound', async (t) => {
  const scene = await start(t)
  const { telegram, poll } = scene
  await scene.link(5)
  const before = telegram.sent.length
  for (const odd of [
    {},
    { message: null },
    { message: { chat: 5 } },
    { edited_message: {} },
    { callback_query: { id: 1 } },
    { message: { text: '/list' } },
  ]) {
    telegram.update(odd)
  }
  await poll()
  assert.equal(telegram.sent.length, before)
  for (let i = 0; i < UPDATES_MAX; i++) {
    telegram.update({ message: { chat: { id: 5, type: 'private' }, from: { id: 5 }, text: '/list' } })
  }
  await poll()
  assert.equal(telegram.sent.length, before + REPLIES)
  assert.equal(telegram.floods, 0)
  assert.deepEqual(scene.troubles, [])
})

test('a bot that is refused says so without its token', async (t) => {
  const scene = await start(t)
  const troubles: unknown[] = []
  const api = createTelegramApi({ outbound: scene.outbound, url: 'http://telegram.example', token: '9:wrong' })
  const bot = createBot({
    ...{
      api,
      pace: createTelegramPace(scene.now),
      chats: createChatBook(scene.database, { now: scene.now, reader: scene.alertStore }),
    },
    ...{ watches: null as never, who: null as never, pause: async () => {} },
    troubles: { note: (_, error) => void troubles.push(String(error)) },
  })
  assert.equal(await bot.name(), null)
  assert.equal(await bot.poll(new AbortController().signal), false)
  assert.deepEqual(troubles, ['Error: Telegram answered 401: Unauthorized'])
})
