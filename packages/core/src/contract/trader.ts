import { z } from 'zod'
import { address, dateTime, rate, slot, tally, text, usd } from './scalars.ts'

export const Trade = z
  .object({
    avg_hold_slots: z.number().min(0).nullable().describe('slots the trader typically holds'),
    bundle_id: text().nullable().describe('identifier of the trader’s coordinated group'),
    bundle_name: text().nullable().describe('name of that group'),
    bundled: z.boolean().describe('trader belongs to a coordinated group'),
    bundled_trades_rate: rate().nullable().describe('share of the trader’s trades that were bundled, 0 to 1'),
    buys_count: tally().nullable().describe('buys made before this trade'),
    healthy_coins_rate: rate().nullable().describe('share of past picks that survived, 0 to 1'),
    is_buy: z.boolean().describe('true buy, false sell'),
    mcap: usd().describe('market cap at the trade, USD'),
    mint: address().describe('token mint address, base58'),
    roi: z.number().nullable().describe('lifetime return at this trade, 0.25 = +25%'),
    sell_impact: z.number().nullable().describe('effect of past exits on prices, percent points'),
    signature: text().describe('transaction signature, base58; empty if the source has none'),
    slot: slot().describe('chain slot'),
    smart_money: z.boolean().describe('trader classed as smart money'),
    sol_amount: z.number().min(0).describe('SOL moved'),
    timestamp: dateTime().nullable(),
    token_amount: z.number().min(0).describe('tokens moved'),
    total_buys_sol: z.number().min(0).nullable().describe('SOL ever spent buying, at this trade'),
    unique_id: text().describe('stable id of this trade'),
    user_address: address().describe('trader wallet, base58'),
    user_name: text().nullable().describe('when tracked'),
    user_pnl: z.number().nullable().describe('lifetime PnL in SOL at this trade'),
    user_sol_balance: z.number().min(0).nullable().describe('SOL balance at this trade'),
    win_rate: rate().nullable().describe('win rate at this trade, 0 to 1'),
  })
  .meta({ id: 'Trade', description: 'A trade with the trader’s history as it stood at that moment.' })
export type Trade = z.infer<typeof Trade>

export const Trader = z
  .object({
    avg_hold_slots: z.int().min(0).nullable().describe('typical slots held'),
    bundled_trades_rate: rate().nullable().describe('share of trades inside a coordinated group, 0 to 1'),
    healthy_coins_rate: rate().nullable().describe('share of past picks that survived, 0 to 1'),
    last_active: dateTime().nullable().describe('last trade seen'),
    median_hold_slots: z.int().min(0).nullable(),
    name: text().nullable().describe('when tracked'),
    pnl_sol: z.number().nullable().describe('lifetime PnL in SOL, can be negative'),
    recent_mints: z.array(address()).max(20).describe('most recent tokens traded, newest first'),
    roi: z.number().nullable().describe('lifetime return as a ratio, 0.25 = +25%'),
    sell_impact: z.number().nullable().describe('typical effect of exits on prices, percent points'),
    smart_money: z.boolean(),
    total_buys_sol: z.number().min(0).nullable().describe('SOL ever spent buying'),
    user_address: address().describe('wallet, base58'),
    win_rate: rate().nullable().describe('share of trades closed in profit, 0 to 1'),
  })
  .meta({ id: 'Trader' })
export type Trader = z.infer<typeof Trader>
