import { keyToBase58 } from '../base/base58.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import type { Trader } from '../contract/resources.ts'
import * as history from '../engine/history.ts'
import { isSmartAt } from '../engine/smart.ts'
import type { Globals, Wallet } from '../model/state.ts'
import { maybe, percent, ratio, sol } from './round.ts'

/** A wallet's history as of the last block. `mintOf`: base58 mint of a token id. */
export const renderTrader = (
  wallet: Wallet,
  globals: Readonly<Globals>,
  mintOf: (token: number) => string,
): Trader => ({
  avg_hold_slots: maybe(history.avgHoldSlots(wallet), Math.round),
  bundled_trades_rate: maybe(history.bundledRate(wallet), ratio),
  healthy_coins_rate: maybe(history.healthyRate(wallet, globals.population), ratio),
  last_active: isoMicrosOrNull(wallet.lastTime),
  median_hold_slots: history.medianHoldSlots(wallet),
  name: wallet.name,
  pnl_sol: maybe(history.pnlLamports(wallet), sol),
  recent_mints: wallet.recent.map(mintOf),
  roi: maybe(history.roi(wallet), ratio),
  sell_impact: maybe(history.sellImpact(wallet), percent),
  smart_money: isSmartAt(wallet, globals.slot),
  total_buys_sol: wallet.buys > 0 ? sol(wallet.buyLamports) : null,
  user_address: keyToBase58(wallet.address),
  win_rate: maybe(history.winRate(wallet), ratio),
})
