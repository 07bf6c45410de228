import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '../../base/ids.ts'
import { COLOUR, VERDICT_CODES } from '../../base/verdict-codes.ts'
import type { Group } from '../../model/bundles.ts'
import { QUOTE } from '../../model/events.ts'
import { emptyBundleBook } from '../../model/generated/empty.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { newGlobals } from '../globals.ts'
import { newWallet } from '../history.ts'
import { openPosition } from '../positions.ts'
import { readLiveToken } from '../resident.ts'
import type { StateReader } from '../state.ts'
import { newToken } from '../tokens.ts'
import { type Reading, readToken } from './reading.ts'

const NOW = 100_000
const SUPPLY = 1e15
const TOKEN = 1e6

interface Holder {
  readonly wallet?: Partial<Wallet>
  readonly position?: Partial<Position>
}

/** Base units owned by holders, as in the fold. */
const ownedBy = (positions: readonly Position[]): number =>
  positions.reduce((sum, { balance }) => sum + (balance >= 1e6 ? balance : 0), 0)

/** Holders of one percent of supply each by default, numbered from 0. */
function read(
  holders: readonly Holder[],
  token: Partial<Token> = {},
  groups: readonly Partial<Group>[] = [],
  veterans = 200,
): Reading {
  const wallets = holders.map(
    ({ wallet }, id): Wallet => ({ ...newWallet(id, `w${id}`.padEnd(32, '.') as Key, 0), ...wallet }),
  )
  const positions = holders.map(
    ({ position }, id): Position => ({ ...openPosition(0, wallets[id]!, NOW), balance: SUPPLY / 100, ...position }),
  )
  const whole = groups.map(
    (group, no): Group => ({
      ...{
        no,
        mergedInto: -1,
        firstSlot: 0,
        founder: 0,
        members: [],
        balance: 0,
        peak: 0,
        remembered: 0,
        confirmedSlot: 0,
      },
      ...{ bought: 0, sold: 0, flows: [], red: false, netSellSlot: -1 },
      ...group,
    }),
  )
  const book = { ...emptyBundleBook(), groups: whole }
  const live = readLiveToken({ positions: () => positions, bundles: () => book } as unknown as StateReader, {
    ...newToken(0, 'm'.repeat(32) as Key, 0, 1),
    ...{ supply: SUPPLY, lastTradeSlot: NOW, quoteReserve: 60e9, baseReserve: 6e14, owned: ownedBy(positions) },
    ...token,
  })
  const globals = newGlobals()
  const population = { ...globals.population, veterans }
  return readToken(live, { slot: NOW, firstSlot: 0, solUsd: 150, population, wallet: (id) => wallets[id]! })
}

/** The share with one of four equal holders changed. */
const share = (name: keyof Reading['shares'], holder: Holder): number => read([holder, {}, {}, {}]).shares[name]
const others = (name: keyof Reading['shares']): number => read([{}, {}, {}, {}]).shares[name]

test('dumpers and chart nukers: below their edges, not at them', () => {
  const impact = (value: number): Holder => ({ wallet: { impactWeighted: value, impactWeight: 1 } })
  assert.equal(share('dumpers', impact(-0.61)), 0)
  assert.equal(share('dumpers', impact(-0.6101)), 25)
  assert.equal(share('nukers', impact(-3.6)), 0)
  assert.equal(share('dumpers', impact(-3.6)), 25)
  assert.equal(share('nukers', impact(-3.6001)), 25)
  assert.equal(share('dumpers', {}), 0)
})

test('diamond hands: 1,500 slots', () => {
  assert.equal(share('diamond', { position: { acquiredSlot: NOW - 1_500 } }), 25)
  assert.equal(share('diamond', { position: { acquiredSlot: NOW - 1_499.99 } }), 0)
})

test('in profit: what it cost is at most what it is worth; what was given is', () => {
  // at 0.0001 lamports per base unit 1 % of supply is worth 1 SOL
  assert.equal(share('inProfit', { position: { cost: 1e9 } }), others('inProfit'))
  assert.equal(share('inProfit', { position: { cost: 1e9 + 1 } }), others('inProfit') - 25)
  assert.equal(others('inProfit'), 100)
})

test('holders: at least one whole token', () => {
  const few = (balance: number): number => read([{ position: { balance } }, {}]).holders.count
  assert.equal(few(TOKEN), 2)
  assert.equal(few(TOKEN - 1), 1)
  assert.equal(few(0), 1)
})

test('the ten largest, equal ones by wallet', () => {
  const { top, count, owned } = read(
    Array.from({ length: 12 }, (_, n) => ({ position: { balance: n < 6 ? 5 * TOKEN : (n + 1) * TOKEN } })),
  ).holders
  assert.deepEqual(
    top.map(({ wallet }) => wallet),
    [11, 10, 9, 8, 7, 6, 0, 1, 2, 3],
  )
  assert.deepEqual([count, owned], [12, 87 * TOKEN])
})

const HISTORY = ['dumpers', 'jeets', 'alphaHands', 'cooktimer'] as const

test('history: a fifth of the owned supply in hands that ever closed a position', () => {
  const known: Holder = { wallet: { closed: 1 } }
  const five = read([known, {}, {}, {}, {}])
  assert.equal(five.coverage, 0.2)
  for (const name of HISTORY) assert.notEqual(five.metrics[name], null)
  assert.notEqual(five.conviction, null)
  const six = read([known, {}, {}, {}, {}, {}])
  for (const name of HISTORY) assert.equal(six.metrics[name], null)
  assert.equal(six.conviction, null)
  for (const name of ['bundle', 'dirty', 'inProfit', 'smartWallets'] as const) assert.notEqual(six.metrics[name], null)
})

test('conviction: at least three holders', () => {
  const known: Holder = { wallet: { closed: 1 } }
  assert.equal(read([known, known]).conviction, null)
  assert.notEqual(read([known, known, known]).conviction, null)
  assert.equal(read([known, known, { position: { balance: TOKEN - 1 } }]).conviction, null)
})

test('nothing owned or never traded: no reading', () => {
  for (const reading of [read([]), read([{ wallet: { closed: 1 } }, {}, {}], { lastTradeSlot: -1 })]) {
    assert.ok(Object.values(reading.metrics).every((metric) => metric === null))
    assert.deepEqual([reading.score.value, reading.score.hasReading, reading.cooktimer], [0, false, 0])
  }
})

test('cooktimer: when holders are expected to sell, weighted by what they hold; overdue is negative', () => {
  // without any sale every wallet's expected holding time is 140 slots
  assert.equal(read([{}, {}]).cooktimer, 140)
  assert.equal(read([{ position: { acquiredSlot: NOW - 1_000 } }, {}]).cooktimer, -360)
  const large = { position: { acquiredSlot: NOW - 1_000, balance: (3 * SUPPLY) / 100 } }
  const reading = read([large, {}])
  assert.equal(reading.cooktimer, -610)
  assert.equal(reading.overduePct, 75)
  assert.equal(read([{ position: { acquiredSlot: NOW - 140 } }]).overduePct, 0)
  assert.equal(read([{ position: { acquiredSlot: NOW - 140.01 } }]).overduePct, 100)
})

test('smart wallets: a confirmed group counts once', () => {
  const smart: Holder = { wallet: { smart: true, lastSlot: NOW } }
  const member: Holder = { ...smart, position: { group: 0 } }
  const holders = [smart, smart, member, member, {}]
  assert.equal(read(holders, {}, [{}]).smartWallets, 3)
  assert.equal(read(holders, {}, [{ confirmedSlot: -1 }]).smartWallets, 4)
  const quiet: Holder = { wallet: { smart: true, lastSlot: NOW - 14 * 216_000 * 1.2 - 1 } }
  assert.equal(read([quiet]).smartWallets, 0)
  assert.deepEqual(
    [read(holders, {}, [{}], 199).metrics.smartWallets, read(holders, {}, [{}]).metrics.smartWallets],
    [null, 3],
  )
})

test('bundles: counted above 0.05 % of supply, red ones, the largest three', () => {
  const trace = SUPPLY * 0.0005
  const group = (balance: number, changes: Partial<Group> = {}): Partial<Group> => ({ balance, ...changes })
  const red = { red: true, netSellSlot: NOW - 1_499 }
  const { bundles } = read([{ position: { group: 2 } }, { position: { group: 4 } }, {}], {}, [
    group(trace),
    group(trace + 1),
    group(3 * trace, red),
    group(5 * trace, { ...red, netSellSlot: NOW - 1_500 }),
    group(4 * trace, { confirmedSlot: -1 }),
    group(2 * trace, { mergedInto: 2 }),
    group(2 * trace),
  ])
  assert.deepEqual([bundles.count, bundles.redCount], [4, 1])
  assert.deepEqual(bundles.largest, [5 * trace, 3 * trace, 2 * trace])
  assert.equal(bundles.owned, SUPPLY / 100)
})

test('independent holders: worth 0.05 SOL or more, those of unknown worth too', () => {
  // 1 % of supply is worth 1 SOL
  const worth = (sol: number): Holder => ({ position: { balance: (SUPPLY / 100) * sol } })
  const holders = [worth(0.05), worth(0.0499), worth(0.06), worth(0.05)]
  assert.equal(read(holders).independent.count, 3)
  // 60e9 base units of a dollar for 6e14: 1 % of supply is worth 1,000 dollars, and 0.05 SOL are 7.5
  const dollars = { quote: QUOTE.USDC } as const
  assert.equal(read([worth(0.0075), worth(0.00749)], dollars).independent.count, 1)
  assert.equal(
    read([worth(1e-6), worth(1)], { quote: QUOTE.other, asset: { mint: 'a'.repeat(32) as Key, decimals: 6 } })
      .independent.count,
    2,
  )
})

test('their effective number: (Σb)² / Σb² of all of them, exact whatever their order', () => {
  const hold = (...shares: number[]) => read(shares.map((balance) => ({ position: { balance } }))).independent.effective
  assert.equal(hold(1e13, 1e13, 1e13), 3)
  assert.equal(hold(9e13, 1e13), 1.21)
  assert.equal(hold(3e14 + 1, 7e13 - 3, 11e12 + 7), hold(11e12 + 7, 3e14 + 1, 7e13 - 3))
  assert.equal(hold(), 0)
})

test('the smaller of the two counts: 6, 12 and 40 equal holders are worth 15, 40 and 150', () => {
  const equal = (count: number, dust: number): number | null =>
    read([
      ...Array.from({ length: count }, () => ({})),
      ...Array.from({ length: dust }, () => ({ position: { balance: TOKEN } })),
    ]).metrics.independentHolders
  assert.equal(equal(6, 0), 6)
  assert.equal(equal(6, 100), 6)
  const one = { position: { balance: SUPPLY / 10 } }
  const small = { position: { balance: SUPPLY / 2000 } }
  const { independent, metrics } = read([one, ...Array.from({ length: 60 }, () => small)])
  assert.deepEqual(independent, { count: 61, effective: 1.68 })
  assert.equal(metrics.independentHolders, (15 * 1.68) / 6)
})

test('independent holders: those outside every confirmed group', () => {
  const member: Holder = { position: { group: 0 } }
  const dust: Holder = { position: { balance: TOKEN - 1 } }
  assert.equal(read([member, {}, {}, dust], {}, [{}]).metrics.independentHolders, 2)
  assert.equal(read([member, {}, {}, dust], {}, [{ confirmedSlot: -1 }]).metrics.independentHolders, 3)
})

test('a member’s group is the one that its own was merged into', () => {
  const groups = [{ mergedInto: 1, confirmedSlot: -1 }, { balance: SUPPLY / 100 }]
  assert.equal(read([{ position: { group: 0 } }, {}], {}, groups).shares.bundle, 50)
})

test('the score takes the cap of the token’s verdict', () => {
  const people = Array.from(
    { length: 60 },
    (): Holder => ({
      wallet: { closed: 1, smart: true, lastSlot: NOW, solBalance: 0 },
      position: { acquiredSlot: NOW - 10, firstBuySlot: 50_000, bought: SUPPLY / 100 },
    }),
  )
  const served = (colour: number, red: number): readonly [number, string[]] => {
    const history = [{ slot: NOW, colour, code: VERDICT_CODES.indexOf('known_holders'), event: 0 }]
    const { score } = read(people, { verdict: { ...newToken(0, 'm' as Key, 0, 1).verdict, history, red } })
    return [score.value, score.contributions.flatMap(({ part }) => (part.kind === 'cap' ? [part.cap] : []))]
  }
  const [own, none] = served(COLOUR.green, 0)
  assert.ok(own >= 5)
  assert.deepEqual(none, [])
  assert.deepEqual(served(COLOUR.red, 1 << VERDICT_CODES.indexOf('bundled')), [2.9, ['bundled']])
})

test('KOLs: largest share first, with when they usually sell', () => {
  const kol = (balance: number, wallet: Partial<Wallet> = {}): Holder => ({
    wallet: { kol: true, ...wallet },
    position: { balance, acquiredSlot: 90_000 },
  })
  const seller = { sells: 1, holdCost: 10, holdCostSlots: 10 * 540 }
  const { kols } = read([kol(2e13), kol(3e13, seller), {}, kol(2e13), kol(TOKEN - 1)])
  assert.deepEqual(
    kols.map(({ wallet, balance, expectedSellSlot }) => [wallet.id, balance, expectedSellSlot]),
    [
      [1, 3e13, 90_240],
      [0, 2e13, null],
      [3, 2e13, null],
    ],
  )
})
