import { bootstrap, type Interval, interval, RESAMPLES } from './bootstrap.ts'
import { createRandom, type Random } from './random.ts'
import type { Evaluation, PairFound, PairTruth } from './sample.ts'

/** random groups per found group */
const EVALUATE_PLACEBOS = 20

type Groups = readonly (readonly string[])[]

/** Found groups against planted ones, counted in pairs of wallets of one token, over the evaluated tokens. */
export interface PairResult {
  /** Tokens with something planted that were not evaluated, because the log ends within their first hour. */
  readonly notLookedAt: number
  /** Pairs that the service grouped, and those of them planted together. */
  readonly found: number
  readonly correct: number
  /** Pairs planted together, and those of them found. */
  readonly planted: number
  readonly recalled: number
  /** Clustered by token. */
  readonly precision: Interval
  readonly recall: Interval
  readonly byType: readonly TypeResult[]
  /** Pairs of independent snipers of one token, and those grouped. */
  readonly sniperPairs: number
  readonly sniperMerges: number
  /** Pairs of copy trader and leader, and those grouped. */
  readonly copyPairs: number
  readonly copyMerges: number
  /** Wrong pairs in which both wallets wash trade. They may be one person, but no bundle was planted. */
  readonly washerMerges: number
}

interface TypeResult {
  readonly type: string
  readonly bundles: number
  /** Bundles with at least one pair found. */
  readonly touched: number
  readonly planted: number
  readonly recalled: number
}

/** Random groups of the same sizes, from wallets named for the same token. */
interface Placebo {
  readonly rounds: number
  /** The probability that two wallets of a random group were planted together; null without groups. */
  readonly precision: number | null
}

export interface BundleResult {
  /** Groups and pairs that the service confirmed. */
  readonly tokens: number
  readonly groups: number
  readonly pairs: number
  /** Null without truth. */
  readonly all: PairResult | null
  readonly hidden: PairResult | null
  readonly placebo: Placebo | null
  /** Pairs of confirmed groups, and those found again with A and J hidden; null if that was not run. */
  readonly kept: { readonly pairs: number; readonly again: number } | null
}

const pairsOf = (n: number): number => (n * (n - 1)) / 2

export function judgeBundles(evaluation: Pick<Evaluation, 'truth' | 'found'>, seed: number): BundleResult {
  const { truth, found } = evaluation
  const groups = found.flatMap((token) => token.groups)
  const hidden = found.filter((token) => token.hidden !== null)
  const compareWith = (pick: (token: PairFound) => Groups, purpose: string): PairResult | null =>
    truth === null ? null : comparePairs(truth, found, pick, createRandom(seed, `bundles ${purpose}`))
  return {
    tokens: found.filter((token) => token.groups.length > 0).length,
    groups: groups.length,
    pairs: groups.reduce((sum, group) => sum + pairsOf(group.length), 0),
    all: compareWith((token) => token.groups, 'all'),
    hidden: hidden.length === 0 ? null : compareWith((token) => token.hidden ?? [], 'hidden'),
    placebo: truth === null ? null : placebo(truth, found, createRandom(seed, 'bundles placebo')),
    kept: hidden.length === 0 ? null : keptPairs(hidden),
  }
}

function keptPairs(found: readonly PairFound[]): { pairs: number; again: number } {
  let pairs = 0
  let again = 0
  for (const token of found) {
    const groupOf = membership(token.hidden ?? [])
    for (const [a, b] of pairsIn(token.groups)) {
      pairs++
      if (together(groupOf, a, b)) again++
    }
  }
  return { pairs, again }
}

/** The groups of each wallet. */
type Membership = ReadonlyMap<string, readonly number[]>

function membership(groups: Groups): Membership {
  const of = new Map<string, number[]>()
  groups.forEach((wallets, group) => {
    for (const wallet of new Set(wallets)) {
      const known = of.get(wallet)
      if (known === undefined) of.set(wallet, [group])
      else known.push(group)
    }
  })
  return of
}

const together = (of: Membership, a: string, b: string): boolean => {
  const others = of.get(b)
  return others !== undefined && (of.get(a)?.some((group) => others.includes(group)) ?? false)
}

function* pairsIn(groups: Groups): Generator<readonly [string, string]> {
  for (const group of groups) {
    const wallets = [...new Set(group)]
    for (let i = 0; i < wallets.length; i++) {
      for (let j = i + 1; j < wallets.length; j++) yield [wallets[i]!, wallets[j]!]
    }
  }
}

const NOTHING: Omit<PairTruth, 'mint'> = { bundles: [], snipers: [], copies: [], washers: [] }

/** All counts of one token. */
function tally(truth: Omit<PairTruth, 'mint'>, groups: Groups) {
  const planted = membership(truth.bundles.map((bundle) => bundle.wallets))
  const snipers = new Set(truth.snipers)
  const washers = new Set(truth.washers)
  const groupOf = membership(groups)
  const counts = { found: 0, correct: 0, planted: 0, recalled: 0, sniperPairs: 0, sniperMerges: 0, washerMerges: 0 }
  for (const [a, b] of pairsIn(groups)) {
    counts.found++
    if (together(planted, a, b)) counts.correct++
    else {
      if (snipers.has(a) && snipers.has(b)) counts.sniperMerges++
      if (washers.has(a) && washers.has(b)) counts.washerMerges++
    }
  }
  for (const [a, b] of pairsIn([[...snipers]])) if (!together(planted, a, b)) counts.sniperPairs++
  const types = truth.bundles.map(({ type, wallets }) => {
    const pairs = [...pairsIn([wallets])]
    return { type, planted: pairs.length, recalled: pairs.filter(([a, b]) => together(groupOf, a, b)).length }
  })
  for (const type of types) {
    counts.planted += type.planted
    counts.recalled += type.recalled
  }
  const copies = truth.copies.filter(([leader, follower]) => !together(planted, leader, follower))
  const copyMerges = copies.filter(([leader, follower]) => together(groupOf, leader, follower)).length
  return { ...counts, types, copyPairs: copies.length, copyMerges }
}

type Tally = ReturnType<typeof tally>

function comparePairs(
  truth: readonly PairTruth[],
  found: readonly PairFound[],
  pick: (token: PairFound) => Groups,
  random: Random,
): PairResult {
  const known = new Map(truth.map((token) => [token.mint, token]))
  const groups = new Map(found.map((token) => [token.mint, pick(token)]))
  const mints = [...groups.keys()].sort()
  const tallies = mints.map((mint) => tally(known.get(mint) ?? NOTHING, groups.get(mint)!))
  const sum = (pick: (one: Tally) => number): number => tallies.reduce((total, one) => total + pick(one), 0)
  const part = (top: (one: Tally) => number, bottom: (one: Tally) => number) => (draws: Uint32Array | null) => {
    let above = 0
    let below = 0
    tallies.forEach((one, i) => {
      const weight = draws === null ? 1 : draws[i]!
      above += top(one) * weight
      below += bottom(one) * weight
    })
    return below === 0 ? Number.NaN : above / below
  }
  const statistics = {
    precision: part(
      (one) => one.correct,
      (one) => one.found,
    ),
    recall: part(
      (one) => one.recalled,
      (one) => one.planted,
    ),
  }
  const estimates = bootstrap(mints.length, statistics, RESAMPLES.table, random)
  const notLookedAt = truth.filter(({ mint, bundles }) => bundles.length > 0 && !groups.has(mint)).length
  return {
    notLookedAt,
    found: sum((one) => one.found),
    correct: sum((one) => one.correct),
    planted: sum((one) => one.planted),
    recalled: sum((one) => one.recalled),
    precision: interval(estimates.precision),
    recall: interval(estimates.recall),
    byType: byType(tallies),
    sniperPairs: sum((one) => one.sniperPairs),
    sniperMerges: sum((one) => one.sniperMerges),
    copyPairs: sum((one) => one.copyPairs),
    copyMerges: sum((one) => one.copyMerges),
    washerMerges: sum((one) => one.washerMerges),
  }
}

function byType(tallies: readonly Tally[]): TypeResult[] {
  const types = new Map<string, { type: string; bundles: number; touched: number; planted: number; recalled: number }>()
  for (const bundle of tallies.flatMap((one) => one.types)) {
    const sum = types.get(bundle.type) ?? { type: bundle.type, bundles: 0, touched: 0, planted: 0, recalled: 0 }
    sum.bundles++
    if (bundle.recalled > 0) sum.touched++
    sum.planted += bundle.planted
    sum.recalled += bundle.recalled
    types.set(bundle.type, sum)
  }
  return [...types.values()].sort((a, b) => (a.type < b.type ? -1 : 1))
}

/** Wallets named for a token are those that act together, so a random group of them is the harder placebo. */
function placebo(truth: readonly PairTruth[], found: readonly PairFound[], random: Random): Placebo {
  const known = new Map(truth.map((token) => [token.mint, token]))
  let pairs = 0
  let correct = 0
  for (const { mint, groups } of found) {
    const { bundles, snipers, copies, washers } = known.get(mint) ?? NOTHING
    const planted = membership(bundles.map((bundle) => bundle.wallets))
    const named = [groups, bundles.map((bundle) => bundle.wallets), [snipers], copies, [washers]].flat(2)
    const wallets = [...new Set(named)].sort()
    const deck = Uint32Array.from(wallets, (_, i) => i)
    for (const group of groups) {
      for (let round = 0; round < EVALUATE_PLACEBOS; round++) {
        random.shuffle(deck)
        const drawn = [...deck.subarray(0, new Set(group).size)].map((i) => wallets[i]!)
        for (const [a, b] of pairsIn([drawn])) {
          pairs++
          if (together(planted, a, b)) correct++
        }
      }
    }
  }
  return { rounds: EVALUATE_PLACEBOS, precision: pairs === 0 ? null : correct / pairs }
}
