import { keyToBase58, sigToBase58 } from '../../base/base58.ts'
import { baseUnits } from '../../base/decimal.ts'
import type { Who } from '../../contract/who.ts'
import type { Family, Pair } from '../../model/bundles.ts'
import { evidenceOf } from '../../model/pair.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { ratio, share, sol } from '../round.ts'

/** Finds the trades behind a pair's evidence, on request. */

type Transaction = Who['groups'][number]['evidence'][number]['families'][number]['transactions'][number]
type PairEvidence = Who['groups'][number]['evidence'][number]

/** The reads of a token that finding evidence needs. */
export interface Scene {
  readonly token: Token
  wallet(id: number): Wallet
  position(wallet: number): Position | undefined
  /** The token's trades in a slot; null beyond the number of slots per answer. */
  tradesAt(slot: number): readonly TradeRow[] | null
}

/**
 * The location of a family's trades: the slot of the evidence and `back` slots before it, or the wallets' first buys of
 * the token. Null for evidence from transfers, which the store does not keep individually.
 */
interface Rests {
  readonly side: 'buy' | 'sell' | 'any'
  readonly at: 'evidence' | 'first_buy'
  readonly back: number
}

const atEvidence = (side: Rests['side'], back = 0): Rests => ({ side, at: 'evidence', back })
const FIRST_BUYS: Rests = { side: 'buy', at: 'first_buy', back: 0 }

const RESTS: Readonly<Partial<Record<Family, Rests | null>>> = {
  atomic: atEvidence('buy'),
  jito: atEvidence('any'),
  payer: atEvidence('any'),
  transfer: null,
  funder: null,
  timing: atEvidence('any'),
  size: atEvidence('any', 5),
  history: FIRST_BUYS,
  exits: atEvidence('sell', 2),
  block_entry: atEvidence('buy'),
  block_exit: atEvidence('sell', 2),
  exodus: atEvidence('sell', 2),
  consolidation: null,
  handover: atEvidence('buy'),
  budget: FIRST_BUYS,
  actor: FIRST_BUYS,
}

/** trades listed per wallet and family */
const TRADES = 2

export function renderTransaction(token: Token, row: TradeRow, trader: Wallet): Transaction {
  return {
    signature: sigToBase58(row.sig),
    slot: row.slot,
    wallet: keyToBase58(trader.address),
    side: row.isBuy ? 'buy' : 'sell',
    sol: sol(row.lamports),
    pct_of_supply: share(row.tokens, token.supply),
    tokens: row.tokens / baseUnits(token.decimals),
  }
}

/** A pair's evidence. `leftOut` counts pieces whose trades were not looked up. */
export function renderPair(scene: Scene, pair: Pair, leftOut: { count: number }): PairEvidence {
  const { token, wallet } = scene
  let left = 1
  const families = evidenceOf(pair).map(({ family, weight, slot }) => {
    left *= 1 - weight
    const rows = rowsOf(scene, pair, family, slot)
    if (rows === null) leftOut.count++
    return {
      family,
      weight: ratio(weight),
      slot: slot < 0 ? null : slot,
      transactions: (rows ?? []).map((row) => renderTransaction(token, row, wallet(row.wallet))),
      intermediaries: between(scene, pair, family),
    }
  })
  const wallets = [pair.a, pair.b].map((id) => keyToBase58(wallet(id).address))
  return { wallets, probability: ratio(1 - left), families }
}

/** Null if the trades were not looked up. */
function rowsOf(scene: Scene, { a, b }: Pair, family: Family, slot: number): TradeRow[] | null {
  const rests = RESTS[family] === undefined ? atEvidence('any') : RESTS[family]
  if (rests === null) return []
  const rows: TradeRow[] = []
  for (const id of [a, b]) {
    const found = rests.at === 'first_buy' ? firstBuyOf(scene, id) : tradesOf(scene, id, slot, rests)
    if (found === null) return null
    rows.push(...found)
  }
  return rows
}

function firstBuyOf(scene: Scene, id: number): readonly TradeRow[] | null {
  const slot = scene.position(id)?.firstBuySlot ?? -1
  if (slot < 0) return []
  const rows = scene.tradesAt(slot)
  return rows === null ? null : rows.filter(({ wallet, isBuy }) => wallet === id && isBuy).slice(0, 1)
}

/** The wallet's trades in the nearest slot at or before the evidence, at most two. */
function tradesOf(scene: Scene, id: number, slot: number, { side, back }: Rests): readonly TradeRow[] | null {
  for (let at = slot; at >= slot - back && at >= 0; at--) {
    const rows = scene.tradesAt(at)
    if (rows === null) return null
    const own = rows.filter(({ wallet, isBuy }) => wallet === id && (side === 'any' || isBuy === (side === 'buy')))
    if (own.length > 0) return own.slice(0, TRADES)
  }
  return []
}

/** Wallets that connect the two: a common funder, or a payer of both wallets' fees. */
function between({ wallet }: Scene, { a, b }: Pair, family: Family): string[] {
  const [one, other] = [wallet(a), wallet(b)]
  const common = (of: (wallet: Wallet) => number): number[] => {
    const [x, y] = [of(one), of(other)]
    return x >= 0 && x === y && x !== a && x !== b ? [x] : []
  }
  const ids =
    family === 'funder' ? common(({ funder }) => funder) : family === 'payer' ? common(({ payer }) => payer) : []
  return ids.map((id) => keyToBase58(wallet(id).address))
}
