import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { encode, transferTransaction, withSignatureByte } from '../support/payments-fixtures.ts'
import type { Goods } from './payments-goods.ts'
import { anyWay, type Market, pick, pickWeighted, type Random, type Sale } from './payments-market.ts'
import { type Ask, type Good, type Paper, paymentText } from './payments-wire.ts'

export interface Scene {
  readonly market: Market
  readonly goods: Goods
  readonly keys: { readonly pro: string; readonly free: string }
  readonly payTo: string
  readonly feePayer: string
  /** whether there are buyers who run out of money */
  readonly poor: boolean
  /** takes all the money of a wallet */
  drain(wallet: string): void
}

type Act = (scene: Scene, random: Random) => Promise<void>

/** Attempts before a client gives up for now; what it leaves is followed to its end when the faults are over. */
const FOR_NOW = { tries: 3, ms: 10_000 }
/** only there to end a test that has failed */
const TO_THE_END = { tries: Number.POSITIVE_INFINITY, ms: 90_000 }

async function through(market: Market, sale: Sale, good: Good, random: Random, first?: Partial<Ask>): Promise<void> {
  await market.follow(sale, good, random, FOR_NOW, first)
}

const buy: Act = async ({ market, goods }, random) => {
  const good = pick(goods.full, random)
  await through(market, await market.sign(market.buyer(random), good, random), good, random)
}

/** The client leaves at any moment, and asks again. */
const leave: Act = async ({ market, goods }, random) => {
  const good = pick(goods.full, random)
  const sale = await market.sign(market.buyer(random), good, random)
  await through(market, sale, good, random, { patienceMs: Math.floor(random() * 120) })
}

/** What cannot be charged for leaves the payment good for something else of that price. */
const nothingFirst: Act = async ({ market, goods }, random) => {
  const [useless, kind] = pick(
    [
      [goods.empty, 'free'],
      [goods.unknown, 'not found'],
      [goods.malformed, 'bad request'],
    ] as const,
    random,
  )
  const none = pick(useless, random)
  const good = pick(
    goods.full.filter(({ amount }) => amount === none.amount),
    random,
  )
  const sale = await market.sign(market.buyer(random), good, random)
  const verdict = await market.present(sale, none, random)
  // its blockhash may have died while the service was down
  const dead = verdict.kind === 'refused' && /simulation_failed/.test(verdict.message)
  if (!dead && ![kind, 'wait', 'lost', 'left'].includes(verdict.kind)) {
    market.problems.push(`${none.path} with a payment: ${JSON.stringify(verdict)}`)
  }
  await through(market, sale, good, random)
}

/** Two payments and money for one, or none; more money later. */
const dry: Act = async (scene, random) => {
  const { market, goods, drain } = scene
  if (!scene.poor) return buy(scene, random)
  const good = pick(goods.full, random)
  const buyer = await market.poorBuyer(good.amount)
  const first = await market.sign(buyer, good, random)
  const second = await market.sign(buyer, good, random)
  const both = Promise.all([first, second].map((sale) => through(market, sale, good, random)))
  if (random() < 0.5) drain(buyer.address)
  await both
  market.fund(buyer.address, 2 * good.amount)
  await Promise.all(
    [first, second].filter(({ answers }) => answers.length === 0).map((sale) => through(market, sale, good, random)),
  )
}

/** Copies of a payment, some at the same moment, some for another call, some with other bytes that mean the same. */
const copy: Act = async ({ market, goods }, random) => {
  const sale = random() < 0.5 ? market.sales.at(-1 - Math.floor(random() * 8)) : pick(market.sales, random)
  if (sale === undefined) return
  const altered = {
    ...sale.paper,
    transaction: withSignatureByte(sale.paper.transaction, 0, Math.floor(random() * 256)),
  }
  const paper: Paper = random() < 0.3 ? altered : sale.paper
  const others = goods.full.filter(({ amount }) => amount === sale.paper.amount)
  const good = random() < 0.6 ? sale.goods[0]! : pick(others, random)
  const copies = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    through(market, sale, good, random, { paper }),
  )
  await Promise.all(copies)
}

const keyed: Act = async ({ market, goods, keys }, random) => {
  const good = pick(goods.full, random)
  const beside = random() < 0.5
  const sale = beside ? await market.sign(market.buyer(random), good, random) : null
  const paper = sale?.paper
  const headers = { authorization: `Bearer ${keys.pro}` }
  const verdict = await market.call({ good, way: anyWay(good, random), paper, headers }, random)
  if (verdict.kind === 'free' ? verdict.data !== good.expected : !['lost', 'left'].includes(verdict.kind)) {
    market.problems.push(`${good.path} with a Pro key: ${verdict.kind}`)
  }
  // never charged beside a key, so that it is good for a call without one
  if (sale !== null && random() < 0.5) await through(market, sale, good, random)
}

const freeKey: Act = async ({ market, goods, keys }, random) => {
  const good = pick(goods.full, random)
  const headers = { authorization: `Bearer ${keys.free}`, cookie: `session=${keys.free}` }
  const { kind } = await market.call({ good, way: anyWay(good, random), headers }, random)
  if (!['free', 'limited', 'lost', 'left'].includes(kind)) market.problems.push(`${good.path} with a free key: ${kind}`)
}

const unpaid: Act = async ({ market, goods }, random) => {
  const good = pick([...goods.full, ...goods.empty, ...goods.unknown], random)
  const wrong = `sk_live_${randomBytes(32).toString('base64url')}`
  market.secrets.add(wrong)
  const headers = random() < 0.3 ? { authorization: `Bearer ${wrong}` } : {}
  const { kind } = await market.call({ good, way: anyWay(good, random), headers }, random)
  if (!['refused', 'lost', 'left'].includes(kind)) market.problems.push(`${good.path} without anything: ${kind}`)
}

const junk: Act = async (scene, random) => {
  const { market, goods } = scene
  const good = pick(goods.full, random)
  const paper = await junkPaper(scene, good, random)
  const way = anyWay(good, random)
  for (const version of [1, 2] as const) market.secrets.add(paymentText(paper, version))
  const { kind } = await market.call({ good, way, paper }, random)
  if (!['refused', 'lost', 'left', 'wait'].includes(kind)) market.problems.push(`${good.path} with junk: ${kind}`)
}

async function junkPaper({ market, payTo, feePayer }: Scene, good: Good, random: Random): Promise<Paper | string> {
  const buyer = market.buyer(random)
  const fair = { buyer, payTo, feePayer, amount: good.amount }
  const paper = async (changed: object): Promise<Paper> => {
    const transaction = await transferTransaction({ ...fair, ...changed })
    return { transaction, amount: good.amount, payTo, feePayer }
  }
  const forged = async (): Promise<Paper> => {
    const { transaction, ...rest } = await paper({})
    const byte = 1 + Math.floor(random() * 255)
    return { ...rest, transaction: withSignatureByte(transaction, 1, Buffer.from(transaction, 'base64')[65]! ^ byte) }
  }
  const kinds: readonly (() => Promise<Paper | string>)[] = [
    async () => randomBytes(60).toString('base64'),
    async () => encode({ x402Version: 3, payload: { transaction: randomBytes(300).toString('base64') } }),
    async () => encode({ x402Version: 2, accepted: {}, payload: {} }),
    async () => randomBytes(7_000).toString('base64'),
    () => paper({ amount: good.amount - 1 }),
    () => paper({ amount: good.amount + 1 }),
    () => paper({ payTo: buyer.address }),
    () => paper({ feePayer: payTo }),
    () => paper({ units: 1_000_000 }),
    // well formed in all respects, with a blockhash that never was
    () => paper({}),
    forged,
  ]
  return pick(kinds, random)()
}

const ACTS: readonly { readonly weight: number; readonly name: string; readonly run: Act }[] = [
  { weight: 34, name: 'buy', run: buy },
  { weight: 12, name: 'leave', run: leave },
  { weight: 8, name: 'nothing to charge for first', run: nothingFirst },
  { weight: 4, name: 'dry', run: dry },
  { weight: 10, name: 'copies', run: copy },
  { weight: 7, name: 'Pro key', run: keyed },
  { weight: 4, name: 'free key', run: freeKey },
  { weight: 9, name: 'unpaid', run: unpaid },
  { weight: 12, name: 'junk', run: junk },
]

/** One client does one thing. */
export async function act(scene: Scene, random: Random): Promise<void> {
  const { name, run } = pickWeighted(ACTS, random)
  scene.market.count(`act: ${name}`)
  await run(scene, random)
}

/** Everybody who has no data repeats the payment, for everything it was presented for, until told how it ended. */
export async function settleUp({ market }: Scene, random: Random): Promise<void> {
  const due = market.sales.filter(({ answers, presented }) => presented && answers.length === 0)
  const one = async (sale: Sale): Promise<void> => {
    for (const good of sale.goods.filter(({ expected }) => expected !== null && expected !== '[]')) {
      const ended = await market.follow(sale, good, random, TO_THE_END, { patienceMs: 60_000 })
      assert.ok(ended, `a payment has come to no end: ${sale.hash}`)
      if (sale.answers.length > 0) return
    }
  }
  const next = due.values()
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const sale of next) await one(sale)
    }),
  )
}
