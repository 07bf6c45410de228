import { FAMILY } from '@ti/core/engine/bundles/evidence.ts'
import { rootOf } from '@ti/core/engine/bundles/groups.ts'
import { findPair } from '@ti/core/engine/bundles/pairs.ts'
import type { Family, Group, Pair } from '@ti/core/model/bundles.ts'
import { createMarket, MARKET, type Market, type MarketOptions, type TradeStep } from './bundles-market.ts'

/** After the launch. No two trades are in one slot unless a test says so. */
export const LATER = MARKET.createdSlot + 5_000
export const LAUNCH = MARKET.createdSlot

let turn = 0
/** A buy of its own size, alone in its slot and transaction. */
export function buy(wallet: number, over: Partial<TradeStep> = {}): TradeStep {
  turn++
  const sizes = { tokens: 1e12, paid: 1e9 + turn * 77_777_777 }
  const at = { mint: 0, slot: LATER + turn * 10, tx: 0 }
  return { kind: 'trade', isBuy: true, wallet, payer: -1, tipper: -1, ...sizes, ...at, ...over }
}

export const sell = (wallet: number, over: Partial<TradeStep> = {}): TradeStep => buy(wallet, { isBuy: false, ...over })

export function play(options: Partial<MarketOptions>, ...steps: TradeStep[]): Market {
  const market = createMarket({ ...MARKET, ...options })
  for (const step of steps) market.apply(step)
  return market
}

/** `wallet` was funded by `funder`, as known before anything is traded. */
export const fund = (market: Market, wallet: number, funder: number, fundedAt = 0, lamports = 1e12): void =>
  market.apply({ kind: 'funder', slot: 1, wallet, funder, fundedAt, exchange: false, lamports })

export const pairOf = (market: Market, a: number, b: number, mint = 0): Pair | undefined =>
  findPair(market.live(mint).bundles, a, b)

/** True if the family links the two. */
export const isLinkedBy = (market: Market, family: Family, a = 1, b = 2, mint = 0): boolean =>
  ((pairOf(market, a, b, mint)?.families ?? 0) & (1 << FAMILY[family])) !== 0

export function groupOf(market: Market, wallet: number, mint = 0): Group | null {
  const { bundles, positions } = market.live(mint)
  return rootOf(bundles, positions.get(wallet)?.group ?? -1)
}

export const areTogether = (market: Market, a: number, b: number): boolean =>
  groupOf(market, a) !== null && groupOf(market, a) === groupOf(market, b)

/** Two buys of one slot, `apart` transactions from each other. */
export const sameSlot = (
  apart: number,
  over: Partial<TradeStep> = {},
  second: Partial<TradeStep> = {},
): TradeStep[] => {
  const slot = over.slot ?? LATER
  return [buy(1, { slot, tx: 10, ...over }), buy(2, { slot, tx: 10 + apart, ...over, ...second })]
}
