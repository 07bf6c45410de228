import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base58Encode } from '@ti/core/base/base58.ts'
import { seeds } from '../../../../test/support/chance.ts'
import { createMarket } from './market.ts'
import type { PlannedFact } from './plan.ts'
import type { SimToken } from './tokens.ts'
import { type Wallet, walletKey } from './traders.ts'
import { FLATTERY_MOVES, GRIEF_MOVES, type LaunchKind, type Money, type TruthGroup, type TruthToken } from './truth.ts'

/** What each kind of market 3 is said to do, over markets that draw their own parameters. */
const SLOTS = 12_000
const START = 1_000_000
const SOL = 1e9
const MINUTE = 150

interface Trade {
  readonly slot: number
  readonly token: SimToken
  readonly wallet: Wallet
  readonly isBuy: boolean
  /** Lamports without fees, 0 for other quotes. */
  readonly lamports: number
}

function watch(seed: number) {
  const market = createMarket({ seed, tps: 60, start: START, truth: true })
  const trades: Trade[] = []
  const facts: PlannedFact[] = []
  const names = new Map<Wallet, string>()
  for (let slot = START; slot < START + SLOTS; slot++) {
    const plan = market.step(slot)
    facts.push(...plan.facts)
    for (const { failed, actions } of plan.transactions) {
      for (const action of failed ? [] : actions) {
        if (action.kind !== 'trade') continue
        const { token, wallet, isBuy } = action
        if (!names.has(wallet)) names.set(wallet, base58Encode(walletKey(seed, wallet)))
        trades.push({ slot, token, wallet, isBuy, lamports: token.quote === 0 ? action.quote : 0 })
      }
    }
  }
  return { seed, trades, facts, truth: market.finished(), names }
}

const markets = seeds(4, 51).map(watch)
const all = markets.flatMap(({ truth }) => truth)
const of = (...kinds: readonly LaunchKind[]): TruthToken[] => all.filter(({ launch }) => kinds.includes(launch))
const farms = of('quiet_farm', 'flattered').flatMap(({ slot, groups }) =>
  groups.filter(({ type }) => type === 'quiet').map((group) => ({ slot, group })),
)
/** Seconds from a group's first sale to its last. */
const lasted = ({ exits }: TruthGroup): number => 0.4 * (exits.at(-1)!.slot - exits[0]!.slot)

test('every kind is launched, and each market has shares of its own', (t) => {
  const kinds: LaunchKind[] = ['ordinary', 'joined', 'farm', 'whole_curve', 'adversary', 'quiet_farm', 'flattered']
  kinds.push('panic', 'griefed', 'grown', 'service')
  const counts = kinds.map((kind) => markets.map(({ truth }) => truth.filter(({ launch }) => launch === kind).length))
  t.diagnostic(kinds.map((kind, i) => `${kind} ${counts[i]}`).join('; '))
  for (const [i, kind] of kinds.entries()) assert.ok(counts[i]!.reduce((a, b) => a + b, 0) >= 5, kind)
  assert.ok(new Set(counts[kinds.indexOf('service')]).size > 1)
})

test('farms enter and leave within seconds or over minutes, at once or in parts, with old and new wallets', (t) => {
  const left = farms.map(({ group }) => group).filter(({ exits }) => exits.length >= 3)
  const spans = left.map(lasted).sort((a, b) => a - b)
  t.diagnostic(`${left.length} farms leave within ${spans[0]} to ${spans.at(-1)} s`)
  assert.ok(left.length >= 40 && spans[0]! <= 15 && spans.at(-1)! >= 600)
  const parts = left.map(({ exits }) => exits.length / new Set(exits.map(({ wallet }) => wallet)).size)
  assert.ok(Math.min(...parts) < 1.2 && Math.max(...parts) > 4)
  const again = new Map<string, number>()
  for (const { group } of farms) for (const wallet of group.wallets) again.set(wallet, (again.get(wallet) ?? 0) + 1)
  const uses = [...again.values()]
  assert.ok(uses.some((n) => n >= 3) && uses.filter((n) => n === 1).length > 100)
  const funders = farms.map(({ group }) => group.funder)
  assert.ok(funders.some((one) => one === null))
  assert.ok(funders.some((one) => one?.exchange === true) && funders.some((one) => one?.exchange === false))
})

test('a group’s money is what its wallets paid and got in trades', () => {
  let checked = 0
  for (const { trades, truth, names } of markets) {
    const money = new Map<string, { paid: number; got: number }>()
    for (const { token, wallet, isBuy, lamports } of trades) {
      const name = `${token.id} ${names.get(wallet)}`
      const sum = money.get(name) ?? { paid: 0, got: 0 }
      sum[isBuy ? 'paid' : 'got'] += lamports
      money.set(name, sum)
    }
    const ids = new Map(trades.map(({ token }) => [`${token.createdSlot} ${names.get(token.deployer)}`, token]))
    for (const { slot, deployer, launch, venue, groups } of truth) {
      const token = ids.get(`${slot} ${deployer}`)
      if (launch !== 'quiet_farm' || venue !== 'pump' || token === undefined) continue
      for (const { wallets, paid, got } of groups) {
        const sums: Money[] = wallets.map((wallet) => money.get(`${token.id} ${wallet}`) ?? { paid: 0, got: 0 })
        assert.equal(
          paid,
          sums.reduce((sum, one) => sum + one.paid, 0),
        )
        assert.equal(
          got,
          sums.reduce((sum, one) => sum + one.got, 0),
        )
        checked++
      }
    }
  }
  assert.ok(checked >= 20, `${checked}`)
})

test('most farms that leave gain, and many take 2 SOL and more', (t) => {
  const gains = farms.filter(({ group }) => group.exits.length > 0).map(({ group }) => (group.got - group.paid) / SOL)
  const took = gains.filter((gain) => gain >= 2).length
  t.diagnostic(`${gains.filter((gain) => gain > 0).length} of ${gains.length} gain, ${took} at least 2 SOL`)
  assert.ok(took >= 20)
})

test('a panic: dozens of strangers leave soon after one moment, and no group holds the token', () => {
  const panics = of('panic').filter(({ panic }) => panic !== null)
  assert.ok(panics.length >= 10)
  for (const { panic, groups, launcher, slot } of panics) {
    assert.deepEqual(groups, [])
    assert.ok(panic!.slot > slot && launcher.got <= launcher.paid)
  }
  const sellers = panics.map(({ panic }) => panic!.wallets.length).sort((a, b) => a - b)
  assert.ok(sellers[sellers.length >> 1]! >= 15 && sellers.at(-1)! >= 50, `${sellers}`)
  const twice = new Map<string, number>()
  for (const { panic } of panics) for (const wallet of panic!.wallets) twice.set(wallet, (twice.get(wallet) ?? 0) + 1)
  assert.ok([...twice.values()].filter((n) => n >= 3).length < twice.size / 50, 'the same do not meet again')
})

test('griefers: every trick is played on honest launches, by a known rugger, for little', (t) => {
  const griefed = of('griefed')
  const people = new Set(of('farm').flatMap(({ groups }) => groups.map(({ person }) => person)))
  const costs = new Map<string, number[]>()
  for (const { griefer, moves, groups } of griefed) {
    assert.ok(griefer !== null && people.has(griefer), `${griefer}`)
    assert.deepEqual(groups, [])
    for (const { move, lamports } of moves) costs.set(move, [...(costs.get(move) ?? []), lamports / SOL])
  }
  t.diagnostic([...costs].map(([move, sol]) => `${move} ${sol.map((n) => n.toFixed(3)).join(' ')}`).join('; '))
  for (const move of GRIEF_MOVES) {
    const sol = costs.get(move) ?? []
    assert.ok(sol.length >= 3, move)
    if (move !== 'buy_and_leave')
      assert.ok(
        sol.every((one) => one > 0 && one < 0.5),
        move,
      )
  }
})

test('flatterers: every move is made, and paid for', () => {
  const moves = of('flattered').flatMap((token) => token.moves)
  for (const name of FLATTERY_MOVES) {
    const made = moves.filter(({ move }) => move === name)
    assert.ok(made.length >= 3, name)
    for (const { lamports, wallets } of made) assert.ok(lamports > 0 && wallets.length > 0)
  }
})

test('some launches grow to hundreds of holders', () => {
  const buyers = markets.flatMap(({ trades }) => {
    const by = new Map<SimToken, Set<Wallet>>()
    for (const { token, wallet, isBuy } of trades)
      if (isBuy && token.kind === 'grown') by.set(token, (by.get(token) ?? new Set()).add(wallet))
    return Array.from(by.values(), ({ size }) => size)
  })
  assert.ok(buyers.filter((n) => n >= 300).length >= 3 && Math.max(...buyers) >= 700, `${buyers}`)
})

test('services launch again and again and sell within a minute', () => {
  for (const { truth } of markets) {
    const launches = new Map<string, number>()
    for (const { launch, deployer } of truth)
      if (launch === 'service') launches.set(deployer, (launches.get(deployer) ?? 0) + 1)
    assert.ok(Math.max(...launches.values()) >= 10, `${[...launches.values()]}`)
  }
  const services = of('service')
  const sold = services.filter(({ launcher }) => launcher.got > 0).length
  assert.ok(sold > 0.9 * services.length, `${sold} of ${services.length}`)
})

test('agents are listed, and half of them close 20 trades within the hour that a service makes first', () => {
  for (const { facts, trades } of markets) {
    const listed = facts.flatMap((fact) => (fact.kind === 'agent' ? [fact.wallet] : []))
    assert.equal(listed.length, 8)
    const sales = listed.map(
      (agent) =>
        trades.filter(({ wallet, isBuy, slot }) => wallet === agent && !isBuy && slot < START + 60 * MINUTE).length,
    )
    assert.ok(sales.filter((n) => n >= 20).length >= 4, `${sales}`)
  }
})
