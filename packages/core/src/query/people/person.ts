import { keyToBase58 } from '../../base/base58.ts'
import type { TAGS } from '../../contract/who.ts'
import { CLASS, isIn } from '../../engine/class-memory.ts'
import { CLASSES, POSITION } from '../../engine/constants.ts'
import { populationHealthyRate, sellImpact } from '../../engine/history.ts'
import { isAlphaHands, isJeet } from '../../engine/reading/classes.ts'
import type { Market } from '../../engine/reading/market.ts'
import { isSmartAt } from '../../engine/smart.ts'
import { priceOf } from '../../engine/tokens.ts'
import { hasValue, valueIn } from '../../engine/units.ts'
import type { Position, Token, Wallet } from '../../model/state.ts'
import { share, sol, turnover } from '../round.ts'

/** A wallet on a token, as served. */

type Tag = (typeof TAGS)[number]

/** The served part of a wallet's record, in plain values, because the record keeps changing. */
export interface Person {
  readonly id: number
  readonly wallet: string
  readonly name: string | null
  readonly tags: readonly Tag[]
  readonly money: Money
  /** Numbers of its confirmed group, its actor and its funder; -1 if none or unknown. */
  readonly group: number
  readonly actor: number
  readonly funder: number
  readonly funderSlot: number
  readonly funderLamports: number
}

type Money = ReturnType<typeof moneyOf>

export const slotOrNull = (slot: number): number | null => (slot < 0 ? null : slot)

/** Percent of supply, and SOL since the position was last empty. */
export function moneyOf(token: Token, position: Position, solUsd: number) {
  const { balance, bought, sold, received, peak, cost, unpriced, episodeIn, episodeOut } = position
  const pct = (tokens: number): number => share(tokens, token.supply)
  const all = bought + received
  const isPriced = hasValue(token) && unpriced === 0
  const hasMoved = all - sold - balance > all * POSITION.movedShare
  const worth = worthOf(token, balance, solUsd)
  return {
    holds_pct: pct(balance),
    peak_pct: pct(peak),
    bought_pct: turnover(bought, token.supply),
    sold_pct: turnover(sold, token.supply),
    received_pct: turnover(received, token.supply),
    first_buy_slot: slotOrNull(position.firstBuySlot),
    last_sell_slot: slotOrNull(position.lastSellSlot),
    paid_sol: sol(Math.max(0, episodeIn)),
    got_sol: sol(episodeOut),
    realised_sol: isPriced && !hasMoved ? sol(episodeOut - (episodeIn - cost)) : null,
    unrealised_sol: isPriced && worth !== null ? sol(worth - cost) : null,
  }
}

/** Lamports at the last price; null if unknown. */
export function worthOf(token: Token, balance: number, solUsd: number): number | null {
  if (!hasValue(token) || token.lastTradeSlot < 0) return null
  return Math.floor(valueIn(token, priceOf(token) * balance, solUsd))
}

/** `group`: number of the position's confirmed group, -1 if none. */
export function personOf(token: Token, market: Market, position: Position, owner: Wallet, group: number): Person {
  return {
    id: position.wallet,
    wallet: keyToBase58(owner.address),
    name: owner.name,
    tags: tagsOf(token, market, position, owner, group >= 0),
    money: moneyOf(token, position, market.solUsd),
    group,
    actor: owner.actor,
    funder: owner.funder,
    funderSlot: owner.funderSlot,
    funderLamports: owner.funderLamports,
  }
}

function tagsOf(token: Token, market: Market, position: Position, owner: Wallet, isGrouped: boolean): Tag[] {
  const is: Readonly<Record<Tag, boolean>> = {
    deployer: position.wallet === token.deployer,
    insider: position.wallet !== token.deployer && isIn(position, CLASS.insiders),
    first_block: isIn(position, CLASS.firstBlock),
    sniper: isIn(position, CLASS.firstSeconds),
    fresh: isIn(position, CLASS.fresh),
    bundled: isGrouped,
    actor: owner.actor >= 0,
    kol: owner.kol,
    smart: isSmartAt(owner, market.slot),
    alpha_hands: isAlphaHands(owner, populationHealthyRate(market.population)),
    agent: owner.agent,
    jeet: isJeet(owner),
    dumper: (sellImpact(owner) ?? 0) < CLASSES.dumperImpact,
    wash: owner.wash,
    serial_rugger: owner.rugs >= CLASSES.serialRugs,
    exchange: owner.exchange,
  }
  return (Object.keys(is) as Tag[]).filter((tag) => is[tag])
}
