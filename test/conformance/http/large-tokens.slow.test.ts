import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { SNAPSHOT_GROUPS } from '@ti/core/contract/resources.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import { QUERY_BOUNDS } from '@ti/core/query/bounds.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createCuts } from '@ti/core/query/cuts.ts'
import type { Answer } from '../../support/exchange.ts'
import { KEYS } from '../../support/fake-service.ts'
import { buildHistory, mintKey, type Step, TRADERS } from '../../support/histories.ts'
import { createMemoryStore } from '../../support/memory-store.ts'
import { until } from '../../support/payment-world.ts'
import { inV2, receiptIn } from '../../support/payments-fixtures.ts'
import { nextClient } from '../x402/door.ts'
import { openScene, type Scene, SNAPSHOT } from '../x402/scene.ts'

/** What callers get where a token with very many holders is read in slices: a later answer, or a refusal that costs nothing. */

const [FIRST, SECOND, SMALL] = [0, 1, 2]
const mint = (token: number): string => keyToBase58(mintKey(token))
const pathOf = (token: number): string => `/v1/tokens/${mint(token)}`
const step = (action: Step['action'], wallet: number, token: number): Step => ({
  ...{ gap: 1, token, wallet, action, size: 50 },
})

const history = buildHistory([
  ...[FIRST, SECOND].flatMap((token) => [
    step('create', 0, token),
    ...Array.from({ length: TRADERS }, (_, wallet) => step('buy', wallet, token)),
  ]),
  step('create', 0, SMALL),
])

interface Large extends Scene {
  /** lets the readings go on, which stand at first */
  read(): void
  /** readings that somebody waits for, and whose first turn has come */
  waiting(): number
  /** what a reading at once says */
  expected(token: number): unknown
}

/** Both faces over real readings: two tokens are large here, and only one may wait to be read. */
async function openLarge(t: TestContext): Promise<Large> {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 1_000 })
  for (const entry of history) {
    engine.apply(engine.globals.seq + 1, entry)
    store.write(engine.changes())
    engine.committed()
  }
  let go = (): void => {}
  const gate = new Promise<void>((open) => {
    go = open
  })
  t.after(go)
  let turns = 0
  const bounds = { ...QUERY_BOUNDS, readingPositions: TRADERS, readingSlice: 2, readingsWaiting: 1 }
  const turn = (): Promise<void> => {
    turns++
    return gate
  }
  const parts = { engine, store, now: () => 0 }
  const query = createQuery({ ...parts, cuts: createCuts({ engine, store, bounds, turn }) })
  const plain = createQuery(parts)
  const scene = await openScene(t, { errors: true, query })
  return Object.assign(scene, {
    read: go,
    waiting: () => turns,
    expected: (token: number) => JSON.parse(plain.snapshot(mint(token), SNAPSHOT_GROUPS)!.bytes.toString()),
  })
}

const withKey = { authorization: `Bearer ${KEYS.pro}` }
const dataOf = ({ body }: Answer): unknown => JSON.parse(body.toString()).data

/** Somebody asks for the first token, whose reading stands. */
async function firstAsked(scene: Large): Promise<{ readonly answer: Promise<Answer> }> {
  const answer = scene.ask(pathOf(FIRST), withKey)
  await until(() => scene.waiting() > 0)
  return { answer }
}

test('an answer that comes later is the one of a reading at once, and keeps nobody waiting who needs no reading', async (t) => {
  const scene = await openLarge(t)
  const buyer = await scene.buyer()
  const payment = await scene.sign(buyer, SNAPSHOT)
  let given = 0
  const asked = [
    scene.ask(pathOf(FIRST), withKey),
    scene.ask(pathOf(FIRST), inV2(payment), { from: nextClient() }),
  ].map(async (one) => {
    const answer = await one
    given++
    return answer
  })
  const tool = scene.call('scan_token', { mint: mint(FIRST) }, undefined, withKey)
  await until(() => scene.calls.verify === 1 && scene.waiting() > 0)
  assert.equal((await scene.ask(pathOf(SMALL), withKey)).status, 200)
  assert.equal((await scene.ask(`${pathOf(FIRST)}/trades`, withKey)).status, 200)
  assert.deepEqual([given, scene.calls.settle], [0, 0])
  scene.read()
  const [byKey, paid] = await Promise.all(asked)
  assert.deepEqual([byKey!.status, paid!.status], [200, 200])
  assert.ok(Number(byKey!.headers.get('x-ratelimit-remaining')) >= 0, 'of the window it was counted in')
  for (const answer of [byKey!, paid!]) assert.deepEqual(dataOf(answer), scene.expected(FIRST))
  assert.deepEqual((await tool).content.data, scene.expected(FIRST))
  assert.equal(receiptIn(paid!.headers)?.success, true)
  assert.deepEqual([scene.calls.settle, scene.earned()], [1, SNAPSHOT])
})

test('where too many tokens wait to be read: 503 with the time to come back, on both faces', async (t) => {
  const scene = await openLarge(t)
  const first = await firstAsked(scene)
  const refused = await scene.ask(pathOf(SECOND), withKey)
  assert.equal(refused.status, 503)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(refused.body.toString(), /try again in a few seconds/)
  const tool = await scene.call('scan_token', { mint: mint(SECOND) }, undefined, withKey)
  assert.equal(tool.isError, true)
  assert.match(tool.message, /try again in a few seconds/)
  // who waits for the same reading is no other one
  const beside = scene.ask(pathOf(FIRST), withKey)
  scene.read()
  assert.deepEqual([(await first.answer).status, (await beside).status], [200, 200])
  assert.equal((await scene.ask(pathOf(SECOND), withKey)).status, 200, 'there is room again')
})

test('where too many tokens wait to be read no payment is charged, and the same one buys later', async (t) => {
  const scene = await openLarge(t)
  const payment = await scene.sign(await scene.buyer(), SNAPSHOT)
  const ofTool = await scene.sign(await scene.buyer(), SNAPSHOT)
  const first = await firstAsked(scene)
  const from = nextClient()
  const refused = await scene.ask(pathOf(SECOND), inV2(payment), { from })
  assert.equal(refused.status, 503)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.equal(receiptIn(refused.headers), null)
  const tool = await scene.call('scan_token', { mint: mint(SECOND) }, { 'x402/payment': ofTool.v2 })
  assert.deepEqual([tool.isError, tool.receipt], [true, null])
  assert.deepEqual([await scene.state(payment), await scene.state(ofTool)], ['released', 'released'])
  assert.deepEqual([scene.calls.settle, scene.earned()], [0, 0])
  scene.read()
  assert.equal((await first.answer).status, 200)
  const bought = await scene.ask(pathOf(SECOND), inV2(payment), { from })
  assert.deepEqual([bought.status, dataOf(bought)], [200, scene.expected(SECOND)])
  assert.deepEqual([scene.calls.settle, scene.earned()], [1, SNAPSHOT])
})
