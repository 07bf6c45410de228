import type { BundleBook, Pair } from '../../model/bundles.ts'
import { hasFamily, weightIn } from '../../model/pair.ts'
import { BUNDLES } from '../constants.ts'
import { FAMILY } from './evidence.ts'

/** A token's pairs of wallets with evidence: lookup, insertion, and eviction of the weakest. */

/** An index of a book. Built on first use, never stored. */
interface BookIndex {
  /** Wallet → its pairs. */
  readonly pairs: Map<number, Pair[]>
  /** Funder → wallets it funded, in the order in which this became known. */
  readonly funded: Map<number, number[]>
  /** Budget → wallets in order of their first buys, and wallet → budget. */
  readonly budgeted: Map<number, number[]>
  readonly budgets: Map<number, number>
}

const indexes = new WeakMap<BundleBook, BookIndex>()

function indexOf(book: BundleBook): BookIndex {
  const known = indexes.get(book)
  if (known !== undefined) return known
  const index: BookIndex = { pairs: new Map(), funded: new Map(), budgeted: new Map(), budgets: new Map() }
  for (const pair of book.pairs) for (const id of [pair.a, pair.b]) append(index.pairs, id, pair)
  for (const { wallet, funder } of book.funded) append(index.funded, funder, wallet)
  for (const { wallet, budget } of book.budgeted) {
    append(index.budgeted, budget, wallet)
    index.budgets.set(wallet, budget)
  }
  indexes.set(book, index)
  return index
}

/** Drops the index; the next lookup rebuilds it. */
export const forgetIndex = (book: BundleBook): void => void indexes.delete(book)

/** Shorter lists are copied for each new item, because a list that is pushed to reserves room for 17. */
const EXACT = 8

function append<T>(lists: Map<number, T[]>, id: number, item: T): void {
  const list = lists.get(id)
  if (list === undefined) lists.set(id, [item])
  else if (list.length < EXACT) lists.set(id, list.concat([item]))
  else list.push(item)
}

export function findPair(book: BundleBook, one: number, other: number): Pair | undefined {
  for (const pair of pairsOf(book, one)) if (pair.a === other || pair.b === other) return pair
  return undefined
}

const NO_PAIRS: readonly Pair[] = []

/** A wallet's pairs, oldest first. */
export const pairsOf = (book: BundleBook, wallet: number): readonly Pair[] =>
  book.pairs.length === 0 ? NO_PAIRS : (indexOf(book).pairs.get(wallet) ?? NO_PAIRS)

export function addPair(book: BundleBook, one: number, other: number): Pair {
  const pair: Pair = {
    a: Math.min(one, other),
    b: Math.max(one, other),
    families: 0,
    evidence: [],
    exits: 0,
    exitSlot: -1,
    linked: false,
    p: 0,
  }
  const { pairs } = indexOf(book)
  book.pairs.push(pair)
  append(pairs, pair.a, pair)
  append(pairs, pair.b, pair)
  return pair
}

export const removePair = (book: BundleBook, pair: Pair): void => removeAt(book, book.pairs.indexOf(pair))

function removeAt(book: BundleBook, at: number): void {
  const { pairs } = indexOf(book)
  const [pair] = book.pairs.splice(at, 1)
  for (const id of [pair!.a, pair!.b]) {
    const list = pairs.get(id)!
    if (list.length === 1) pairs.delete(id)
    else list.splice(list.indexOf(pair!), 1)
  }
}

/** Enforces the bound: drops the least probable unlinked pair, the oldest first; if all are linked, the oldest. */
export function boundPairs(book: BundleBook): void {
  const { pairs } = book
  if (pairs.length <= BUNDLES.pairsMax) return
  let at = 0
  let lowest = Number.POSITIVE_INFINITY
  for (let i = 0; i < pairs.length && lowest > 0; i++) {
    if (pairs[i]!.linked || pairs[i]!.p >= lowest) continue
    lowest = pairs[i]!.p
    at = i
  }
  removeAt(book, at)
}

/** Records the funder of a wallet on this mint, within the bounds. */
export function rememberFunder(book: BundleBook, wallet: number, funder: number): void {
  const { funded } = indexOf(book)
  const siblings = funded.get(funder)
  if (siblings !== undefined && (siblings.includes(wallet) || siblings.length >= BUNDLES.sharedFunderMax)) return
  if (book.funded.length >= BUNDLES.fundedMax) return
  book.funded.push({ wallet, funder })
  append(funded, funder, wallet)
}

const NOBODY: readonly number[] = []

/** Wallets of the mint that were funded by `funder`. */
export const fundedBy = (book: BundleBook, funder: number): readonly number[] =>
  book.funded.length === 0 ? NOBODY : (indexOf(book).funded.get(funder) ?? NOBODY)

/** Records the uncommon budget with which a wallet bought this mint, within the bounds. */
export function rememberBudget(book: BundleBook, wallet: number, budget: number): void {
  const { budgeted, budgets } = indexOf(book)
  if (budgets.has(wallet) || (budgeted.get(budget)?.length ?? 0) >= BUNDLES.sharedFunderMax) return
  if (book.budgeted.length >= BUNDLES.fundedMax) return
  book.budgeted.push({ wallet, budget })
  append(budgeted, budget, wallet)
  budgets.set(wallet, budget)
}

/** Wallets that bought the mint with this uncommon budget. */
export const budgetedBy = (book: BundleBook, budget: number): readonly number[] =>
  book.budgeted.length === 0 || budget < 0 ? NOBODY : (indexOf(book).budgeted.get(budget) ?? NOBODY)

/** A wallet's uncommon budget on this mint, -1 if none. */
export const budgetHere = (book: BundleBook, wallet: number): number =>
  book.budgeted.length === 0 ? -1 : (indexOf(book).budgets.get(wallet) ?? -1)

/** True if a size match counts: only together with timing or a shared funder. */
export const sizeCounts = (pair: Weighed): boolean => hasFamily(pair, FAMILY.timing) || hasFamily(pair, FAMILY.funder)

type Weighed = Pick<Pair, 'families' | 'evidence'>

/** The probability that the two act together: 1 − Π(1 − weight). */
export function probability(pair: Weighed): number {
  const withSize = sizeCounts(pair)
  let missed = 1
  let at = 0
  for (let bits = pair.families; bits !== 0; bits &= bits - 1, at += 2) {
    if (withSize || lowest(bits) !== FAMILY.size) missed *= 1 - pair.evidence[at]!
  }
  return 1 - missed
}

/** The index of the lowest set bit. */
const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits)

export const reaches = (p: number, limit: number): boolean => p >= limit - BUNDLES.rounding

/** Families of which a link needs at least one: trading at the same place and time alone is not coordination. */
const INFORMATIVE = new Set([
  FAMILY.jito,
  FAMILY.payer,
  FAMILY.transfer,
  FAMILY.funder,
  FAMILY.history,
  FAMILY.exits,
  FAMILY.block_exit,
  FAMILY.budget,
])

/**
 * True if the family counts towards a link. A handover shows two wallets of one owner, not a bundle, so neither it nor
 * its transfer counts. Size needs timing or a funder.
 */
function countsForLink(pair: Weighed, family: number): boolean {
  if (family === FAMILY.size) return sizeCounts(pair)
  if (family === FAMILY.handover) return false
  return family !== FAMILY.transfer || !hasFamily(pair, FAMILY.handover)
}

/** True for one decisive family, or enough probability from several families, one of them informative. */
export function isLink(pair: Weighed & Pick<Pair, 'p'>): boolean {
  if (!reaches(pair.p, BUNDLES.linkProbability)) return false
  let families = 0
  let informative = false
  for (let bits = pair.families; bits !== 0; bits &= bits - 1) {
    const family = lowest(bits)
    if (weightIn(pair, family) >= BUNDLES.decisive) return true
    if (!countsForLink(pair, family)) continue
    families++
    if (INFORMATIVE.has(family)) informative = true
  }
  return informative && families >= BUNDLES.linkFamilies
}
