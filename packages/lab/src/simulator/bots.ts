import { type BlockProducer, SOL } from './block-producer.ts'
import type { People } from './people.ts'
import { drawsFrom } from './ranges.ts'
import type { SimToken } from './tokens.ts'
import { PROFILES, type Wallet } from './traders.ts'

/** The busiest bot's share of launches, and how fast the others' shares fall. */
const RANGES = { busiest: [0.17, 0.27], falls: [0.14, 0.24], snipers: [0.15, 0.5] } as const
/** How much a launch draws them compared with others: median and spread. */
const DRAW = { median: 0.8, spread: 1.05 }
/** Slots until they enter, on average. */
const ENTERS = 30
/**
 * Snipers of the creation slot, after a wallet with 15,927 tokens: share that buys in that slot, and of the others in the
 * next; SOL; slots until the last sale; sales.
 */
const SNIPER = {
  same: 0.8,
  next: 0.92,
  sol: 2.47,
  spread: 0.35,
  holds: 14,
  holdSpread: 0.75,
  sales: [2, 3, 4, 4, 5, 6],
}
/** Launches sniped by at least one of them draw several. */
const AGAIN = 0.35

/** Bots that sit in a part of all launches, and snipers of the creation slot. */
export interface Bots {
  launched(token: SimToken, slot: number): void
}

export function createBots(producer: BlockProducer, people: People): Bots {
  const { random, traders, agenda } = producer
  const draw = drawsFrom(producer.ranges, random, RANGES)
  const busiest = draw.busiest()
  const falls = draw.falls()
  const sniped = draw.snipers()
  const shares = Array.from({ length: PROFILES.bot.wallets }, (_, n) => busiest / (1 + falls * n))

  function snipe(token: SimToken, slot: number): void {
    for (let more = random.chance(sniped); more; more = random.chance(AGAIN)) {
      const sniper = traders.pick('sniper', random)
      const delay = random.chance(SNIPER.same) ? 0 : random.chance(SNIPER.next) ? 1 : 2 + random.int(6)
      producer.soon(slot, delay, (due) => {
        const position = people.take(token, sniper, due, SOL * random.lognormal(SNIPER.sol, SNIPER.spread))
        if (position === null) return
        token.truth?.snipers.add(sniper)
        const sales = random.pick(SNIPER.sales)
        const last = random.lognormal(SNIPER.holds, SNIPER.holdSpread)
        for (let n = 0; n < sales; n++)
          agenda.after(due, 1 + (last * (n + 1)) / sales, (at) =>
            people.sell(position, Math.ceil(position.tokens / (sales - n)), at),
          )
      })
    }
  }

  function enter(token: SimToken, bot: Wallet, slot: number): void {
    agenda.after(slot, 1 + random.exponential(ENTERS), (due) => people.buy(token, bot, due))
  }

  return {
    launched(token, slot) {
      snipe(token, slot)
      const draws = random.lognormal(DRAW.median, DRAW.spread)
      shares.forEach((share, n) => {
        if (random.chance(share * draws)) enter(token, traders.wallet('bot', n), slot)
      })
    },
  }
}
