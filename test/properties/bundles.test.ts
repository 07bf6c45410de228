import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isLink } from '@ti/core/engine/bundles/pairs.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import { FAMILIES } from '@ti/core/model/bundles.ts'
import { encodeBundleBook } from '@ti/core/model/generated/books.ts'
import { evidenceOf } from '@ti/core/model/pair.ts'
import { decodeBook } from '@ti/service/store/bundle-record.ts'
import { type BundleStep, createMarket, MARKET, type Market, type MarketOptions } from '../support/bundles-market.ts'
import { runs } from '../support/chance.ts'
import fc from '../support/property.ts'
import { detect, type ReferenceResult } from './bundles-reference.ts'

const RUNS = runs(300)

const MINTS = 3
const WALLETS = 14
/** One budget that everybody has, and few of the others so far. */
const budgets = { all: 5_000, common: new Map([[7, 900]]) }
const options: MarketOptions = { ...MARKET, deployer: 0, budgets }

interface Act {
  readonly gap: number
  readonly mint: number
  readonly wallet: number
  readonly other: number
  readonly kind: 'buy' | 'sell' | 'transfer' | 'funder' | 'rug' | 'actor'
  readonly sameTx: boolean
  readonly size: number
  readonly payer: number
  readonly tipper: number
  readonly budget: number
}

const wallet = fc.integer({ min: 0, max: WALLETS - 1 })
const seldom = (arbitrary: fc.Arbitrary<number>, weight: number): fc.Arbitrary<number> =>
  fc.oneof({ weight: 10, arbitrary: fc.constant(-1) }, { weight, arbitrary })

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({
    gap: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 6, arbitrary: fc.integer({ min: 1, max: 6 }) },
      { weight: 1, arbitrary: fc.constantFrom(30, 740, 750, 775, 1_499, 1_500) },
    ),
    mint: fc.constantFrom(0, 0, 0, 1, 2),
    wallet,
    other: wallet,
    kind: fc.oneof(
      { weight: 12, arbitrary: fc.constant('buy' as const) },
      { weight: 9, arbitrary: fc.constant('sell' as const) },
      { weight: 2, arbitrary: fc.constantFrom('transfer' as const, 'funder' as const) },
      { weight: 1, arbitrary: fc.constantFrom('transfer' as const, 'funder' as const, 'rug' as const) },
      { weight: 1, arbitrary: fc.constant('actor' as const) },
    ),
    sameTx: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    size: fc.constantFrom(1, 2, 3, 50, 51, 100, 101, 137, 400),
    payer: seldom(wallet, 4),
    tipper: seldom(fc.integer({ min: 0, max: 1 }), 8),
    budget: seldom(fc.constantFrom(7, 8, 9, 10_000_000_019), 8),
  }),
  { minLength: 30, maxLength: 130, size: 'max' },
)

/** What went before: first buys on other mints by a few wallets, slots apart; and two gangs that buy in one go. */
interface Past {
  /** tokens known besides those traded here */
  readonly otherMints: number
  readonly mints: readonly (readonly { readonly wallet: number; readonly gap: number }[])[]
  readonly gangs: number
  /** base units each of them bought */
  readonly taken: number
  /** what wallets from 10 on sent to wallet 9 of the 1e11 each had bought */
  readonly bags: readonly number[]
  /** wallets from 20 on bought, and wallet 29 sold what so many of them had, and so much more */
  readonly gathered: { readonly bags: number; readonly more: number }
  /** wallets from 4 on came together to mint 0 and left together, so many slots apart */
  readonly crowd: {
    readonly wallets: number
    readonly apart: number
    readonly held: number
    /** base units that the first of them sold before */
    readonly before: number
  } | null
  /** wallets from 30 on bought mint 0 side by side, and the last of them tips; one of them did so much elsewhere */
  readonly tipped: {
    readonly wallets: number
    readonly known: number
    readonly slot: number
    readonly mintsBought: number
    /** of ten trades */
    readonly bundled: number
    readonly tokens: number
  } | null
}

const past: fc.Arbitrary<Past> = fc.record({
  otherMints: fc.constantFrom(40, 40, 495, 499),
  mints: fc.array(
    fc.array(fc.record({ wallet: fc.integer({ min: 0, max: 3 }), gap: fc.integer({ min: 0, max: 3 }) }), {
      minLength: 2,
      maxLength: 5,
    }),
    { maxLength: 6, size: 'max' },
  ),
  gangs: fc.constantFrom(0, 0, 4, 5),
  taken: fc.constantFrom(1e11, 1e11, 4e13),
  bags: fc.array(fc.constantFrom(1e11, 1e11, 1e11, 0.95e11, 0.5e11), { maxLength: 4 }),
  gathered: fc.record({ bags: fc.constantFrom(0, 0, 2, 3, 4), more: fc.constantFrom(0, 0, 1) }),
  crowd: fc.option(
    fc.record({
      wallets: fc.integer({ min: 3, max: 6 }),
      apart: fc.integer({ min: 0, max: 3 }),
      held: fc.constantFrom(24, 25, 149, 150),
      before: fc.constantFrom(0, 0, 1e12, 1.1e12, 5e12),
    }),
    { freq: 2 },
  ),
  tipped: fc.option(
    fc.record({
      wallets: fc.integer({ min: 2, max: 5 }),
      known: fc.integer({ min: 0, max: 4 }),
      slot: fc.constantFrom(options.createdSlot, options.createdSlot - 5),
      mintsBought: fc.constantFrom(0, 3, 4, 50),
      bundled: fc.constantFrom(0, 2, 3),
      tokens: fc.constantFrom(1e11, 3e13, 1e14),
    }),
    { freq: 2 },
  ),
})

const plainBuy = { kind: 'trade', isBuy: true, tokens: 1e11, paid: 1e9, lamports: 1e9, payer: -1, tipper: -1 } as const

/** base units: no sum of these is another's */
const ODD = [3e12 + 1, 5e12 + 3, 9e12 + 7, 17e12 + 13]

function gatheredSteps({ bags, more }: Past['gathered']): BundleStep[] {
  if (bags === 0) return []
  const sum = ODD.slice(0, bags).reduce((all, tokens) => all + tokens, more)
  const at = { mint: 0, tx: 1 }
  return [
    ...ODD.map((tokens, i) => ({ ...plainBuy, ...at, tokens, wallet: 20 + i, slot: 71 + 5 * i })),
    ...[1e12, sum - 1e12].map((tokens, i) => ({ ...plainBuy, ...at, isBuy: false, tokens, wallet: 29, slot: 94 + i })),
  ]
}

function tippedSteps(tipped: Past['tipped']): BundleStep[] {
  if (tipped === null) return []
  const { wallets, known, slot, mintsBought, bundled, tokens } = tipped
  const last = 29 + wallets
  const buys = Array.from({ length: wallets }, (_, i): BundleStep => {
    const tipper = 30 + i === last ? last : -1
    return { ...plainBuy, mint: 0, wallet: 30 + i, slot, tx: i, tokens, tipper }
  })
  return [{ kind: 'history', slot: 1, wallet: 30 + known, mintsBought, trades: 10, bundled }, ...buys]
}

function pastSteps({ mints, gangs, taken, bags, gathered, crowd, tipped }: Past): BundleStep[] {
  const steps: BundleStep[] = []
  for (const [i, tokens] of bags.entries()) {
    steps.push({ ...plainBuy, mint: 0, wallet: 10 + i, slot: 20 * i, tx: 1 })
    steps.push({ kind: 'transfer', mint: 0, slot: 20 * i + 10, tx: 2, from: 10 + i, to: 9, tokens })
  }
  steps.push(...gatheredSteps(gathered))
  let slot = 100
  for (const [n, buys] of mints.entries()) {
    slot += 100
    for (const { wallet: id, gap } of buys) {
      slot += gap
      steps.push({ ...plainBuy, mint: MINTS + n, wallet: id, slot, tx: steps.length })
    }
  }
  const { wallets, apart, held, before } = crowd ?? { wallets: 0, apart: 0, held: 0, before: 0 }
  for (const [isBuy, from] of [[true, 800] as const, [false, 800 + held] as const]) {
    for (let i = 0; i < wallets; i++) {
      const at = { slot: from + apart * i, tx: 700 + 20 * i }
      const tokens = !isBuy && i === 0 ? 1e13 - before : 1e13
      steps.push({ ...plainBuy, isBuy, tokens, mint: 0, wallet: 4 + i, ...at })
    }
    if (isBuy && before > 0)
      steps.push({ ...plainBuy, isBuy: false, tokens: before, mint: 0, wallet: 4, slot: 820, tx: 700 })
  }
  for (let id = 0; id < 2 * gangs; id++) {
    const tx = id < gangs ? 500 : 600
    steps.push({ ...plainBuy, tokens: taken, mint: 0, wallet: id, slot: options.createdSlot - 10, tx })
  }
  return [...steps, ...tippedSteps(tipped)]
}

/** Transactions of a slot follow each other; one size in three is a round amount. */
function stepsOf(list: readonly Act[]): BundleStep[] {
  let slot = options.createdSlot
  // behind what was bought in that slot before
  let tx = 9
  return list.map(({ gap, mint, wallet: id, other, kind, sameTx, size, payer, tipper, budget }): BundleStep => {
    slot += gap
    if (gap > 0) tx = 0
    else if (!sameTx) tx += 1 + (size % 3)
    const tokens = size * 1e11
    if (kind === 'actor') return { kind, slot, wallet: id, actor: other % 3 }
    if (kind === 'rug') return { kind, mint, slot }
    if (kind === 'transfer')
      return { kind, mint, slot, tx, from: id, to: other === id ? (id + 1) % WALLETS : other, tokens }
    if (kind === 'funder') {
      const funder = other < 9 ? 100 + (other % 3) : other < 11 ? 0 : other
      return { kind, slot, wallet: id, funder, fundedAt: slot - size * 1_000, exchange: size === 3 && funder === 102 }
    }
    const lamports = size * 1e7 + (size % 3 === 0 ? 0 : size * 111)
    const paid = lamports + (size % 3 === 0 ? 0 : 12_345)
    return {
      ...{ kind: 'trade', mint, wallet: id, slot, tx, isBuy: kind === 'buy', tokens, paid, lamports },
      ...{ payer, tipper, budget },
    }
  })
}

function resultOf(market: Market, mint: number): ReferenceResult {
  const { bundles, positions } = market.live(mint)
  return {
    groups: bundles.groups
      .filter(({ mergedInto }) => mergedInto < 0)
      .map(({ firstSlot, founder, members, confirmedSlot, peak, balance, bought, sold, red }) => ({
        ...{ firstSlot, founder, members: [...members].sort((a, b) => a - b), confirmedSlot, peak, balance },
        ...{ bought, sold, red },
      })),
    pairs: bundles.pairs.map((pair) => {
      const evidence = evidenceOf(pair).sort((x, y) => (x.family < y.family ? -1 : 1))
      return { a: pair.a, b: pair.b, evidence, exits: pair.exits, linked: pair.linked }
    }),
    rugged: new Set([...positions.values()].filter((p) => p.rugCounted).map((p) => p.wallet)),
  }
}

/** Every position names its group, every group its members, and what it holds is the sum of theirs. */
function checkBook(market: Market, mint: number): void {
  const { bundles, positions } = market.live(mint)
  for (const { wallet: id, group } of positions.values())
    if (group >= 0) assert.ok(bundles.groups[group]!.members.includes(id))
  for (const group of bundles.groups) {
    for (const id of group.members) assert.equal(positions.get(id)!.group, group.no)
    const balance = group.members.reduce((sum, id) => sum + positions.get(id)!.balance, 0)
    assert.equal(group.balance, balance)
    if (group.mergedInto >= 0) assert.deepEqual([group.members, group.flows], [[], []])
  }
}

const throughBytes = (book: BundleBook): BundleBook => decodeBook(Buffer.from(encodeBundleBook(book)))

const met = new Set<string>()

test('evidence, links, groups, confirmations and red flags equal the slow reference', () => {
  const add = (what: string): void => void met.add(what)
  fc.assert(
    fc.property(past, acts, (before, list) => {
      const steps = [...pastSteps(before), ...stepsOf(list)]
      const about = { ...options, otherMints: before.otherMints }
      const market = createMarket(about)
      for (const step of steps) market.apply(step)
      for (let mint = 0; mint < MINTS; mint++) {
        const found = resultOf(market, mint)
        assert.deepEqual(found, detect(steps, mint, about), `mint ${mint}`)
        checkBook(market, mint)
        for (const pair of market.live(mint).bundles.pairs) {
          if (!pair.linked && isLink(pair)) add('held back')
          for (const { family } of evidenceOf(pair)) add(family)
        }
        for (const group of found.groups) {
          if (group.red) add('red')
          if (group.confirmedSlot >= 0) add('confirmed')
        }
        for (const { mergedInto } of market.live(mint).bundles.groups) if (mergedInto >= 0) add('merged')
      }
    }),
    { numRuns: RUNS },
  )
})

/** A comparison of two empty results proves nothing. */
test('every kind of group was met', { skip: RUNS < 300 && 'too few histories to expect it' }, () => {
  for (const what of [...FAMILIES, 'held back', 'red', 'confirmed', 'merged']) assert.ok(met.has(what), what)
})

test('restarts change nothing', () => {
  fc.assert(
    fc.property(past, acts, fc.integer({ min: 1, max: 20 }), (before, list, every) => {
      const about = { ...options, otherMints: before.otherMints }
      const [undisturbed, restarted] = [createMarket(about), createMarket(about)]
      ;[...pastSteps(before), ...stepsOf(list)].forEach((step, i) => {
        undisturbed.apply(step)
        restarted.apply(step)
        if (i % every === 0) restarted.restart(throughBytes)
      })
      for (let mint = 0; mint < MINTS; mint++) {
        assert.deepEqual(restarted.live(mint).bundles, undisturbed.live(mint).bundles)
        assert.deepEqual(resultOf(restarted, mint), resultOf(undisturbed, mint))
      }
    }),
    { numRuns: RUNS },
  )
})
