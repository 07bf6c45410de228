import { BUCKET, OUTLOOK } from '../constants.ts'
import { soldInHour } from '../exits.ts'
import { firstBagPct } from '../first-bag.ts'
import { type Holding, ofSupply, type ReadToken } from '../reading/holding.ts'
import { bucketOf } from '../reading/knots.ts'
import { idleSlots, priceOf } from '../tokens.ts'
import { sumWindow } from '../windows.ts'

/** The inputs of the outlook, and the bins of their readings (methodology, section 9). */

export type InputName = keyof typeof OUTLOOK.bins
export const INPUT_NAMES = Object.keys(OUTLOOK.bins) as InputName[]

interface Subject {
  readonly token: ReadToken['token']
  readonly reading: Holding
  readonly slot: number
}

/** Null without a reading. */
const INPUTS: Readonly<Record<InputName, (subject: Subject) => number | null>> = {
  price_multiple: ({ token }) => multipleOf(token),
  /** USD. */
  market_cap: ({ token }) => (token.mcap > 0 ? token.mcap : null),
  holders: ({ reading }) => reading.holders.count,
  idle_slots: ({ token, slot }) => idleSlots(token, slot),
  first_bag_pct: ({ token }) => firstBagPct(token),
  /** Percent of the owned supply that is not with wallets with a track record. */
  unknown_pct: ({ token, reading }) => (token.owned > 0 ? 100 * (1 - reading.coverage) : null),
  net_5m: ({ token, slot }) => netOf(token, slot),
  /** Percent of supply sold by the deployer, insiders and groups within the hour. */
  sold_in_hour_pct: ({ token, slot }) => ofSupply(token, soldInHour(token, slot)),
}

/** Price over the price before the first trade; null if that is unknown. */
export function multipleOf(token: ReadToken['token']): number | null {
  const price = priceOf(token)
  return price > 0 && token.startPrice > 0 ? price / token.startPrice : null
}

/** Bought less sold of the last 5 minutes, as a share of both. */
function netOf(token: ReadToken['token'], slot: number): number | null {
  const { buyLamports, sellLamports } = sumWindow(token, slot, BUCKET.fiveMinutes)
  const traded = buyLamports + sellLamports
  return traded > 0 ? (buyLamports - sellLamports) / traded : null
}

/** Bins of an input, four bits: one without a reading, and at most 15 with one. */
export const BINS = 16
const BITS = 4

/** The bin of a reading, from 1; 0 without one. */
export const binOf = (input: InputName, reading: number | null): number =>
  reading === null ? 0 : 1 + bucketOf(OUTLOOK.bins[input], reading)

/** The bins of all eight inputs in one number below 2^32, the first lowest. */
export const packBins = (bins: readonly number[]): number => bins.reduceRight((all, bin) => all * BINS + bin, 0)

export const binAt = (packed: number, input: number): number => (packed >>> (BITS * input)) & (BINS - 1)

export const binsOf = (subject: Subject): number =>
  packBins(INPUT_NAMES.map((input) => binOf(input, INPUTS[input](subject))))

/** The edges of a bin; null where it has none. */
export function edgesOf(input: InputName, bin: number): { at_least: number | null; below: number | null } {
  const edges: readonly number[] = OUTLOOK.bins[input]
  return bin === 0
    ? { at_least: null, below: null }
    : { at_least: edges[bin - 2] ?? null, below: edges[bin - 1] ?? null }
}
