import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLASS } from '@ti/core/engine/class-memory.ts'
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
  tradeOf,
} from '../../market/slice.ts'

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

test('what a group snipe took is counted as the slot of the creation’s, and no neighbour in it is called a partner', {
  skip,
}, (t) => {
  const launches = readLaunches()
  const shares = launches.map((launch) => {
    const engine = startEngine()
    assert.ok(engine.apply(0, snipeOf(launch, groupPurchases(launch))))
    // the material tells neither fee payers nor funders: nothing in it is signed by two
    assert.deepEqual(groupsOf(engine, launch.mint), [])
    const { classes } = engine.tokens.peek(keyOf(launch.mint))!.token
    return (100 * (classes[CLASS.firstBlock]?.held ?? 0)) / SUPPLY
  })
  t.diagnostic(`percent of supply: ${shares.map((share) => share.toFixed(0)).join(', ')}`)
  assert.ok(launches.length >= 28 && shares.every((share) => share >= 50))
})

test('in 76 s of a whole market nobody is in a group, because nobody is known to have signed for another', {
  skip,
}, () => {
  const slice = foldSlice()
  assert.ok(slice.trades >= 1_292 && slice.mints >= 100)
  assert.equal(slice.groups, 0)
})
