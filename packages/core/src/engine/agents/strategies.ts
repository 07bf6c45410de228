import type { TradeRow } from '../../model/rows.ts'
import type { Token, Wallet } from '../../model/state.ts'
import { AGENTS, BUCKET, CURVE } from '../constants.ts'
import type { LiveToken } from '../resident.ts'
import { isMigrated, priceOf } from '../tokens.ts'
import { bucketIndex, sumWindow } from '../windows.ts'

/**
 * The open rule strategies (methodology, section 6). Each one checks a token until it has decided once (its bit in
 * `strategiesSeen`). The checks are cheap enough for every trade, except `atAge`, which runs once.
 */
export interface Strategy {
  readonly name: string
  /** The position is sold when its value over its cost reaches one of these, or after `timeSlots` slots. */
  readonly takeProfit: number
  readonly stop: number
  readonly timeSlots: number
  /** Returns true to buy; called after each buy of the token. */
  onBuy?(live: LiveToken, wallet: Wallet, row: TradeRow): boolean
  /** Returns true to buy; called once, at `AGENTS.young.ageSlots`. `score` computes the headline score on demand. */
  atAge?(live: LiveToken, score: () => number): boolean
  /** Returns true to sell at once. */
  flees?(token: Token, sinceSlot: number): boolean
}

const { young, secondWave, graduationRun, smartFollow, kolEcho } = AGENTS

export const STRATEGIES: readonly Strategy[] = [
  {
    name: 'young-quality',
    ...young.exit,
    atAge: ({ token }, score) =>
      token.buyers >= young.buyersMin && !token.deployerDumped && token.ruggedSlot < 0 && score() >= young.scoreMin,
  },
  {
    name: 'second-wave',
    ...secondWave.exit,
    onBuy({ token }, _, { slot }) {
      if (slot - token.createdSlot < secondWave.ageSlots || token.mcap > token.ath * secondWave.athShareMax)
        return false
      // once per bucket is enough and keeps the window's sum off the common path
      const running = token.buckets[token.buckets.length - 1]
      if (running === undefined || running.index !== bucketIndex(slot) || running.buys !== 1) return false
      const sums = sumWindow(token, slot, BUCKET.fiveMinutes)
      return sums.open > 0 && priceOf(token) / sums.open - 1 >= secondWave.returnMin && sums.buys >= secondWave.buysMin
    },
  },
  {
    name: 'graduation-run',
    ...graduationRun.exit,
    onBuy: ({ token }, _, { slot }) =>
      !isMigrated(token) &&
      token.realToken > 0 &&
      token.realToken <= CURVE.realTokenAtStart * graduationRun.leftShareMax &&
      slot - token.createdSlot >= graduationRun.ageSlots,
  },
  {
    name: 'smart-follow',
    ...smartFollow.exit,
    onBuy: ({ token }, _, { smart }) =>
      smart && buyersAmong(token, (trade) => trade.smart) >= smartFollow.walletsMin && token.ruggedSlot < 0,
    flees: (token, since) => token.watched.some((t) => t.smart && t.lamports < 0 && t.slot > since),
  },
  {
    name: 'kol-echo',
    ...kolEcho.exit,
    onBuy: ({ token }, { kol }, { slot }) => kol && slot - token.createdSlot <= kolEcho.ageSlotsMax,
    flees: (token, since) => token.watched.some((t) => t.kol && t.lamports < 0 && t.slot > since),
  },
]

function buyersAmong(token: Token, counts: (trade: Token['watched'][number]) => boolean): number {
  const wallets = new Set<number>()
  for (const trade of token.watched) if (trade.lamports > 0 && counts(trade)) wallets.add(trade.wallet)
  return wallets.size
}
