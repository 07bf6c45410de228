import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import type { Block } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import { createMemoryStore } from '../support/memory-store.ts'

/**
 * Groups that took four fifths of a supply in the slot of its creation, checked on chain by their author, and 76 s of every trade of
 * pump's curves. Neither tells fee payers, tips or funders.
 */
const FOLDER = resolve(import.meta.dirname, '../../../shared/data/real2/corpora')
export const isSliceHere = (): boolean => existsSync(FOLDER)
export const readCorpus = (name: string): string => gunzipSync(readFileSync(resolve(FOLDER, name))).toString('utf8')

const SUPPLY = 1e15
export const START = { quote: 30e9, base: 1.073e15 }

/** Some wallets of the material are replaced by texts that are no addresses. */
export const keyOf = (text: string): Key => keyFromBase58(text) ?? (text.slice(0, 32).padEnd(32, '.') as Key)

export const head = (mint: string, txIndex: number) => ({
  ...{ sig: `${mint} ${txIndex}`.padEnd(64, '.') as Sig, txIndex, outer: 0, inner: 0, mint: keyOf(mint) },
})

interface Given {
  readonly mint: string
  readonly txIndex: number
  readonly user: string
  readonly isBuy: boolean
  readonly lamports: number
  readonly tokens: number
  readonly reserves: { readonly quote: number; readonly base: number }
}

export const tradeOf = ({ mint, txIndex, user, isBuy, lamports, tokens, reserves }: Given): TradeEvent => ({
  ...{ kind: 'trade', ...head(mint, txIndex), inner: 1, venue: VENUE.pump, pool: null, user: keyOf(user), isBuy },
  ...{ quote: QUOTE.SOL, quoteAmount: lamports, userQuote: lamports, tokenAmount: tokens },
  ...{ quoteReserve: reserves.quote, baseReserve: reserves.base, quoteBefore: -1, realToken: -1, supply: SUPPLY },
  ...{ decimals: 6, creator: null, mayhem: false, payer: null, tipper: null, solBefore: -1, solAfter: -1 },
  ...{ hop: false, account: -1, held: 0 },
})

export const blockOf = (slot: number, events: readonly ChainEvent[]): Block => ({
  ...{ kind: 'block', slot, parent: slot - 1, time: slot * 0.4, events },
})

export const startEngine = (): Engine => createEngine({ reader: createMemoryStore(), walletsCached: 10_000 })

export const groupsOf = (engine: Engine, mint: string) => {
  const live = engine.tokens.peek(keyOf(mint))!
  return live.bundles.groups.filter(({ mergedInto, confirmedSlot }) => mergedInto < 0 && confirmedSlot >= 0)
}

interface Swap {
  readonly sig: string
  readonly slot: number
  readonly mint: string
  readonly user: string
  readonly isBuy: boolean
  readonly lamports: number
  readonly tokens: number
}

function swaps(): Swap[] {
  const [columns, ...rows] = readCorpus('nullfuturist_swaps.csv.gz').trim().split('\n')
  const names = columns!.trim().split(',')
  return rows.map((row) => {
    const cells = row.trim().split(',')
    const cell = (name: string): string => cells[names.indexOf(name)]!
    const [slot, lamports, tokens] = ['slot', 'sol_amount', 'token_amount'].map((name) => Number(cell(name)))
    const numbers = { slot: slot!, lamports: lamports!, tokens: tokens! }
    return { sig: cell('sig'), mint: cell('mint'), user: cell('user'), isBuy: cell('is_buy') === '1', ...numbers }
  })
}

/** Confirmed groups in the slice. */
export function foldSlice(): { readonly trades: number; readonly mints: number; readonly groups: number } {
  const engine = startEngine()
  const all = swaps()
  const slots = [...new Set(all.map(({ slot }) => slot))].sort((a, b) => a - b)
  for (const [seq, slot] of slots.entries()) engine.apply(seq, sliceBlock(slot, all))
  const mints = [...new Set(all.map(({ mint }) => mint))]
  const groups = mints.reduce((sum, mint) => sum + groupsOf(engine, mint).length, 0)
  return { trades: all.length, mints: mints.length, groups }
}

/** Places within a slot are not known: far apart, so that nothing rests on them. */
function sliceBlock(slot: number, all: readonly Swap[]): Block {
  const here = all.filter((swap) => swap.slot === slot)
  const sigs = [...new Set(here.map(({ sig }) => sig))]
  const events = here.map((swap, inner) => ({
    ...tradeOf({ ...swap, txIndex: 100 * sigs.indexOf(swap.sig), reserves: START }),
    inner,
  }))
  return blockOf(
    slot,
    events.sort((a, b) => a.txIndex - b.txIndex),
  )
}
