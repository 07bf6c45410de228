import { type BlockProducer, roundSol, SOL } from './block-producer.ts'
import { createCopying } from './copying.ts'
import { QUIET } from './crowd.ts'
import { planBuy, planSell, positionOf } from './exchange.ts'
import { nextBuyer } from './habits.ts'
import type { Action } from './plan.ts'
import type { Position, SimToken } from './tokens.ts'
import { PROFILES, type Wallet } from './traders.ts'
import type { Move } from './truth.ts'
import { noteMove } from './truth-draft.ts'

/** The probability that a trade is accompanied by a failed one. */
const FAILS = 0.12
/** Slots after the launch within which a first buy is a snipe. */
const SNIPE_SLOTS = 12
/** Share of buys by earlier buyers of the token, and how many of these a token remembers. */
const RETURNS = 0.45
const REGULARS_MAX = 32
/** Share of sales that keep a half for later. */
const HALF = 0.35
/** Slots until undecided holders sell, an hour on average. */
const KEPT = { from: 1_500, mean: 7_500 }
/** Followers per KOL. */
const FOLLOWERS = 50

/** Actions of independent traders. */
export interface People {
  /** `quote`: base units; by default the wallet's usual size. */
  buy(token: SimToken, wallet: Wallet, slot: number, quote?: number): void
  /** Buys for so many lamports without a plan to sell, as part of a `move` if given; null if nothing can be bought. */
  take(token: SimToken, wallet: Wallet, slot: number, lamports: number, move?: Move): Position | null
  /** Sells so many tokens now, or as soon as possible. */
  sell(position: Position, tokens: number, slot: number): void
  /** Lets the next trader buy: a new one or an earlier buyer. */
  come(token: SimToken, slot: number): void
  /** Schedules the wallet's first decision about selling. */
  scheduleExit(position: Position, slot: number): void
  /** Sells everything now, or as soon as possible; as part of a `move` if given. */
  leave(position: Position, slot: number, move?: Move): void
  /** Moves tokens without a trade; null if there is nothing to move. */
  pass(from: Position, to: Wallet, tokens: number): Action | null
  /** Adds independent snipers of a launch: unrelated to each other, but similar. */
  snipe(token: SimToken, slot: number): void
  /** Makes repeated round trips to look busy. */
  wash(token: SimToken, wallet: Wallet, rounds: number, slot: number): void
}

export function createPeople(producer: BlockProducer): People {
  const { random, traders, agenda } = producer
  const copying = createCopying(traders)

  function tipOf(wallet: Wallet): number {
    return random.chance(PROFILES[wallet.habit].tips) ? 10_000 + Math.floor(random.exponential(900_000)) : 0
  }

  function buy(token: SimToken, wallet: Wallet, slot: number, quote = producer.sizeOf(wallet, token)): void {
    const first = token.positions.get(wallet) === undefined
    const action = planBuy(token, wallet, quote)
    if (action === null) return
    if (random.chance(FAILS)) vain(token, slot)
    const position = producer.happen(action, slot)
    const actions: Action[] = [action]
    if (wallet.habit === 'holder' && random.chance(0.05)) {
      const target = traders.pick('regular', random)
      const passed = pass(position, target, Math.floor(position.tokens / 2))
      if (passed !== null) {
        actions.push(passed)
        scheduleExit(positionOf(token, target), slot)
      }
    } else if (wallet.habit === 'scalper' && random.chance(0.02)) {
      const back = planSell(position, position.tokens)
      if (back !== null) {
        actions.push(back)
        producer.happen(back, slot)
      }
    }
    producer.commit(wallet, actions, { tip: tipOf(wallet) })
    if (position.tokens > 0) scheduleExit(position, slot)
    if (wallet.habit === 'kol') callFollowers(token, wallet, slot)
    if (first) callCopiers(token, wallet, slot)
  }

  function take(token: SimToken, wallet: Wallet, slot: number, lamports: number, move?: Move): Position | null {
    const action = planBuy(token, wallet, producer.quoteOf(lamports, token))
    if (action === null) return null
    const position = producer.happen(action, slot)
    const spent = producer.commit(wallet, [action], { tip: tipOf(wallet) })
    if (move !== undefined) noteMove(token, move, slot, wallet, spent)
    return position
  }

  function come(token: SimToken, slot: number): void {
    const { regulars } = token
    if (regulars.length > 0 && random.chance(RETURNS)) return buy(token, random.pick(regulars), slot)
    const wallet = traders.pick(nextBuyer(token, slot, random), random)
    buy(token, wallet, slot)
    if (regulars.length < REGULARS_MAX) regulars.push(wallet)
    else if (random.chance(0.3)) regulars[random.int(REGULARS_MAX)] = wallet
  }

  /** A transaction that fails because the price moved past its limit. */
  function vain(token: SimToken, slot: number): void {
    const wallet = traders.pick(nextBuyer(token, slot, random), random)
    const action = planBuy(token, wallet, producer.sizeOf(wallet, token))
    if (action !== null) producer.commit(wallet, [action], { failed: true })
  }

  function pass(from: Position, to: Wallet, tokens: number): Action | null {
    if (tokens <= 0 || from.wallet === to || from.tokens < tokens) return null
    const target = positionOf(from.token, to)
    const action: Action = {
      kind: 'transfer',
      token: from.token,
      from: from.wallet,
      to,
      tokens,
      fromBefore: from.tokens,
      toBefore: target.tokens,
      opens: !target.account,
    }
    from.tokens -= tokens
    target.tokens += tokens
    target.account = true
    return action
  }

  function scheduleExit(position: Position, slot: number): void {
    const { hold, holdSpread, keeps } = PROFILES[position.wallet.habit]
    if (random.chance(keeps)) {
      // no holder keeps a token for ever that is still traded
      if (position.token.pool !== null)
        agenda.after(slot, KEPT.from + random.exponential(KEPT.mean), (due) => leave(position, due))
      return
    }
    const delay = random.lognormal(hold * position.wallet.patience, holdSpread)
    agenda.after(slot, delay, (due) => look(position, due))
  }

  function look(position: Position, slot: number): void {
    if (position.tokens === 0) return
    const { takeProfit, stop, looks, hold } = PROFILES[position.wallet.habit]
    const gain = position.cost > 0 ? (position.token.price * position.tokens) / position.cost : Number.POSITIVE_INFINITY
    position.looks++
    // without buyers left, most holders keep a worthless token
    if (position.token.heat + position.token.excitement < 4 * QUIET && gain < 0.9 && random.chance(0.6)) return
    if (gain < takeProfit && gain > stop && position.looks < looks) {
      agenda.after(slot, hold * position.wallet.patience * random.between(0.3, 0.9), (due) => look(position, due))
      return
    }
    const half = random.chance(HALF)
    sell(position, half ? Math.ceil(position.tokens / 2) : position.tokens, slot)
    if (half) agenda.after(slot, hold * random.between(0.2, 1), (due) => look(position, due))
  }

  function sell(position: Position, tokens: number, slot: number, move?: Move): void {
    const action = planSell(position, tokens)
    if (action === null) {
      // trading is impossible between completion and migration
      if (position.token.migrateSlot >= 0 && position.token.pool === null && !position.token.left)
        agenda.after(slot, 10 + random.int(40), (due) => look(position, due))
      return
    }
    producer.happen(action, slot)
    const spent = producer.commit(position.wallet, [action], { tip: tipOf(position.wallet) })
    if (move !== undefined) noteMove(position.token, move, slot, position.wallet, spent)
  }

  function leave(position: Position, slot: number, move?: Move): void {
    sell(position, position.tokens, slot, move)
  }

  function callFollowers(token: SimToken, leader: Wallet, slot: number): void {
    const group = Number(leader.id.slice('kol:'.length)) % FOLLOWERS
    for (let n = random.poisson(7); n > 0; n--) {
      const follower = traders.wallet('follower', group * FOLLOWERS + Math.floor(FOLLOWERS * random.float() ** 2))
      agenda.after(slot, 1 + random.int(8), (due) => buy(token, follower, due))
    }
  }

  /** Copy traders buy 1 to 3 slots after their leader, unless they already hold the token; they never lead. */
  function callCopiers(token: SimToken, leader: Wallet, slot: number): void {
    for (const follower of copying.followersOf(leader)) {
      if (token.positions.has(follower) || !random.chance(0.7)) continue
      agenda.after(slot, 1 + random.int(3), (due) => {
        buy(token, follower, due)
        if (token.positions.has(follower)) token.truth?.copies.set(follower, leader)
      })
    }
  }

  function snipe(token: SimToken, slot: number): void {
    const { heat } = token
    for (let n = random.poisson(Math.min(4, 0.6 + 1.2 * Math.sqrt(heat))); n > 0; n--) {
      const sniper = traders.pick('sniper', random)
      producer.soon(slot, random.chance(0.5) ? 0 : 1 + random.int(random.chance(0.7) ? 2 : SNIPE_SLOTS), (due) => {
        const usual = SOL * random.lognormal(0.35 * sniper.size, 0.8)
        const round = random.chance(0.6) ? roundSol(usual) : usual
        buy(token, sniper, due, producer.quoteOf(Math.min(round, sniper.fortune / 2), token))
        if (due - token.createdSlot <= SNIPE_SLOTS && token.positions.has(sniper)) token.truth?.snipers.add(sniper)
      })
    }
  }

  function wash(token: SimToken, wallet: Wallet, rounds: number, slot: number, done = 0): void {
    if (done >= rounds || token.heat + token.excitement < QUIET) return
    const action = planBuy(token, wallet, producer.sizeOf(wallet, token))
    if (action === null) return
    const position = producer.happen(action, slot)
    producer.commit(wallet, [action])
    agenda.after(slot, 1 + random.int(20), (due) => {
      const back = planSell(position, position.tokens)
      if (back === null) return
      producer.happen(back, due)
      producer.commit(wallet, [back])
      if (done + 1 >= 3) token.truth?.washers.add(wallet)
      agenda.after(due, 1 + random.int(60), (next) => wash(token, wallet, rounds, next, done + 1))
    })
  }

  return { buy, take, sell, come, scheduleExit, leave, pass, snipe, wash }
}
