import type { ChainEvent } from '@ti/core/model/events.ts'
import { FEE_CHANGE, LAUNCHPAD, QUOTE, VENUE } from '@ti/core/model/events.ts'
import { USDC, WRAPPED_SOL } from '@ti/core/model/programs.ts'
import { IDLS } from '../../outside/witness.ts'
import { createOracle, type OracleEvent } from './idl.ts'

/** What the interfaces say an event means for us, written without looking at the decoder. */
export const oracles = {
  pump: createOracle(IDLS.pump),
  pump_amm: createOracle(IDLS.pump_amm),
  pump_fees: createOracle(IDLS.pump_fees),
  launchlab: createOracle(IDLS.launchlab),
}

/** Changes of a creator, and what they are called. */
const CHANGES: Readonly<Record<string, number>> = {
  'pump.SetCreatorEvent': FEE_CHANGE.set_creator,
  'pump.SetMetaplexCreatorEvent': FEE_CHANGE.metadata,
  'pump.MigrateBondingCurveCreatorEvent': FEE_CHANGE.sharing,
}

const hexOf = (key: string): string => Buffer.from(key, 'latin1').toString('hex')
const SOL_MINTS = ['00'.repeat(32), hexOf(WRAPPED_SOL)]

/** The comparable fields of a decoded event: keys in hex, no positions. */
export function comparable(event: ChainEvent): Record<string, unknown> {
  const KEYS = ['mint', 'pool', 'user', 'creator', 'owner']
  const entries = Object.entries(event).filter(([name]) => !['sig', 'txIndex', 'outer', 'inner'].includes(name))
  return Object.fromEntries(
    entries.map(([name, value]) => [name, KEYS.includes(name) && typeof value === 'string' ? hexOf(value) : value]),
  )
}

/** The fields that must agree, keys in hex; null when the event is none we read. */
export function expectedOf(program: string, { name, fields: f }: OracleEvent): Record<string, unknown> | null {
  const n = (field: string): number => Number((f[field] ?? 0n) as bigint)
  const kind = `${program}.${name}`
  if (kind === 'pump.TradeEvent') {
    const usesQuote = f.quote_mint !== undefined && f.quote_mint !== SOL_MINTS[0]
    const amount = usesQuote ? n('quote_amount') : n('sol_amount')
    const fees = n('fee') + n('creator_fee') + n('cashback')
    return {
      kind: 'trade',
      venue: VENUE.pump,
      mint: f.mint,
      user: f.user,
      isBuy: f.is_buy,
      quote:
        !usesQuote || SOL_MINTS.includes(f.quote_mint as string)
          ? QUOTE.SOL
          : f.quote_mint === hexOf(USDC)
            ? QUOTE.USDC
            : null,
      quoteAmount: amount,
      userQuote: f.is_buy === true ? amount + fees : amount - fees,
      tokenAmount: n('token_amount'),
      quoteReserve: usesQuote ? n('virtual_quote_reserves') : n('virtual_sol_reserves'),
      baseReserve: n('virtual_token_reserves'),
      realToken: n('real_token_reserves'),
      creator: f.creator ?? null,
    }
  }
  if (kind === 'pump.CreateEvent') {
    return {
      kind: 'create',
      launchpad: LAUNCHPAD.pumpfun,
      mint: f.mint,
      pool: f.bonding_curve,
      user: f.user,
      creator: f.creator ?? '00'.repeat(32),
      supply: f.token_total_supply === undefined ? 1e15 : n('token_total_supply'),
      quoteReserve: f.quote_mint === hexOf(USDC) ? n('virtual_quote_reserves') : n('virtual_sol_reserves'),
      baseReserve: n('virtual_token_reserves'),
      mayhem: f.is_mayhem_mode ?? false,
      name: f.name,
      symbol: f.symbol,
      uri: f.uri,
    }
  }
  const how = CHANGES[kind]
  if (how !== undefined) return { kind: 'creator', mint: f.mint, how, creator: f.new_creator ?? f.creator, pool: null }
  if (kind === 'pump_amm.BuyEvent' || kind === 'pump_amm.SellEvent') {
    const isBuy = name === 'BuyEvent'
    const amount = isBuy ? n('quote_amount_in') : n('quote_amount_out')
    const base = isBuy ? n('base_amount_out') : n('base_amount_in')
    const sign = isBuy ? 1 : -1
    return {
      kind: 'trade',
      venue: VENUE.pumpswap,
      pool: f.pool,
      user: f.user,
      isBuy,
      quoteAmount: amount,
      userQuote: isBuy ? n('user_quote_amount_in') : n('user_quote_amount_out'),
      tokenAmount: base,
      quoteReserve: n('pool_quote_token_reserves') + sign * amount + n('lp_fee') + n('virtual_quote_reserves'),
      baseReserve: n('pool_base_token_reserves') - sign * base,
      quoteBefore: n('pool_quote_token_reserves'),
      supply: f.base_supply === undefined ? -1 : n('base_supply'),
      creator: f.coin_creator === SOL_MINTS[0] ? null : f.coin_creator,
    }
  }
  if (kind === 'launchlab.TradeEvent') {
    const isBuy = n('real_base_after') > n('real_base_before')
    return {
      kind: 'trade',
      venue: VENUE.launchlab,
      pool: f.pool_state,
      isBuy,
      quoteAmount: Math.abs(n('real_quote_after') - n('real_quote_before')),
      userQuote: isBuy ? n('amount_in') : n('amount_out'),
      tokenAmount: isBuy ? n('amount_out') : n('amount_in'),
      quoteReserve: n('virtual_quote') + n('real_quote_after'),
      baseReserve: n('virtual_base') - n('real_base_after'),
      realToken: n('total_base_sell') - n('real_base_after'),
    }
  }
  return null
}
