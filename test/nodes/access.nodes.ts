import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { after, before, type TestContext, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Task } from '@ti/service/access/accounts/key-work.ts'
import { WebSocket } from 'ws'
import { type Postgres, startPostgres } from '../postgres.mjs'
import { checkHistories, checkMoney, pathsOf } from '../simulation/payments-books.ts'
import { settleUp } from '../simulation/payments-calls.ts'
import { pick } from '../simulation/payments-market.ts'
import type { Verdict } from '../simulation/payments-wire.ts'
import { operatorOf, startService } from '../simulation/service.ts'
import { runs, seed } from '../support/chance.ts'
import { solve } from '../support/key-work.ts'
import { seededRandom } from '../support/random.ts'
import { eventually } from '../support/wait.ts'
import { wallet } from '../support/wallet.ts'
import {
  ageLeases,
  ageWindows,
  type NodesWorld,
  openNodesWorld,
  type Readyz,
  readWith,
  readyOf,
} from './access-world.ts'

/**
 * Three serving nodes over one PostgreSQL, each a process of its own: limits hold for all of them together, one payment
 * buys one answer wherever it comes in, and a database that dies or falls silent costs nobody anything.
 */
const SEED = seed()
const OUTAGES = runs(4)
/** milliseconds after which a read counts as hung: below the time a statement may take that nothing waits for */
const HANGS_MS = 8_000
/** one settlement service for all of them, or each by itself with the same fee payer */
const PAYMENTS = SEED % 2 === 0 ? 'facilitator' : 'self'

const postgres: Postgres | { readonly missing: string } = await startPostgres()
const withPostgres = { skip: 'missing' in postgres && postgres.missing, timeout: 300_000 }
const server = (): Postgres => postgres as Postgres
if (!('missing' in postgres)) process.on('exit', postgres.stop)

let world: NodesWorld
before(async () => {
  if (!withPostgres.skip) world = await openNodesWorld({ postgres: server(), seed: SEED, payments: PAYMENTS })
})
after(async () => {
  await world?.close()
  if (!withPostgres.skip) server().stop()
})

test('600 calls a minute of a key, whichever node is asked', withPostgres, async (t) => {
  const { nodes, database, proKeys } = world
  const [one] = await proKeys(1)
  const numbers: number[] = []
  for (let minute = 0; minute < 3; minute++) {
    await ageWindows(database)
    const began = performance.now()
    const statuses = new Map<number, number>()
    let sent = 0
    const client = async (first: number): Promise<void> => {
      for (let turn = first; sent < 720; turn++) {
        sent++
        const status = await readWith(nodes[turn % nodes.length]!.url, one!.key)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    // few at once: where the database has no processor for many, nodes rightly count alone
    await Promise.all(Array.from({ length: 6 }, (_, i) => client(i)))
    const answered = statuses.get(200) ?? 0
    numbers.push(answered)
    assert.equal(answered + (statuses.get(429) ?? 0), sent, JSON.stringify([...statuses]))
    // a starved machine: nodes whose database answers too late count alone for a while
    const lateMs = Math.max(0, performance.now() - began - 20_000)
    const most = 606 + Math.ceil((lateMs / 60_000) * 600)
    assert.ok(answered >= 600 && answered <= most, `${answered} of ${sent} were answered, at most ${most}`)
  }
  t.diagnostic(`answered of 720 sent in a minute: ${numbers.join(', ')}`)
})

test('50 copies of a payment over three nodes: one answer, one settlement, one row', withPostgres, async (t) => {
  t.diagnostic(`seed ${SEED}, payments by ${PAYMENTS}`)
  const { market, goods, chain, facilitator, books } = world
  const random = seededRandom(SEED)
  const earned = chain.tokens(chain.seller)
  const asked = (): number => facilitator?.seen.get('as it should') ?? 0
  const before = asked()
  const sales = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const good = pick(goods.full, random)
      // a buyer each: the payments of one are settled one after the other
      return { good, sale: await market.sign(await market.poorBuyer(good.amount), good, random) }
    }),
  )
  await Promise.all(
    sales.map(async ({ good, sale }) => {
      // new payers are only so many at once, and are asked to come again
      const copy = async (): Promise<Verdict> => {
        for (;;) {
          const verdict = await market.present(sale, good, random)
          if (verdict.kind !== 'wait') return verdict
          await pause(20 + random() * 150)
        }
      }
      const copies = Array.from({ length: 50 }, copy)
      const verdicts = await Promise.all(copies)
      const kinds = verdicts.map(({ kind }) => kind)
      const told = [...new Set(verdicts.map((one) => ('message' in one ? `${one.kind}: ${one.message}` : one.kind)))]
      const made = new Set(verdicts.flatMap((one) => (one.kind === 'data' ? [one.madeFor] : [])))
      assert.deepEqual(
        [kinds.filter((kind) => kind === 'data').length, made.size],
        [50, 1],
        `${good.path}: ${told.join('; ')}`,
      )
    }),
  )
  assert.deepEqual(market.problems, [])
  const price = sales.reduce((sum, { good }) => sum + good.amount, 0)
  assert.equal(Number(chain.tokens(chain.seller) - earned), price)
  if (facilitator !== null) assert.equal(asked() - before, sales.length, 'settlements asked for')
  await eventually('every answer is noted', async () => {
    const { rows } = await books()
    return sales.every(({ sale }) => rows.find(({ hash }) => hash === sale.hash)?.state === 'answered')
  })
  const { rows, events } = await books()
  for (const { sale } of sales) {
    assert.equal(rows.filter(({ hash }) => hash === sale.hash).length, 1)
    const settled = events.get(sale.hash)!.filter(({ state }) => state === 'settled')
    assert.deepEqual(
      settled.map(({ amount }) => amount),
      [sale.paper.amount],
    )
  }
})

test('a key that one node revokes is refused by the others within five seconds', withPostgres, async () => {
  const [one, ...others] = world.nodes.map(({ url }) => url) as [string, string, string]
  await ageWindows(world.database)
  const { headers } = await signIn(one, one, wallet())
  // a task of one node is good at every other
  const given = await post(`${others[0]}/account/work`, {}, headers)
  const work = solve(((await given.json()) as { data: Task }).data)
  const asked = await post(`${one}/account/keys`, { name: 'one', work }, headers)
  const { key, id } = ((await asked.json()) as { data: { key: string; id: string } }).data
  assert.equal(await readWith(one, key), 200, 'known at once where it was made')
  const everywhere = (what: string, holds: (status: number) => boolean) =>
    Promise.all(
      others.map((url) => eventually(what, async () => holds(await readWith(url, key)), { deadlineMs: 5_000 })),
    )
  // a free key has few calls, and those who ask too often are told so
  await everywhere('it is known to the others', (status) => status === 200 || status === 429)
  await ageWindows(world.database)
  const gone = await fetch(`${one}/account/keys/${id}`, { method: 'DELETE', headers, body: '{}' })
  assert.equal(gone.status, 200, await gone.text())
  assert.equal(await readWith(one, key), 402, 'refused at once where it was revoked')
  await everywhere('it is refused by the others', (status) => status === 402)
})

const JSON_BODY = { 'content-type': 'application/json' }

const post = (url: string, body: object, headers: Readonly<Record<string, string>> = JSON_BODY) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })

/** Asks one node for a challenge and answers it at another; what is sent along by whoever is signed in. */
async function signIn(first: string, second: string, holder: ReturnType<typeof wallet>) {
  const asked = await post(`${first}/account/challenge`, { wallet: holder.address })
  const { nonce, message } = ((await asked.json()) as { data: { nonce: string; message: string } }).data
  const signature = sign(null, Buffer.from(message), holder.key).toString('base64')
  const signedIn = await post(`${second}/account/session`, { nonce, signature })
  assert.equal(signedIn.status, 200, await signedIn.text())
  const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!
  return { headers: { ...JSON_BODY, cookie } }
}

test('the cookie of a visitor, and the session of an account, are good at every node', withPostgres, async () => {
  const [one, two, three] = world.nodes.map(({ url }) => url) as [string, string, string]
  await ageWindows(world.database)
  const ofPage = { 'sec-fetch-site': 'same-origin' }
  const given = await fetch(`${one}/app/session`, { headers: ofPage })
  const cookie = given.headers.get('set-cookie')!.split(';', 1)[0]!
  const left: string[] = []
  for (const url of [one, two, three]) {
    const answer = await fetch(`${url}/app/v1/tokens/new`, { headers: { ...ofPage, cookie } })
    assert.equal(answer.status, 200, await answer.text())
    left.push(answer.headers.get('x-ratelimit-remaining')!)
  }
  assert.deepEqual(left, ['119', '118', '117'], 'and is counted together')
  const forged = cookie.slice(0, -4) + (cookie.endsWith('AAAA') ? 'BBBB' : 'AAAA')
  assert.equal((await fetch(`${two}/app/v1/tokens/new`, { headers: { ...ofPage, cookie: forged } })).status, 402)
  const elsewhere = await fetch(`${two}/v1/tokens/new`, { headers: { ...ofPage, cookie } })
  assert.equal(elsewhere.status, 402, 'the cookie is good for the page alone')

  const holder = wallet()
  const { headers } = await signIn(one, two, holder)
  const who = async (url: string): Promise<unknown> => {
    const answer = await fetch(`${url}/account/session`, { headers })
    return ((await answer.json()) as { data: { wallet?: string } }).data.wallet
  }
  for (const url of [one, two, three]) assert.equal(await who(url), holder.address)
  await fetch(`${three}/account/session`, { method: 'DELETE', headers, body: '{}' })
  for (const url of [one, two, three]) assert.equal(await who(url), undefined)
})

/** Reads with Pro keys at every node until stopped; each has to be answered, whatever the database does. */
function readAll(t: TestContext, { nodes }: NodesWorld, keys: readonly string[], random: () => number) {
  const statuses = new Map<number | string, number>()
  let slowestMs = 0
  let isOver = false
  const reader = async (first: number): Promise<void> => {
    for (let turn = first; !isOver; turn++) {
      const start = performance.now()
      const asked = readWith(nodes[turn % nodes.length]!.url, pick(keys, random))
      const status = await asked.catch((error: Error) => `${error.message} ${error.cause}`)
      slowestMs = Math.max(slowestMs, performance.now() - start)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await pause(10)
    }
  }
  const running = Promise.all(Array.from({ length: 4 }, (_, i) => reader(i)))
  const stop = async () => {
    isOver = true
    await running
    return { statuses, slowestMs }
  }
  t.after(stop)
  return stop
}

/** Buyers at every node until stopped. */
function buyAll(t: TestContext, { market, goods }: NodesWorld, random: () => number) {
  let isOver = false
  const buyer = async (): Promise<void> => {
    while (!isOver) {
      const good = pick(goods.full, random)
      const sale = await market.sign(market.buyer(random), good, random)
      await market.follow(sale, good, random, { tries: 3, ms: 10_000 })
      await pause(random() * 30)
    }
  }
  const running = Promise.all(Array.from({ length: 6 }, buyer))
  const stop = async () => {
    isOver = true
    await running
  }
  t.after(stop)
  return stop
}

/** A stream of one node: whether it is still there is asked with a heartbeat. */
async function openStream(t: TestContext, url: string, key: string): Promise<() => Promise<void>> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket/websocket?vsn=2.0.0&api_key=${key}`)
  t.after(() => socket.terminate())
  let replies = 0
  socket.on('message', () => {
    replies++
  })
  await new Promise((done, fail) => socket.once('open', done).once('error', fail))
  return async () => {
    const before = replies
    socket.send(JSON.stringify([null, '1', 'phoenix', 'heartbeat', {}]))
    await eventually('the stream answers', () => replies > before, { deadlineMs: 10_000 })
  }
}

/** The database is killed and stays away until every node has said so; a node that starts meanwhile gives up. */
async function killAndLook(t: TestContext, { nodes, env, market, goods }: NodesWorld): Promise<void> {
  await server().kill()
  const random = seededRandom(SEED + 9)
  const good = pick(goods.full, random)
  const sale = await market.sign(market.buyer(random), good, random)
  assert.equal((await market.present(sale, good, random)).kind, 'wait', 'a payment while there is no ledger')
  for (const { url } of nodes) {
    let seen: Readyz | undefined
    await eventually('a node says that accounts do not answer', async () => {
      seen = await readyOf(url)
      return !seen.accounts.answering
    })
    assert.equal(seen!.ready, true)
    assert.ok(Date.parse(seen!.accounts.since!) <= Date.now(), `${seen!.accounts.since}`)
    assert.match(await (await fetch(`${operatorOf(url)}/metrics`)).text(), /^ti_accounts_answering 0$/m)
  }
  const late = await startService({ ...env, DATA_DIR: `${nodes[0]!.dataDir}-late` }).exit
  assert.equal(late.code, 1)
  assert.match(late.stderr, /the database at 127\.0\.0\.1:\d+ cannot be used: .*Check DATABASE_URL/)
  await server().start()
  t.diagnostic('killed until all nodes had noticed')
}

async function disturb(t: TestContext, random: () => number): Promise<void> {
  const told: string[] = []
  for (let outage = 1; outage < OUTAGES; outage++) {
    await pause(300 + random() * 1_200)
    const ms = Math.round(200 + random() * 2_000)
    if (random() < 0.5) {
      await server().kill()
      await pause(ms)
      await server().start()
      told.push(`killed for ${ms} ms`)
    } else {
      world.way.freeze()
      await pause(ms)
      world.way.thaw()
      told.push(`silent for ${ms} ms`)
    }
  }
  t.diagnostic(told.join(', '))
}

/** Until no node has anything left whose end it does not know. */
async function untilNothingIsOpen({ nodes, books, database }: NodesWorld): Promise<void> {
  for (const { url } of nodes) {
    await eventually('a node has its database again', async () => (await readyOf(url)).accounts.answering)
  }
  let open: readonly string[] = []
  await eventually(
    'nothing is left open',
    async () => {
      await ageLeases(database)
      const { rows } = await books()
      open = rows.map(({ state }) => state).filter((state) => /reserved|settling/.test(state))
      const known = await Promise.all(nodes.map(async ({ url }) => (await readyOf(url)).payments))
      return open.length === 0 && known.every((payments) => payments.ready && payments.open === 0)
    },
    { seen: () => open.join(' ') },
  )
}

test(`the database is away ${OUTAGES} times: reads go on, and the books are the chain’s`, withPostgres, async (t) => {
  t.diagnostic(`seed ${SEED}, outages ${OUTAGES}, payments by ${PAYMENTS}`)
  const { nodes, market, goods, chain, database, proKeys, books } = world
  const random = seededRandom(SEED + 1)
  await ageWindows(database)
  // so many that no window fills up, also where each node counts alone
  const keys = (await proKeys(40)).map(({ key }) => key)
  const beats = await openStream(t, nodes[0]!.url, keys[0]!)
  const stopReading = readAll(t, world, keys, random)
  const stopBuying = buyAll(t, world, random)
  await pause(500)
  await killAndLook(t, world)
  await disturb(t, random)
  await pause(500)
  await stopBuying()
  const { statuses, slowestMs } = await stopReading()
  t.diagnostic(`reads: ${JSON.stringify(Object.fromEntries(statuses))}, the slowest took ${Math.round(slowestMs)} ms`)
  for (const { program } of nodes) await program.up()
  assert.deepEqual([...statuses.keys()], [200])
  assert.ok(slowestMs < HANGS_MS, 'a read hung')
  assert.ok(statuses.get(200)! > 100, 'too little was read to prove anything')
  await beats()

  await untilNothingIsOpen(world)
  await settleUp(
    { market, goods, keys: { pro: '', free: '' }, payTo: '', feePayer: '', poor: false, drain() {} },
    random,
  )
  await untilNothingIsOpen(world)
  t.diagnostic(`${market.calls} calls: ${JSON.stringify(Object.fromEntries(market.tally))}`)
  const kept = await books()
  t.diagnostic(`ways: ${JSON.stringify(pathsOf(kept))}`)
  assert.deepEqual(market.problems, [])
  checkHistories(kept)
  const spent = (buyer: string): bigint => market.wallets.get(buyer)! - chain.tokens(buyer)
  const totals = checkMoney(kept, market, { earned: chain.tokens(chain.seller), spent })
  t.diagnostic(`${totals.payments} payments of ${market.sales.length} signed, ${totals.units} units`)
  assert.ok(totals.payments > 20, 'too little was paid to prove anything')
})
