import { keyToBase58 } from '@ti/core/base/base58.ts'
import * as history from '@ti/core/engine/history.ts'
import { isSmartAt } from '@ti/core/engine/smart.ts'
import type { Wallet } from '@ti/core/model/state.ts'
import { doubleOrNull, flag, int, intOrNull, known, text, textOrNull, timeOrNull } from './columns.ts'
import { there } from './names.ts'
import type { Table } from './table.ts'

/** One row per wallet, in order of first appearance: its counters, and the readings derived from them. */
export const WALLETS: Table<Wallet> = {
  name: 'wallets',
  columns: ({ globals }) => [
    text('address', (w) => keyToBase58(w.address)),
    textOrNull('name', (w) => w.name),
    flag('is_kol', (w) => w.kol),
    flag('is_agent', (w) => w.agent),
    flag('is_exchange', (w) => w.exchange),
    flag('is_wash_trader', (w) => w.wash),
    flag('smart_money', (w) => isSmartAt(w, globals.slot)),
    int('first_seen_slot', (w) => w.firstSlot),
    intOrNull('last_trade_slot', (w) => known(w.lastSlot)),
    timeOrNull('last_trade_at', (w) => w.lastTime),
    int('trades', (w) => w.trades),
    int('buys', (w) => w.buys),
    int('sells', (w) => w.sells),
    int('bundled_trades', (w) => w.bundledTrades),
    int('mints_bought', (w) => w.mintsBought),
    int('buy_lamports', (w) => w.buyLamports),
    int('realised_lamports', (w) => w.realised),
    int('closed_cost_lamports', (w) => w.closedCost),
    int('realisations', (w) => w.realisations),
    int('closed_positions', (w) => w.closed),
    int('written_off_positions', (w) => w.writtenOff),
    int('won_positions', (w) => w.won),
    int('picks_resolved', (w) => w.picksResolved),
    int('picks_healthy', (w) => w.picksHealthy),
    intOrNull('balance_lamports', (w) => known(w.solBalance)),
    intOrNull('pnl_lamports', history.pnlLamports),
    doubleOrNull('roi', history.roi),
    doubleOrNull('win_rate', history.winRate),
    doubleOrNull('healthy_coins_rate', (w) => history.healthyRate(w, globals.population)),
    doubleOrNull('sell_impact_pct', history.sellImpact),
    doubleOrNull('bundled_trades_rate', history.bundledRate),
    doubleOrNull('avg_hold_slots', history.avgHoldSlots),
    doubleOrNull('median_hold_slots', history.medianHoldSlots),
    int('launches', (w) => w.launches),
    int('launches_traded', (w) => w.launchesTraded),
    int('launches_above_floor', (w) => w.launchesAboveFloor),
    int('launches_graduated', (w) => w.launchesBonded),
    int('rugs', (w) => w.rugs),
    textOrNull('funder', (w, names) => names.walletOrNull(w.funder)),
    intOrNull('funded_slot', (w) => known(w.funderSlot)),
    int('wallets_funded', (w) => w.funded),
    textOrNull('fee_payer', (w, names) => names.walletOrNull(w.payer)),
    int('wallets_paid_for', (w) => w.paidFor),
  ],
  *rows({ store, globals }, [first]) {
    for (let id = first; id < globals.nextWallet; id++) yield there(store.wallet(id), 'wallet', id)
  },
  after: ({ id }) => [id + 1, 0],
}
