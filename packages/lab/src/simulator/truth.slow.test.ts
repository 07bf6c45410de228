import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { createDecoder } from '@ti/core/decode/block.ts'
import type { Fact, FundingFact } from '@ti/core/model/facts.ts'
import { createMarket } from './market.ts'
import { createSimulator, type SimulatorOptions } from './simulator.ts'
import { BUNDLE_TYPES, readTruth, SIMULATOR_TRUTH_SLOTS_MAX, type TruthToken } from './truth.ts'
import { createTruthWriter } from './truth-writer.ts'

const SEED = 4
const OPTIONS = { seed: SEED, tps: 60, speed: 0, slots: 5_000, traced: 0.97 } as const
const START = { slot: -1, time: 0, facts: 0 }

interface Seen {
  readonly truth: TruthToken[]
  readonly facts: { readonly fact: Fact; readonly after: number }[]
  /** Wallets that traded or received a token, by mint, in base58. */
  readonly owners: Map<string, Set<string>>
  readonly created: string[]
  readonly bought: { readonly mint: string; readonly wallet: string; readonly slot: number }[]
}

/** A market as read from the wire, and its truth. */
async function watch(options: Partial<SimulatorOptions>): Promise<Seen> {
  const seen: Seen = { truth: [], facts: [], owners: new Map(), created: [], bought: [] }
  const decoder = createDecoder()
  let slot = -1
  const report = (token: TruthToken) => void seen.truth.push(token)
  for await (const item of createSimulator(options).items(START, new AbortController().signal, report)) {
    if (item.kind === 'facts') seen.facts.push(...item.facts.map((fact) => ({ fact, after: slot })))
    if (item.kind !== 'raw') continue
    slot = item.block.slot
    for (const event of decoder.decodeBlock(item.block).events) {
      const mint = base58Encode(event.mint)
      if (event.kind === 'create') {
        seen.created.push(mint)
        seen.owners.set(mint, new Set())
      }
      if (event.kind === 'balance') seen.owners.get(mint)?.add(base58Encode(event.owner))
      if (event.kind !== 'trade' || !event.isBuy) continue
      const wallet = base58Encode(event.user)
      seen.owners.get(mint)?.add(wallet)
      seen.bought.push({ mint, wallet, slot })
    }
  }
  return seen
}

const seen = await watch(OPTIONS)

test('every launch is told once, in order, and only of wallets that got its tokens', () => {
  assert.deepEqual(
    seen.truth.map((token) => token.mint),
    seen.created,
  )
  for (const { mint, bundles, groups, snipers, copies, washers } of seen.truth) {
    const owners = seen.owners.get(mint)!
    // some bags reach their collectors in blocks that nobody reads
    const members = groups.flatMap((group) => group.members.filter(({ role }) => role !== 'collector'))
    for (const wallet of [...members.map((member) => member.wallet), ...snipers, ...copies.flat(), ...washers])
      assert.ok(owners.has(wallet), `${wallet} never got ${mint} (seed ${SEED})`)
    for (const { wallets } of bundles) assert.ok(wallets.length >= 2 && new Set(wallets).size === wallets.length)
  }
})

test('every kind of group, fate and lone wolf is there', (t) => {
  const types = seen.truth.flatMap((token) => token.bundles.map((bundle) => bundle.type))
  const counts = Object.fromEntries(BUNDLE_TYPES.map((type) => [type, types.filter((it) => it === type).length]))
  t.diagnostic(JSON.stringify(counts))
  for (const type of BUNDLE_TYPES) assert.ok(counts[type]! >= 3, `${type} (seed ${SEED})`)
  const fates = new Set(seen.truth.map((token) => token.fate))
  assert.deepEqual([...fates].sort(), ['dead', 'graduated', 'organic', 'rug'])
  const some = (name: 'snipers' | 'copies' | 'washers') => seen.truth.filter((token) => token[name].length > 0).length
  assert.ok(some('snipers') > seen.truth.length / 10)
  assert.ok(some('copies') > 10 && some('washers') > 10)
})

test('nobody is both a sniper on his own and a member of a group', () => {
  for (const { mint, bundles, snipers, washers } of seen.truth) {
    const members = new Set(bundles.flatMap((bundle) => bundle.wallets))
    for (const wallet of [...snipers, ...washers]) assert.ok(!members.has(wallet), `${wallet} on ${mint}`)
  }
})

test('who copies buys 1 to 3 slots after a purchase of the one he copies', () => {
  const slots = new Map<string, number[]>()
  for (const { mint, wallet, slot } of seen.bought) {
    const name = `${mint} ${wallet}`
    slots.set(name, [...(slots.get(name) ?? []), slot])
  }
  let checked = 0
  for (const { mint, copies } of seen.truth) {
    for (const [leader, follower] of copies) {
      const first = slots.get(`${mint} ${follower}`)![0]!
      const led = slots.get(`${mint} ${leader}`)!.filter((slot) => slot < first)
      // there may be slots without a block in between
      assert.ok(led.length > 0 && first - led.at(-1)! <= 6, `${follower} on ${mint} (seed ${SEED})`)
      checked++
    }
  }
  assert.ok(checked > 30)
})

test('groups by funder share one: where it was looked up, all members lead to the same wallet within two hops', () => {
  const funders = new Map<string, FundingFact>()
  for (const { fact, after } of seen.facts) {
    if (fact.kind !== 'funding') continue
    const wallet = base58Encode(fact.wallet)
    assert.ok(!funders.has(wallet), 'told once')
    assert.ok(fact.slot <= after, 'the first SOL came before it was looked up')
    funders.set(wallet, fact)
  }
  let groups = 0
  for (const { bundles } of seen.truth) {
    for (const { type, wallets } of bundles) {
      if (type !== 'funder_chain') continue
      const origins = wallets.flatMap((wallet) => funders.get(wallet) ?? [])
      const direct = new Set(origins.filter((fact) => !fact.exchange).map((fact) => fact.funder))
      // a deployer in the group was funded elsewhere
      if (origins.length >= 3) groups++
      assert.ok(direct.size <= 2, `${direct.size} funders (seed ${SEED})`)
    }
  }
  assert.ok(groups > 3)
  const shares = [...funders.values()].filter((fact) => fact.exchange).length / funders.size
  assert.ok(shares > 0.3 && shares < 0.8, `${shares} from exchanges`)
})

test('the first slot names the influencers', () => {
  const kols = seen.facts.filter(({ fact }) => fact.kind === 'kol')
  assert.ok(kols.length > 10 && kols.every(({ after }) => after === -1))
})

test('the truth does not change the market, and comes out again from its file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'truth-'))
  try {
    const path = join(folder, 'a.truth.jsonl')
    const writer = createTruthWriter(path, OPTIONS)
    seen.truth.forEach(writer.write)
    writer.finish()
    const head = JSON.parse(readFileSync(path, 'utf8').split('\n')[0]!)
    assert.deepEqual(head, { kind: 'market', seed: SEED, tps: 60, format: 3 })
    const read: TruthToken[] = []
    for await (const token of readTruth(path)) read.push(token)
    assert.deepEqual(read, seen.truth)
  } finally {
    rmSync(folder, { recursive: true })
  }
  const sizes = (truth: boolean) => {
    const market = createMarket({ seed: SEED, tps: 60, start: 1, truth })
    return Array.from({ length: 500 }, (_, i) => market.step(1 + i).transactions.map((it) => [it.fee, it.tip]))
  }
  assert.deepEqual(sizes(true), sizes(false))
})

test('the truth is told while the market runs: what waits is bounded', () => {
  const market = createMarket({ seed: SEED, tps: 2, start: 1, truth: true })
  const slots = SIMULATOR_TRUTH_SLOTS_MAX + 6_000
  const launched: number[] = []
  let reported = 0
  for (let slot = 1; slot <= slots; slot++) {
    for (const { actions } of market.step(slot).transactions) if (actions[0]!.kind === 'create') launched.push(slot)
    reported += market.finished(slot).length
  }
  const due = launched.filter((slot) => slot < slots - SIMULATOR_TRUTH_SLOTS_MAX - 500).length
  assert.ok(due > 0 && reported >= due, `${reported} told of ${due} due`)
  assert.equal(reported + market.finished().length, launched.length)
})
