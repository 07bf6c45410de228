import assert from 'node:assert/strict'
import { setPriority } from 'node:os'
import { type TestContext, test } from 'node:test'
import type { ResourceName } from '@ti/service/access/shared/shared.ts'
import { SHARED } from '@ti/service/access/shared/table.ts'
import type WebSocket from 'ws'
import { type Caller, forkBare, forkCaller } from './caller.ts'
import { ACCOUNTS, addressOf, createScene, each, type Scene, STRANGERS } from './shared-scene.ts'
import { openTarget, quantile } from './target.ts'

/**
 * Strangers from 1,000 addresses and 100 free accounts take all they can get of every resource in the table, and keep it. Meanwhile a
 * Pro key is refused nothing. How long it waits is held against a bar by `npm run bench -- shared`.
 */
interface World extends Scene {
  readonly t: TestContext
  /** of visitors: each has its own window of reads */
  readonly cookies: readonly string[]
  readonly sockets: WebSocket[]
  readonly accounts: Awaited<ReturnType<Scene['account']>>[]
  readonly mints: readonly string[]
}

interface Attack {
  /** takes what strangers can get; resolves to the number of refusals they met */
  strangers(world: World): Promise<number>
  /** what a Pro key does meanwhile; left out: only strangers use it, or it needs a session */
  pro?(world: World): Promise<unknown>
}

const RICH = 'sol_amount > 1000000'
/** milliseconds of each measurement */
const MEASURED_MS = 5_000
const ROUNDS = 3
/** of a process */
const LOWEST = 19

async function posts({ accounts, ask }: World, path: string, many: number, body: (n: number) => object) {
  let refused = 0
  await each(accounts.length * many, 8, async (n) => {
    const { status } = await ask(path, { ...accounts[n % ACCOUNTS]!, method: 'POST', body: body(n) })
    assert.ok([200, 400].includes(status), `${path}: ${status}`)
    if (status === 400) refused++
  })
  return refused
}

const condition = (name: string) => ({ kind: 'condition', target: 'mcap > 1000000000', name })
const watch = (name: string) => ({ kind: 'wallet', target: '11111111111111111111111111111111', name })

async function reads(
  world: World,
  paths: readonly string[],
  how: { method?: string; many?: number; cookie?: boolean },
) {
  const { ask, cookies } = world
  const { method = 'GET', many = STRANGERS } = how
  let refused = 0
  await each(many, 200, async (n) => {
    const headers = { 'sec-fetch-site': 'same-origin', ...(how.cookie && { cookie: cookies[n % cookies.length]! }) }
    const { status } = await ask(paths[n % paths.length]!, { method, from: addressOf(n % STRANGERS), headers })
    assert.ok([200, 404, 429, 503].includes(status), `${paths[0]}: ${status}`)
    if (status === 429 || status === 503) refused++
  })
  return refused
}

async function answered({ ask, pro }: World, path: string, body?: object): Promise<void> {
  const { status, text } = await ask(path, { headers: pro, ...(body && { method: 'POST', body }) })
  assert.equal(status, 200, `a Pro key: ${path}: ${text}`)
}

async function openPro(world: World): Promise<WebSocket> {
  const socket = await world.open('127.0.0.1', { query: `&api_key=${world.key}` })
  assert.ok(typeof socket !== 'number', `a Pro key’s socket: ${socket}`)
  world.t.after(() => socket.terminate())
  return socket
}

/** Receivers are on the public internet: those that hang take all places in the test of the worker of deliveries. */
const DELIVERED: Attack = { strangers: async () => 1 }

/** Every row of the table has its attack: the compiler asks for it. */
const ATTACKS: Readonly<Record<ResourceName, Attack>> = {
  sockets: {
    async strangers({ open, cookies: [cookie], sockets }) {
      let refused = 0
      await each(3 * STRANGERS, 50, async (n) => {
        const socket = await open(addressOf(n % STRANGERS), { cookie: cookie! })
        if (typeof socket === 'number') refused++
        else sockets.push(socket)
      })
      assert.ok(sockets.length <= SHARED.sockets.pool.free)
      return refused
    },
    pro: openPro,
  },
  filters: {
    async strangers({ sockets, join }) {
      let refused = 0
      await each(sockets.length, 50, async (n) => {
        if ((await join(sockets[n]!, { filter: n === 0 ? RICH : `sol_amount > ${1_000_000 + n}` })) !== 'ok') refused++
      })
      return refused
    },
    async pro(world) {
      assert.equal(await world.join(await openPro(world), { filter: 'sol_amount > 999999' }), 'ok')
    },
  },
  joins: {
    async strangers({ sockets, join }) {
      let refused = 0
      for (let round = 0; round < 10 && refused === 0; round++) {
        await each(sockets.length, 200, async (n) => {
          // a filter that exists, and that no message satisfies
          if ((await join(sockets[n]!, { filter: RICH })) !== 'ok') refused++
        })
      }
      return refused
    },
    async pro(world) {
      assert.equal(await world.join(await openPro(world), {}), 'ok')
    },
  },
  documents: {
    strangers: (world) => reads(world, ['/docs/scalar.js'], { method: 'HEAD', many: 2 * STRANGERS }),
  },
  pictures: {
    strangers: (world) =>
      reads(
        world,
        world.mints.map((mint) => `/share/token/${mint}.png`),
        { many: 400 },
      ),
  },
  previews: {
    strangers: (world) => reads(world, [`/share/token/${'1'.repeat(32)}.png`], { many: 7 * STRANGERS }),
  },
  readings: {
    strangers: (world) =>
      reads(
        world,
        world.mints.map((mint) => `/app/v1/tokens/${mint}`),
        { cookie: true },
      ),
    async pro(world) {
      for (const mint of world.mints.slice(0, 20)) await answered(world, `/v1/tokens/${mint}/trades`)
    },
  },
  batches: {
    async strangers({ ask, mints }) {
      let refused = 0
      await each(STRANGERS, 200, async (n) => {
        const body = { mints: Array.from({ length: 50 }, (_, i) => mints[(n + i) % mints.length]!) }
        const { status } = await ask('/v1/tokens/batch', { method: 'POST', from: addressOf(n), body })
        assert.ok([402, 429, 503].includes(status), `a batch: ${status}`)
        if (status !== 402) refused++
      })
      return refused
    },
    pro: (world) => answered(world, '/v1/tokens/batch', { mints: world.mints.slice(0, 10) }),
  },
  conditions: {
    strangers: (world) => posts(world, '/account/watches', 11, (n) => condition(`c${n}`)),
    pro: (world) => answered(world, '/account/watches', condition('mine')),
  },
  watches: {
    strangers: (world) => posts(world, '/account/watches', 1, (n) => watch(`w${n}`)),
    pro: (world) => answered(world, '/account/watches', watch('mine')),
  },
  alerts: {
    // their conditions make them; what is kept of them is each account's own
    strangers: async () => 1,
    pro: (world) => answered(world, '/account/alerts'),
  },
  destinations: {
    strangers: (world) =>
      posts(world, '/account/destinations', 3, (n) => ({
        ...{ kind: 'webhook', name: `d${n}` },
        url: `https://hook-${n}.invalid/`,
      })),
  },
  webhooks: DELIVERED,
  webhooks_failing: DELIVERED,
  webhooks_new: DELIVERED,
  chats: DELIVERED,
  chats_failing: DELIVERED,
  chats_new: DELIVERED,
}

/** These are given back at once, so that strangers may meet no refusal. */
const FLEETING: readonly ResourceName[] = ['readings', 'batches', 'pictures']

/** Milliseconds that a hundredth of a caller's answers exceed. */
async function measure(caller: Caller): Promise<number> {
  const answers = await caller.measure(MEASURED_MS)
  assert.ok(
    answers.every(({ status }) => status === 200),
    'a Pro key is refused nothing',
  )
  return quantile(
    answers.map(({ ms }) => ms),
    0.99,
  )
}

/** Runs `work` while strangers ask again and again, each on a new connection. */
async function during<Result>(world: World, work: () => Promise<Result>): Promise<Result> {
  let isOver = false
  const crowd = Promise.all(
    [ATTACKS.readings, ATTACKS.batches, ATTACKS.documents].map(async ({ strangers }) => {
      while (!isOver) await strangers(world)
    }),
  )
  try {
    return await work()
  } finally {
    isOver = true
    await crowd
  }
}

test('strangers take all of theirs of everything; a Pro key is refused nothing', { timeout: 600_000 }, async (t) => {
  const target = await openTarget(t, { keys: 30 })
  const caller = forkCaller(target.port, target.keys)
  t.after(caller.stop)
  const scene = createScene(target)
  let mints: string[] = []
  await target.until('there are tokens to ask about', async () => {
    const { data } = JSON.parse((await scene.ask('/v1/tokens/new', { headers: scene.pro })).text) as {
      data: { mint: string }[]
    }
    mints = data.map(({ mint }) => mint)
    return mints.length > 10
  })
  const world: World = {
    ...{
      ...scene,
      t,
      sockets: [],
      accounts: [],
      cookies: await Promise.all(Array.from({ length: 40 }, scene.visitor)),
    },
    mints,
  }
  t.after(() => world.sockets.forEach((socket) => void socket.terminate()))
  await each(ACCOUNTS, 8, async (n) => void world.accounts.push(await scene.account(n)))
  for (const [name, { strangers, pro }] of Object.entries(ATTACKS) as [ResourceName, Attack][]) {
    const refused = await strangers(world)
    await pro?.(world)
    const { used, most } = ((await target.readyz()).body.shared as Record<string, { used: never; most: never }>)[name]!
    const { free, visitor } = used as Record<string, number>
    t.diagnostic(
      `${name}: strangers have ${free! + visitor!} of ${(most as { free: number }).free}, refused ${refused} times`,
    )
    assert.ok(free! + visitor! <= (most as { free: number }).free)
    assert.ok(refused > 0 || FLEETING.includes(name), `${name}: nobody was refused`)
  }
  const bare = await forkBare((await scene.ask('/v1/tokens/new', { headers: scene.pro })).text)
  t.after(bare.stop)
  const besides = forkCaller(bare.port, target.keys)
  t.after(besides.stop)
  // who attacks has processors of their own: here they take only what is left
  setPriority(LOWEST)
  const p99: Record<'quiet' | 'attacked' | 'bare', number[]> = { quiet: [], attacked: [], bare: [] }
  for (let round = 0; round < ROUNDS; round++) {
    p99.quiet.push(await measure(caller))
    p99.attacked.push(await during(world, () => measure(caller)))
    p99.bare.push(await during({ ...world, ...createScene({ ...target, port: bare.port }) }, () => measure(besides)))
  }
  const [quiet, attacked, ofBare] = [p99.quiet, p99.attacked, p99.bare].map((all) => quantile(all, 0.5).toFixed(2))
  t.diagnostic(`p99 of a Pro key: quiet ${quiet} ms, with strangers ${attacked} ms, of a bare server ${ofBare} ms`)
})
