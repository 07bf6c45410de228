import type { BundleBook, Pair } from '../../model/bundles.ts'
import { addFamilies } from '../../model/pair.ts'
import { BUNDLES } from '../constants.ts'
import type { BundleContext } from './context.ts'
import { link } from './union.ts'

/** A token's pairs of wallets with evidence, and the wallets that others funded or pay for: lookup and insertion. */

/** An index of a book. Built on first use, never stored. */
interface BookIndex {
  /** Wallet → its pairs. */
  readonly pairs: Map<number, Pair[]>
  /** Funder or payer → its wallets, in the order in which this became known. */
  readonly backed: Map<number, number[]>
}

const indexes = new WeakMap<BundleBook, BookIndex>()

function indexOf(book: BundleBook): BookIndex {
  const known = indexes.get(book)
  if (known !== undefined) return known
  const index: BookIndex = { pairs: new Map(), backed: new Map() }
  for (const pair of book.pairs) for (const id of [pair.a, pair.b]) append(index.pairs, id, pair)
  for (const { wallet, backer } of book.backed) append(index.backed, backer, wallet)
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

/** The pair of two wallets, created if missing. Beyond the bound the oldest without a link is dropped. */
export function openPair(book: BundleBook, one: number, other: number): Pair {
  const known = findPair(book, one, other)
  if (known !== undefined) return known
  const { pairs } = indexOf(book)
  if (book.pairs.length >= BUNDLES.pairsMax) removeOne(book)
  const pair: Pair = {
    a: Math.min(one, other),
    b: Math.max(one, other),
    taker: -1,
    bought: true,
    families: 0,
    slots: [],
  }
  book.pairs.push(pair)
  append(pairs, pair.a, pair)
  append(pairs, pair.b, pair)
  return pair
}

function removeOne(book: BundleBook): void {
  const { pairs } = indexOf(book)
  const at = book.pairs.findIndex(({ families }) => families === 0)
  const [pair] = book.pairs.splice(Math.max(0, at), 1)
  for (const id of [pair!.a, pair!.b]) {
    const list = pairs.get(id)!
    if (list.length === 1) pairs.delete(id)
    else list.splice(list.indexOf(pair!), 1)
  }
}

/** Stores evidence that links two wallets of the mint, and puts them into one group. */
export function connect(context: BundleContext, one: number, other: number, families: number): void {
  let fresh = families
  for (const family of context.hidden ?? []) fresh &= ~(1 << family)
  if (fresh === 0) return
  const pair = openPair(context.live.bundles, one, other)
  const isFirst = pair.families === 0
  addFamilies(pair, fresh, context.slot)
  if (isFirst) link(context, pair)
}

/** Records who funded a wallet of this mint or pays for it, within the bounds. */
export function rememberBacker(book: BundleBook, wallet: number, backer: number): void {
  const { backed } = indexOf(book)
  const siblings = backed.get(backer)
  if (siblings !== undefined && (siblings.includes(wallet) || siblings.length >= BUNDLES.sharedBackerMax)) return
  if (book.backed.length >= BUNDLES.backedMax) return
  book.backed.push({ wallet, backer })
  append(backed, backer, wallet)
}

const NOBODY: readonly number[] = []

/** Wallets of the mint that were funded or are paid for by `backer`. */
export const backedBy = (book: BundleBook, backer: number): readonly number[] =>
  book.backed.length === 0 ? NOBODY : (indexOf(book).backed.get(backer) ?? NOBODY)
