import { gotBy, paidBy } from '@ti/core/engine/positions.ts'
import type { Position } from '@ti/core/model/state.ts'
import { double, flag, int, intOrNull, known, text, textOrNull } from './columns.ts'
import type { Table } from './table.ts'

/** One row per mint that a wallet ever held or traded, in order of token and wallet. */
export const POSITIONS: Table<Position> = {
  name: 'positions',
  columns: () => [
    text('mint', (p, names) => names.mint(p.token)),
    text('wallet', (p, names) => names.wallet(p.wallet)),
    int('balance_base_units', (p) => p.balance),
    int('unpriced_base_units', (p) => p.unpriced),
    int('cost_lamports', (p) => p.cost),
    int('settled_cost_lamports', (p) => p.settledCost),
    int('settled_value_lamports', (p) => p.settledMark),
    double('acquired_slot', (p) => p.acquiredSlot),
    int('bought_base_units', (p) => p.bought),
    int('sold_base_units', (p) => p.sold),
    int('received_base_units', (p) => p.received),
    intOrNull('first_buy_slot', (p) => known(p.firstBuySlot)),
    intOrNull('last_buy_slot', (p) => known(p.lastBuySlot)),
    intOrNull('last_sell_slot', (p) => known(p.lastSellSlot)),
    int('peak_base_units', (p) => p.peak),
    int('episode_in_lamports', (p) => p.episodeIn),
    int('episode_out_lamports', (p) => p.episodeOut),
    int('paid_lamports', paidBy),
    int('got_lamports', gotBy),
    flag('closed', (p) => p.closed),
    flag('written_off', (p) => p.writtenOff),
    int('round_trips', (p) => p.roundTrips),
    textOrNull('bundle_id', (p, names) => names.bundleNow(p.token, p.group)),
  ],
  rows: ({ store }, [token, wallet]) => store.positionsFrom(token, wallet),
  after: ({ token, wallet }) => [token, wallet + 1],
}
