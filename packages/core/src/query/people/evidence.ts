import { keyToBase58, sigToBase58 } from '../../base/base58.ts'
import { baseUnits } from '../../base/decimal.ts'
import type { Who } from '../../contract/who.ts'
import type { Family, Pair } from '../../model/bundles.ts'
import { evidenceOf } from '../../model/pair.ts'
import type { TradeRow } from '../../model/rows.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { share, sol } from '../round.ts'

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

/** The trades in the slot of the evidence that it rests on; null if on transfers, which are not kept individually. */
const RESTS: Readonly<Record<Family, 'buys' | 'trades' | null>> = {
  atomic: 'buys',
  payer: 'trades',
  transfer: null,
  funder: null,
  consolidation: null,
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
  const families = evidenceOf(pair).map(({ family, slot }) => {
    const rows = rowsOf(scene, pair, family, slot)
    if (rows === null) leftOut.count++
    return {
      family,
      slot: slot < 0 ? null : slot,
      transactions: (rows ?? []).map((row) => renderTransaction(token, row, wallet(row.wallet))),
      intermediaries: between(scene, pair, family),
    }
  })
  return { wallets: [pair.a, pair.b].map((id) => keyToBase58(wallet(id).address)), families }
}

/** The two wallets' trades, at most two of each; null if they were not looked up. */
function rowsOf(scene: Scene, { a, b }: Pair, family: Family, slot: number): TradeRow[] | null {
  const rests = RESTS[family]
  if (rests === null) return []
  const rows = scene.tradesAt(slot)
  if (rows === null) return null
  return [a, b].flatMap((id) =>
    rows.filter(({ wallet, isBuy }) => wallet === id && (isBuy || rests === 'trades')).slice(0, TRADES),
  )
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
