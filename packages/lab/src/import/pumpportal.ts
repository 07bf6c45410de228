import { type Counts, count } from '@ti/core/base/counts.ts'
import { launchTexts } from '@ti/core/decode/texts.ts'
import { LAUNCHPAD, QUOTE, VENUE } from '@ti/core/model/events.ts'
import { USDC_TEXT } from '@ti/core/model/programs.ts'
import { type Fields, internKey, sigOf } from '@ti/service/source/shape/fields.ts'
import { knownTrade, SUPPLY, units } from './known-trade.ts'
import type { DecodedCreate, DecodedTrade } from './material.ts'
import { slotAt } from './slot-time.ts'

/** The contents of one message. */
interface Message {
  readonly creates: readonly DecodedCreate[]
  readonly trades: readonly DecodedTrade[]
}

const NOTHING: Message = { creates: [], trades: [] }
/** the initial reserves of every curve in SOL */
const START = { quote: 30_000_000_000, base: 1_073_000_000_000_000 }

/** True for a message of PumpPortal's feed, or its acknowledgement of a subscription. */
export const isPumpPortal = (fields: Fields): boolean =>
  (typeof fields.txType === 'string' && typeof fields.mint === 'string') ||
  (typeof fields.message === 'string' && Object.keys(fields).length === 1)

/**
 * Creations and trades on pump curves in SOL. The feed gives neither slot nor block time, so the time of arrival
 * (`receivedAt`, Unix seconds, 0 if unknown) replaces both. Migrations lack their pool, and creations quoted in USDC
 * name USDC as their mint; neither can be used.
 */
export function pumpPortalOf(fields: Fields, receivedAt: number, counts: Counts): Message {
  const refuse = (why: string): Message => {
    count(counts, `pumpportal:${why}`)
    return NOTHING
  }
  const { txType } = fields
  if (txType === undefined) return refuse('acknowledgement')
  if (txType === 'migrate') return refuse('migration_without_pool')
  if (txType !== 'create' && txType !== 'buy' && txType !== 'sell') return refuse('unknown_type')
  if (fields.pool !== 'pump') return refuse('other_launchpad')
  if (fields.mint === USDC_TEXT) return refuse('quote_named_as_mint')
  if (!(receivedAt > 1e9 && receivedAt < 1e10)) return refuse('no_time')
  const read = txType === 'create' ? readCreate(fields, receivedAt) : readTrade(fields, receivedAt, txType === 'buy')
  return read ?? refuse('unreadable')
}

const place = (receivedAt: number) => ({ slot: slotAt(receivedAt), estimated: true, time: Math.floor(receivedAt) })

function readCreate(fields: Fields, receivedAt: number): Message | null {
  const trade = readTrade(fields, receivedAt, true, fields.initialBuy)
  const curve = keyIn(fields.bondingCurveKey)
  if (trade === null || curve === null) return null
  const { mint, user, sig, mayhem } = trade.trades[0]!.event
  const text = (value: unknown): string => (typeof value === 'string' ? value : '')
  const create: DecodedCreate = {
    ...place(receivedAt),
    event: {
      kind: 'create',
      sig,
      launchpad: LAUNCHPAD.pumpfun,
      mint,
      pool: curve,
      creator: user,
      user,
      payer: null,
      signed: true,
      ...launchTexts({ name: text(fields.name), symbol: text(fields.symbol), uri: text(fields.uri) }),
      quote: QUOTE.SOL,
      supply: SUPPLY,
      decimals: 6,
      quoteReserve: START.quote,
      baseReserve: START.base,
      mayhem,
    },
  }
  const bought = trade.trades[0]!.event.tokenAmount > 0
  return { creates: [create], trades: bought ? trade.trades : [] }
}

function readTrade(fields: Fields, receivedAt: number, isBuy: boolean, tokens = fields.tokenAmount): Message | null {
  const sig = sigOf(fields.signature)
  const mint = keyIn(fields.mint)
  const user = keyIn(fields.traderPublicKey)
  const quoteAmount = units(fields.solAmount, 1e9)
  const tokenAmount = units(tokens, 1e6)
  const quoteReserve = units(fields.vSolInBondingCurve, 1e9)
  const baseReserve = units(fields.vTokensInBondingCurve, 1e6)
  if (sig === null || mint === null || user === null || quoteAmount === null || tokenAmount === null) return null
  if (quoteReserve === null || baseReserve === null || quoteReserve < 1 || baseReserve < 1) return null
  const trade: DecodedTrade = {
    ...place(receivedAt),
    chained: true,
    event: knownTrade({
      ...{ sig, venue: VENUE.pump, mint, pool: keyIn(fields.bondingCurveKey), user, isBuy },
      ...{ quoteAmount, tokenAmount, quoteReserve, baseReserve, mayhem: fields.is_mayhem_mode === true },
    }),
  }
  return { creates: [], trades: [trade] }
}

const keyIn = (value: unknown) => (typeof value === 'string' ? internKey(value) : null)
