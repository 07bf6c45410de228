import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standingOf } from '@ti/core/engine/actors/standing.ts'
import { FAMILIES } from '@ti/core/model/bundles.ts'
import { emptyDeployer } from '@ti/core/model/generated/empty.ts'
import { createActorMarket, smallerKey } from '../support/actors-market.ts'
import { runs } from '../support/chance.ts'
import fc from '../support/property.ts'
import { actorsFrom, type Deed, type Enrolment, servantsFrom } from './actors-reference.ts'

const RUNS = runs(500)
const LAUNCH = { drained: false, rugged: false, firstSale: -1, bought: -1, bundled: -1 }
/** tokens that exist: few enough for chance to matter */
const KNOWN = 260

const draws = fc.array(
  fc.record({
    token: fc.nat({ max: 9 }),
    group: fc.nat({ max: 5 }).map((n) => (n === 5 ? 1 : 0)),
    wallet: fc.nat({ max: 13 }),
    paid: fc.nat({ max: 7 }).map((n) => n === 7),
  }),
  { minLength: 20, maxLength: 120 },
)

/** A wallet is in one group of a token, once; who shares a payer does so with the member before it. */
function stepsOf(list: readonly { token: number; group: number; wallet: number; paid: boolean }[]): Enrolment[] {
  const steps: Enrolment[] = []
  for (const { token, group, wallet, paid } of list) {
    if (steps.some((step) => step.token === token && step.wallet === wallet)) continue
    const last = steps.findLast((step) => step.token === token && step.group === group)
    steps.push({ token, group, wallet, payerWith: paid && last !== undefined ? last.wallet : -1 })
  }
  return steps
}

const PAYER = 1 << FAMILIES.indexOf('payer')

/** Wallets with a record of their own: one is an influencer's, one has traded enough outside of groups; a third not quite. */
const OWN = new Set([0, 1])

function found(steps: readonly Enrolment[], restartEvery = Number.POSITIVE_INFINITY) {
  const market = createActorMarket(KNOWN)
  market.wallet(0).kol = true
  Object.assign(market.wallet(1), { mintsBought: 5, trades: 10, bundledTrades: 2 })
  Object.assign(market.wallet(2), { mintsBought: 5, trades: 10, bundledTrades: 3 })
  steps.forEach((step, i) => {
    market.enrol(step, i)
    if ((i + 1) % restartEvery === 0) market.restart()
  })
  const edges = market.actors().flatMap(({ id }) => market.tracker().edgesOf(id).edges)
  return {
    market,
    result: {
      actors: market.actors().map(({ firstSlot, founder, wallets }) => ({
        ...{ founded: firstSlot, founder, members: [...wallets].sort((a, b) => a - b) },
      })),
      edges: edges
        .map(({ a, b, mints, families }) => ({ wallets: `${a} ${b}`, mints, payer: (families & PAYER) !== 0 }))
        .sort((x, y) => (x.wallets < y.wallets ? -1 : 1)),
    },
  }
}

const met = { actors: 0, merged: 0, refused: 0 }

test('actors and the evidence behind them equal the slow reference', () => {
  fc.assert(
    fc.property(draws, (list) => {
      const steps = stepsOf(list)
      const { market, result } = found(steps)
      assert.deepEqual(result, actorsFrom(steps, KNOWN, OWN, smallerKey))
      met.actors += result.actors.length
      met.merged +=
        market.wallet(0).memberships.length > 0 && result.actors.some(({ members }) => members.length > 3) ? 1 : 0
      met.refused += steps.some(({ wallet }) => market.wallet(wallet).actor < 0) ? 1 : 0
      for (const { id, wallets } of market.actors())
        for (const one of wallets) assert.equal(market.wallet(one).actor, id)
    }),
    { numRuns: RUNS },
  )
  assert.ok(met.actors > 0 && met.merged > 0 && met.refused > 0, JSON.stringify(met))
})

test('restarts change nothing, and a prefix knows nothing of what follows', () => {
  fc.assert(
    fc.property(draws, fc.integer({ min: 1, max: 9 }), fc.nat(), (list, every, cut) => {
      const steps = stepsOf(list)
      assert.deepEqual(found(steps, every).result, found(steps).result)
      const part = steps.slice(0, cut % (steps.length + 1))
      assert.deepEqual(found(part, every).result, actorsFrom(part, KNOWN, OWN, smallerKey))
    }),
    { numRuns: RUNS / 5 },
  )
})

/** wallets that launch, those of them that serve an actor from the start, and wallets that fund them */
const DEPLOYERS = [20, 21, 22, 23, 24, 25] as const
const deeds: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('launch' as const), wallet: fc.constantFrom(...DEPLOYERS) }),
  fc.record({
    kind: fc.constant('fund' as const),
    // others than deployers too: whom a purse funds besides counts against it
    wallet: fc.constantFrom(...DEPLOYERS, 26, 27),
    by: fc.constantFrom(30, 31, 32),
    exchange: fc.nat({ max: 9 }).map((n) => n === 9),
  }),
)

/** Each wallet has one first funder. */
function once(list: readonly Deed[]): Deed[] {
  const funded = new Set<number>()
  return list.filter((deed) => {
    if (deed.kind === 'launch') return true
    if (funded.has(deed.wallet)) return false
    funded.add(deed.wallet)
    return true
  })
}

/** Two actors, and a deployer of each. */
function employers() {
  const market = createActorMarket(1_000_000)
  for (const token of [0, 1, 2, 3])
    for (const wallet of token < 2 ? [0, 1] : [2, 3]) market.enrol({ token, group: 0, wallet, payerWith: -1 }, token)
  const [first, second] = market.actors().map(({ id }) => id)
  const served = new Map([
    [DEPLOYERS[0], first!],
    [DEPLOYERS[1], second!],
  ])
  for (const [wallet, actor] of served) market.wallet(wallet).serves = actor
  let tokens = 10
  const launches = new Map<number, number[]>()
  return {
    market,
    served,
    act(deed: Deed, slot: number): void {
      const wallet = market.wallet(deed.wallet)
      if (deed.kind === 'launch') {
        const { token } = market.live(tokens++)
        wallet.launches++
        token.deployer = wallet.id
        launches.set(wallet.id, [...(launches.get(wallet.id) ?? []), token.id])
        return market.tracker().deployed(token, wallet, slot)
      }
      const purse = market.wallet(deed.by)
      purse.funded++
      purse.exchange ||= deed.exchange
      wallet.funder = purse.id
      wallet.funderLamports = 1e9
      const own = launches.get(wallet.id)
      if (own !== undefined)
        market.tracker().funded(
          wallet,
          own.map((id) => market.live(id).token),
          slot,
        )
    },
    launches,
  }
}

test('who deploys for whom equals the slow reference, and a launch names the actor', () => {
  let hired = 0
  fc.assert(
    fc.property(fc.array(deeds, { minLength: 5, maxLength: 60 }).map(once), (list) => {
      const { market, served, act, launches } = employers()
      const all = [...list, ...DEPLOYERS.map((wallet) => ({ kind: 'launch', wallet }) as const)]
      for (const [i, deed] of all.entries()) act(deed, 100 + i)
      const expected = servantsFrom(all, served)
      for (const id of [...DEPLOYERS, 26, 27, 30, 31, 32])
        assert.equal(market.wallet(id).serves, expected.get(id) ?? -1, `wallet ${id}`)
      for (const [wallet, tokens] of launches) {
        const actor = expected.get(wallet)
        const named = market.live(tokens.at(-1)!).token.actors.map((one) => one.actor)
        assert.deepEqual(named, actor === undefined ? [] : [actor])
      }
      hired += DEPLOYERS.filter((id) => expected.has(id)).length - served.size
    }),
    { numRuns: RUNS },
  )
  assert.ok(hired > 0)
})

test('an exchange that is in no list hires nobody: it funds mostly others', () => {
  const { market, act } = employers()
  act({ kind: 'launch', wallet: 20 }, 10)
  act({ kind: 'fund', wallet: 20, by: 30, exchange: false }, 11)
  assert.notEqual(market.wallet(30).serves, -1)
  for (const wallet of [500, 501]) act({ kind: 'fund', wallet, by: 30, exchange: false }, 12)
  for (let wallet = 600; wallet < 640; wallet++) {
    act({ kind: 'fund', wallet, by: 30, exchange: false }, wallet)
    act({ kind: 'launch', wallet }, wallet)
    assert.equal(market.wallet(wallet).serves, -1)
  }
})

test('bounds hold where hundreds act together again and again', () => {
  const market = createActorMarket(1_000_000)
  let slot = 0
  for (let token = 0; token < 2; token++) {
    for (let wallet = 0; wallet < 300; wallet++) market.enrol({ token, group: 0, wallet, payerWith: -1 }, slot++)
  }
  const counts = new Map<number, number>()
  for (const { id, wallets, tokens } of market.actors()) {
    assert.ok(wallets.length <= 256 && tokens.length <= 128, `${wallets.length} wallets`)
    for (const { a, b, mints } of market.tracker().edgesOf(id).edges) {
      assert.ok(mints.length <= 8)
      for (const end of [a, b]) counts.set(end, (counts.get(end) ?? 0) + 1)
    }
  }
  assert.ok(market.actors().length > 0 && Math.max(...counts.values()) === 64)
})

test('a bot that is in groups with everybody is in no actor, and joins none', () => {
  const market = createActorMarket(1_000_000)
  const BOT = 500
  let slot = 0
  for (const round of [0, 1, 2]) {
    for (let pair = 0; pair < 12; pair++) {
      const token = 12 * round + pair
      for (const wallet of [BOT, 2 * pair, 2 * pair + 1])
        market.enrol({ token, group: 0, wallet, payerWith: -1 }, slot++)
    }
  }
  assert.equal(market.wallet(BOT).actor, -1)
  assert.deepEqual(
    market.actors().map(({ wallets }) => [...wallets].sort((a, b) => a - b)),
    Array.from({ length: 12 }, (_, pair) => [2 * pair, 2 * pair + 1]),
  )
})

test('an actor is named where it launches, or has a stake; its record is what it launched and gained by', () => {
  const market = createActorMarket(1_000)
  for (const token of [0, 1])
    for (const wallet of [0, 1]) market.enrol({ token, group: 0, wallet, payerWith: -1 }, 10 * token)
  const [actor] = market.actors()
  const records = { token: (id: number) => market.live(id).token, wallet: market.wallet, rootId: (id: number) => id }
  assert.deepEqual(
    actor!.tokens.map(({ token, bought, paid }) => ({ token, bought, paid })),
    [0, 1].map((token) => ({ token, bought: 2_000, paid: 20 })),
  )
  const { token } = market.live(2)
  Object.assign(token, { createdKnown: true, createdSlot: 100, supply: 100_000 })
  const buy = { isBuy: true, tokens: 499, lamports: 5 }
  const trade = (wallet: number, over: Partial<typeof buy>, slot: number): void =>
    market.tracker().traded(token, market.wallet(wallet), { ...buy, ...over }, slot)
  trade(1, {}, 101)
  assert.deepEqual(token.actors, [], 'dust')
  trade(1, { tokens: 1 }, 102)
  assert.deepEqual(token.actors, [{ actor: actor!.id, slot: 102, by: 1 }], 'half a percent of supply')
  trade(0, { isBuy: false, tokens: 200, lamports: 4 }, 120)
  trade(0, { isBuy: false, tokens: 100, lamports: 9 }, 151)
  token.drainedSlot = 151
  const next = market.live(3).token
  Object.assign(next, { deployer: 0, createdSlot: 200, drainedSlot: 300, ruggedSlot: 300 })
  market.tracker().deployed(next, market.wallet(0), 200)
  assert.deepEqual(next.actors, [{ actor: actor!.id, slot: 200, by: 0 }])
  const expected = { wallets: 2, tokens: 4, launched: 1, drained: 0, rugged: 0, taken: 0, exitSlots: 50 }
  const at = { firstSlot: 10, lastSlot: 200 }
  assert.deepEqual(standingOf(records, actor!, 400), { ...expected, ...at }, 'it gained nothing')
  market.tracker().traded(next, market.wallet(0), { isBuy: false, tokens: 1, lamports: 7 }, 250)
  const gained = { ...expected, ...at, drained: 1, rugged: 1, taken: 7, lastSlot: 250 }
  assert.deepEqual(standingOf(records, actor!, 200 + 19_440_000), gained)
  assert.deepEqual(
    standingOf(records, actor!, 201 + 19_440_000),
    { ...expected, ...at, launched: 0, lastSlot: 250 },
    'faded',
  )
})

test('money names an actor too, half a SOL paid or got', () => {
  const market = createActorMarket(1_000)
  for (const token of [0, 1])
    for (const wallet of [0, 1]) market.enrol({ token, group: 0, wallet, payerWith: -1 }, 10 * token)
  for (const [n, isBuy, lamports] of [
    [0, true, 499_999_999],
    [1, true, 500_000_000],
    [1, false, 500_000_000],
  ] as const) {
    const { token } = market.live(5 + 2 * n + Number(isBuy))
    market.tracker().traded(token, market.wallet(1), { isBuy, tokens: 1, lamports }, 500)
    assert.equal(token.actors.length, n)
  }
})

test('a deployer serves an actor once both gained on two of its launches', () => {
  for (const [actors, deployers, serves] of [
    [1, 1, true],
    [0, 1, false],
    [1, 0, false],
  ] as const) {
    const market = createActorMarket(1_000_000)
    const deployer = market.wallet(50)
    deployer.launches = 3
    deployer.deployer = { ...emptyDeployer(), recent: [] }
    for (const token of [0, 1, 2]) {
      market.live(token).token.deployer = deployer.id
      deployer.deployer.recent.push({ ...LAUNCH, token, taken: deployers })
      for (const wallet of [0, 1]) market.enrol({ token, group: 0, wallet, payerWith: -1 }, 10 * token)
      const sale = { isBuy: false, tokens: 1, lamports: 20 + actors }
      market.tracker().traded(market.live(token).token, market.wallet(0), sale, 10 * token + 5)
    }
    assert.equal(deployer.serves >= 0, serves, `${actors} ${deployers}`)
  }
})
