import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Block } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE } from '@ti/core/model/events.ts'
import {
  blockOf,
  foldSlice,
  groupsOf,
  head,
  isSliceHere,
  keyOf,
  readCorpus,
  START,
  startEngine,
  swaps,
  tradeOf,
} from '../../market/slice.ts'
import { pageOf, SLICE_PAGE } from '../../market/whole-market.ts'

const skip = !isSliceHere() && 'the shared material is not here'

const SUPPLY = 1e15
const SOL = 1e9

const createOf = (mint: string, creator: string, txIndex: number): ChainEvent => ({
  ...{ kind: 'create', ...head(mint, txIndex), launchpad: 1, quote: QUOTE.SOL, mayhem: false },
  ...{ pool: keyOf(`curve ${mint}`), creator: keyOf(creator), user: keyOf(creator), name: mint, symbol: mint, uri: '' },
  ...{ nameNorm: mint, symbolNorm: mint, supply: SUPPLY, decimals: 6, payer: null, signed: true },
  ...{ quoteReserve: START.quote, baseReserve: START.base },
})

interface Launch {
  readonly mint: string
  readonly slot: number
  readonly creator: string
  readonly idx_creation: number
  readonly idx_bloc: readonly number[]
  readonly wallets_bloc: readonly string[]
  readonly tickets: readonly number[]
}

interface Purchase {
  readonly txIndex: number
  readonly user: string
  readonly sol: number
}

const groupPurchases = ({ idx_bloc, wallets_bloc, tickets }: Launch): Purchase[] =>
  idx_bloc.map((txIndex, i) => ({ txIndex, user: wallets_bloc[i]!, sol: tickets[i]! }))

/** The creation and the purchases, in the order of the slot. */
function snipeOf({ mint, slot, creator, idx_creation }: Launch, purchases: readonly Purchase[]): Block {
  let { quote, base } = START
  const events: ChainEvent[] = [createOf(mint, creator, idx_creation)]
  for (const { txIndex, user, sol } of purchases) {
    const lamports = Math.round(sol * SOL)
    const after = Math.ceil((quote * base) / (quote + lamports))
    const reserves = { quote: quote + lamports, base: after }
    events.push(tradeOf({ mint, txIndex, user, isBuy: true, lamports, tokens: base - after, reserves }))
    quote = reserves.quote
    base = after
  }
  return blockOf(slot, events)
}

const readLaunches = (): Launch[] =>
  (JSON.parse(readCorpus('v05_creation_block.json.gz')) as { lancements: Launch[] }).lancements

test('at least four of five group snipes are found as one group, in their slot', { skip }, (t) => {
  const lancements = readLaunches()
  let found = 0
  // each alone: what a fleet did before must not be needed
  for (const launch of lancements) {
    const engine = startEngine()
    assert.ok(engine.apply(0, snipeOf(launch, groupPurchases(launch))))
    const sizes = groupsOf(engine, launch.mint).map(({ members }) => members.length)
    if (Math.max(0, ...sizes) >= launch.wallets_bloc.length - 1) found++
    else t.diagnostic(`missed: transactions ${launch.idx_bloc.join(', ')} behind ${launch.idx_creation}`)
  }
  t.diagnostic(`${found} of ${lancements.length}`)
  assert.ok(lancements.length >= 28 && found >= lancements.length * 0.8, `${found} of ${lancements.length}`)
})

interface SlotOrder {
  readonly mint: string
  /** who bought first in the slot without being of the group */
  readonly premier_acheteur_externe: { readonly idx: number; readonly signer: string; readonly sol: number } | null
}

test('the first stranger in the slot of each of them stands apart from the group', { skip }, (t) => {
  const order = (JSON.parse(readCorpus('v04_slot_order.json.gz')) as { lancements: SlotOrder[] }).lancements
  const distances: number[] = []
  for (const launch of readLaunches()) {
    const stranger = order.find(({ mint }) => mint === launch.mint)?.premier_acheteur_externe ?? null
    // some are of the group after all: the later file says so
    if (stranger === null || launch.wallets_bloc.includes(stranger.signer)) continue
    const last = { txIndex: stranger.idx, user: stranger.signer, sol: stranger.sol }
    const engine = startEngine()
    const purchases = [...groupPurchases(launch), last].sort((a, b) => a.txIndex - b.txIndex)
    assert.ok(engine.apply(0, snipeOf(launch, purchases)))
    const isStranger = (id: number): boolean => engine.wallet(id).address === keyOf(stranger.signer)
    const merged = groupsOf(engine, launch.mint).some(({ members }) => members.some(isStranger))
    assert.ok(!merged, launch.mint)
    distances.push(stranger.idx - Math.max(...launch.idx_bloc))
  }
  distances.sort((a, b) => a - b)
  t.diagnostic(`${distances.length} strangers, transactions behind the group: ${distances.join(', ')}`)
  assert.ok(distances.length >= 20)
})

/** Each at most what was paid before it. */
const isFalling = (paid: readonly number[]): boolean => paid.every((sol, i) => i === 0 || sol <= paid[i - 1]!)

test('what a group pays in its slot falls purchase by purchase; what strangers pay one after another seldom does', {
  skip,
}, (t) => {
  const groups = readLaunches().map((launch) => groupPurchases(launch).sort((a, b) => a.txIndex - b.txIndex))
  const falling = groups.filter((purchases) => isFalling(purchases.map(({ sol }) => sol))).length
  const firsts = new Map<string, Map<string, number>>()
  for (const { mint, user, isBuy, lamports } of swaps()) {
    if (!isBuy || lamports < SOL / 100) continue
    const buyers = firsts.get(mint) ?? firsts.set(mint, new Map()).get(mint)!
    if (!buyers.has(user)) buyers.set(user, lamports)
  }
  const rows = [...firsts.values()].flatMap((buyers) => {
    const paid = [...buyers.values()]
    return paid.slice(3).map((_, i) => paid.slice(i, i + 4))
  })
  const strangers = rows.filter(isFalling).length
  t.diagnostic(`${falling} of ${groups.length} groups of 4 or 5; ${strangers} of ${rows.length} rows of 4 strangers`)
  assert.equal(falling, groups.length)
  assert.ok(rows.length >= 200 && strangers < rows.length * 0.12, `${strangers} of ${rows.length}`)
})

test('in 76 s of a whole market every group found is listed with its evidence and judged', { skip }, (t) => {
  const slice = foldSlice()
  assert.ok(slice.trades >= 1_292)
  for (const { mint, wallets, pairs } of slice.groups)
    assert.ok(pairs >= wallets.length - 1, `${mint}: a group nobody can explain`)
  t.diagnostic(`${slice.groups.length} groups on ${slice.mints} mints`)
  assert.equal(readFileSync(SLICE_PAGE, 'utf8'), pageOf(slice))
})
