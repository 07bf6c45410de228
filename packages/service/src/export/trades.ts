import { sigToBase58 } from '@ti/core/base/base58.ts'
import type { Venue } from '@ti/core/model/events.ts'
import { VENUE } from '@ti/core/model/events.ts'
import type { TradeRow } from '@ti/core/model/rows.ts'
import { double, doubleOrNull, flag, int, intOrNull, known, text, textOrNull, timeOrNull } from './columns.ts'
import type { Table } from './table.ts'

const VENUES = Object.fromEntries(Object.entries(VENUE).map(([name, venue]) => [venue, name])) as Record<Venue, string>

/** One row per trade, in order of the fold: the event, and the trader's history before it. Rows never change. */
export const TRADES: Table<TradeRow> = {
  name: 'trades',
  columns: () => [
    int('trade_no', (t) => t.no),
    int('slot', (t) => t.slot),
    timeOrNull('block_at', (t) => t.time),
    textOrNull('signature', (t) => sigToBase58(t.sig) || null),
    intOrNull('outer_index', (t) => known(t.outer)),
    int('inner_index', (t) => t.inner),
    text('venue', (t) => VENUES[t.venue]),
    text('mint', (t, names) => names.mint(t.token)),
    text('wallet', (t, names) => names.wallet(t.wallet)),
    flag('is_buy', (t) => t.isBuy),
    int('amount_lamports', (t) => t.lamports),
    intOrNull('amount_quote_base_units', (t) => t.own || null),
    int('amount_base_units', (t) => t.tokens),
    double('mcap_usd', (t) => t.mcap),
    textOrNull('bundle_id', (t, names) => names.bundle(t.token, t.group)),
    int('before_buys', (t) => t.buysBefore),
    int('before_buy_lamports', (t) => t.buyLamportsBefore),
    intOrNull('before_balance_lamports', (t) => t.solBalance),
    intOrNull('before_pnl_lamports', (t) => t.pnlLamports),
    doubleOrNull('before_roi', (t) => t.roi),
    doubleOrNull('before_win_rate', (t) => t.winRate),
    doubleOrNull('before_healthy_coins_rate', (t) => t.healthyRate),
    doubleOrNull('before_sell_impact_pct', (t) => t.sellImpact),
    doubleOrNull('before_bundled_trades_rate', (t) => t.bundledRate),
    doubleOrNull('before_avg_hold_slots', (t) => t.avgHoldSlots),
    flag('before_smart_money', (t) => t.smart),
  ],
  rows: ({ store }, [no]) => store.trades(no),
  after: ({ no }) => [no + 1, 0],
}
