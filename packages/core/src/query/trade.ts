import { keyToBase58, sigToBase58 } from '../base/base58.ts'
import { baseUnits } from '../base/decimal.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { Trade } from '../contract/resources.ts'
import type { TradeRow } from '../model/rows.ts'
import type { Token, Wallet } from '../model/state.ts'
import type { BundleName } from './bundle-name.ts'
import { maybe, meanSlots, percent, ratio, sol } from './round.ts'

/** A trade with the trader's history before it. */
export function renderTrade(
  token: Token,
  mint: string,
  wallet: Wallet,
  row: TradeRow,
  bundle: BundleName | null,
): Trade {
  const signature = sigToBase58(row.sig)
  return {
    avg_hold_slots: maybe(row.avgHoldSlots, meanSlots),
    bundle_id: bundle?.id ?? null,
    bundle_name: bundle?.name ?? null,
    bundled: bundle !== null,
    bundled_trades_rate: maybe(row.bundledRate, ratio),
    buys_count: row.buysBefore,
    healthy_coins_rate: maybe(row.healthyRate, ratio),
    is_buy: row.isBuy,
    mcap: row.mcap,
    mint,
    roi: maybe(row.roi, ratio),
    sell_impact: maybe(row.sellImpact, percent),
    signature,
    slot: row.slot,
    smart_money: row.smart,
    sol_amount: sol(row.lamports),
    timestamp: isoMicrosOrNull(row.time),
    token_amount: row.tokens / baseUnits(token.decimals),
    total_buys_sol: row.buysBefore > 0 ? sol(row.buyLamportsBefore) : null,
    unique_id: uniqueId(signature, row),
    user_address: keyToBase58(wallet.address),
    user_name: wallet.name,
    user_pnl: maybe(row.pnlLamports, sol),
    user_sol_balance: maybe(row.solBalance, sol),
    win_rate: maybe(row.winRate, ratio),
  }
}

/** Position in the chain, or the event's number in the transaction's log if the position is unknown. */
export const uniqueId = (signature: string, { outer, inner }: Pick<TradeRow, 'outer' | 'inner'>): string =>
  outer >= 0 ? `${signature}:${outer}:${inner}` : `${signature}:log:${inner}`
