import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Block } from '../../src/model/entries.ts'
import { type ChainEvent, QUOTE } from '../../src/model/events.ts'
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
  tradeOf,
} from '../market/slice.ts'
import { pageOf, SLICE_PAGE } from '../market/whole-market.ts'

const skip = !isSliceHere() && 'the shared material is not here'

const SUPPLY = 1e15
const SOL = 1e9

const createOf = (mint: string, creator: string, txIndex: number): ChainEvent => ({
  ...{ kind: 'create', ...head(mint, txIndex), launchpad: 1, quote: QUOTE.SOL, mayhem: false },
  ...{ pool: keyOf(`curve ${mint}`), creator: keyOf(creator), user: keyOf(creator), name: mint, symbol: mint, uri: '' },
  ...{ nameNorm: mint, symbolNorm: mint, supply: SUPPLY, decimals: 6 },
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

/** The creation and the group's purchases, in the order of the slot. */
function snipeOf({ mint, slot, creator, idx_creation, idx_bloc, wallets_bloc, tickets }: Launch): Block {
  let { quote, base } = START
  const events: ChainEvent[] = [createOf(mint, creator, idx_creation)]
  for (const [i, txIndex] of idx_bloc.entries()) {
    const lamports = Math.round(tickets[i]! * SOL)
    const after = Math.ceil((quote * base) / (quote + lamports))
    const reserves = { quote: quote + lamports, base: after }
    events.push(
      tradeOf({ mint, txIndex, user: wallets_bloc[i]!, isBuy: true, lamports, tokens: base - after, reserves }),
    )
    quote = reserves.quote
    base = after
  }
  return blockOf(slot, events)
}

test('at least four of five group snipes are found as one group, in their slot', { skip }, (t) => {
  const { lancements } = JSON.parse(readCorpus('v05_creation_block.json.gz')) as { lancements: Launch[] }
  let found = 0
  // each alone: what a fleet did before must not be needed
  for (const launch of lancements) {
    const engine = startEngine()
    assert.ok(engine.apply(0, snipeOf(launch)))
    const sizes = groupsOf(engine, launch.mint).map(({ members }) => members.length)
    if (Math.max(0, ...sizes) >= launch.wallets_bloc.length - 1) found++
    else t.diagnostic(`missed: transactions ${launch.idx_bloc.join(', ')} behind ${launch.idx_creation}`)
  }
  t.diagnostic(`${found} of ${lancements.length}`)
  assert.ok(lancements.length >= 28 && found >= lancements.length * 0.8, `${found} of ${lancements.length}`)
})

test('in 76 s of a whole market every group found is listed with its evidence and judged', { skip }, (t) => {
  const slice = foldSlice()
  assert.ok(slice.trades >= 1_292)
  for (const { mint, wallets, pairs } of slice.groups)
    assert.ok(pairs >= wallets.length - 1, `${mint}: a group nobody can explain`)
  t.diagnostic(`${slice.groups.length} groups on ${slice.mints} mints`)
  assert.equal(readFileSync(SLICE_PAGE, 'utf8'), pageOf(slice))
})
