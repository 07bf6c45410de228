import { type BlockProducer, SOL } from './block-producer.ts'
import { positionOf, setPrice } from './exchange.ts'
import type { People } from './people.ts'
import type { SimToken } from './tokens.ts'

/** Tokens older than the market, and their age: smallest slots, and mean beyond. */
export const SURVIVORS = { tokens: 30, youngest: 9_000, mean: 300_000 }
/** Their lasting attention at 60 trades a second. Together about two thirds of the market's trades are in pools. */
const ATTENTION = { heat: 0.75, spread: 0.7, tps: 60 }
/** Price relative to the migration's: median, spread, bounds. */
const PRICE = { median: 1.3, spread: 1.1, least: 0.1, most: 60 }
/** The initial reserves of a pool. */
const POOL = { tokens: 206_900_000_000_000, quote: 85 * SOL }
const HOLDERS = 80
const SUPPLY = 1_000_000_000_000_000

/** Turns a token into one that graduated long ago, held by buyers of that time. */
export function grow(token: SimToken, producer: BlockProducer, people: People, slot: number, tps: number): void {
  const { random, traders } = producer
  const multiple = Math.min(PRICE.most, Math.max(PRICE.least, random.lognormal(PRICE.median, PRICE.spread)))
  const root = Math.sqrt(multiple)
  const base = Math.floor(POOL.tokens / root)
  token.pool = { base, quote: Math.floor(POOL.quote * root), virtualQuote: 0 }
  token.curve.realToken = 0
  token.migrateSlot = token.createdSlot
  token.completedSlot = token.createdSlot
  token.heat = random.lognormal(ATTENTION.heat, ATTENTION.spread) * (tps / ATTENTION.tps) * producer.rules.pools
  token.cooling = 1
  setPrice(token)
  token.slowPrice = token.price
  token.highPrice = Math.max(token.highPrice, token.price)
  token.lastSlot = slot
  const weights = Array.from({ length: HOLDERS }, () => random.lognormal(1, 1.2))
  const sum = weights.reduce((a, b) => a + b, 0)
  // the rest is burnt or lost: the bags add up to what the pool gave out, rounded down
  for (const weight of weights) {
    const position = positionOf(token, traders.pick('holder', random))
    position.tokens += Math.floor(((SUPPLY - base) * weight) / sum)
    position.cost = position.tokens * token.price * random.between(0.2, 1.2)
    position.account = true
    people.scheduleExit(position, slot + random.int(2_000))
  }
}
