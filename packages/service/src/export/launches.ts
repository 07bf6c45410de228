import { keyToBase58 } from '@ti/core/base/base58.ts'
import { ruggedBy } from '@ti/core/engine/drain.ts'
import { hasValue } from '@ti/core/engine/units.ts'
import { launchpadName, QUOTE, QUOTE_DECIMALS } from '@ti/core/model/events.ts'
import { DUP, type Dup } from '@ti/core/model/metadata.ts'
import type { Token } from '@ti/core/model/state.ts'
import { doubleOrNull, flag, flagOrNull, int, intOrNull, known, text, textOrNull, timeOrNull } from './columns.ts'
import { there } from './names.ts'
import type { Source, Table } from './table.ts'

const QUOTES = Object.entries(QUOTE)
/** A name, or the mint of a quote without one. */
const quoteOf = ({ quote, asset }: Token): string =>
  asset === null ? QUOTES.find(([, one]) => one === quote)![0] : keyToBase58(asset.mint)
const quoteDecimals = ({ quote, asset }: Token): number | null => known(asset?.decimals ?? QUOTE_DECIMALS[quote]!)
const dup = (seen: Dup): boolean | null => (seen === DUP.unknown ? null : seen === DUP.yes)
/** Null for 0, which means unknown. */
const positive = (value: number): number | null => (value > 0 ? value : null)
const traded = (token: Token, value: number): number | null => (token.athSlot < 0 ? null : value)

/** One row per token, in order of first appearance, as of the position of the export. */
export const LAUNCHES: Table<Token> = {
  name: 'launches',
  columns: () => [
    text('mint', (t) => keyToBase58(t.mint)),
    textOrNull('launchpad', (t) => launchpadName(t.launchpad)),
    flag('launch_seen', (t) => t.createdKnown),
    int('created_slot', (t) => t.createdSlot),
    timeOrNull('created_at', (t) => t.createdTime),
    textOrNull('deployer', (t, names) => names.walletOrNull(t.deployer)),
    text('name', (t) => t.name),
    text('symbol', (t) => t.symbol),
    text('uri', (t) => t.uri),
    flag('metadata_seen', (t) => t.metadata !== null),
    textOrNull('description', (t) => t.metadata?.description ?? null),
    textOrNull('image', (t) => t.metadata?.image ?? null),
    textOrNull('twitter', (t) => t.metadata?.twitter ?? null),
    textOrNull('telegram', (t) => t.metadata?.telegram ?? null),
    textOrNull('website', (t) => t.metadata?.website ?? null),
    flagOrNull('name_duplicated', (t) => dup(t.dup.name)),
    flagOrNull('symbol_duplicated', (t) => dup(t.dup.symbol)),
    flagOrNull('symbol_and_name_duplicated', (t) => dup(t.dup.symbolName)),
    flagOrNull('image_duplicated', (t) => dup(t.dup.image)),
    flagOrNull('twitter_duplicated', (t) => dup(t.dup.twitter)),
    flagOrNull('telegram_duplicated', (t) => dup(t.dup.telegram)),
    flagOrNull('website_duplicated', (t) => dup(t.dup.website)),
    text('quote', quoteOf),
    intOrNull('quote_decimals', quoteDecimals),
    int('decimals', (t) => t.decimals),
    intOrNull('supply_base_units', (t) => positive(t.supply)),
    textOrNull('curve', (t) => (t.curve === null ? null : keyToBase58(t.curve))),
    textOrNull('pool', (t) => (t.pool === null ? null : keyToBase58(t.pool))),
    flag('mayhem', (t) => t.mayhem),
    intOrNull('start_quote_base_units', (t) => positive(t.startQuote)),
    intOrNull('quote_reserve_base_units', (t) => positive(t.quoteReserve)),
    intOrNull('base_reserve_base_units', (t) => positive(t.baseReserve)),
    intOrNull('curve_left_base_units', (t) => known(t.realToken)),
    intOrNull('last_trade_slot', (t) => known(t.lastTradeSlot)),
    timeOrNull('last_trade_at', (t) => t.lastTradeTime),
    doubleOrNull('mcap_usd', (t) => (hasValue(t) ? t.mcap : null)),
    doubleOrNull('ath_usd', (t) => traded(t, t.ath)),
    intOrNull('ath_slot', (t) => known(t.athSlot)),
    timeOrNull('ath_at', (t) => t.athTime),
    intOrNull('completed_slot', (t) => known(t.completeSlot)),
    intOrNull('graduated_slot', (t) => known(t.migratedSlot)),
    timeOrNull('graduated_at', (t) => t.migratedTime),
    timeOrNull('dex_paid_at', (t) => t.dexPaidTime),
    flag('deployer_dumped', (t) => t.deployerDumped),
    intOrNull('drained_slot', (t) => known(t.drainedSlot)),
    intOrNull('rugged_slot', (t) => known(t.ruggedSlot)),
    textOrNull('rugged_by', (t) => ruggedBy(t).join(' ') || null),
    intOrNull('taken_over_slot', (t) => known(t.takenOverSlot)),
    intOrNull('birth_bag_base_units', (t) => (t.createdKnown ? t.birthBag : null)),
    intOrNull('slot_bag_base_units', (t) => (t.createdKnown ? t.slotBag : null)),
    flag('dead', (t) => t.dead),
    int('trades', (t) => t.trades),
    int('buys', (t) => t.buys),
    int('sells', (t) => t.sells),
    int('buyers', (t) => t.buyers),
    int('holders', (t) => t.holders),
    int('held_base_units', (t) => t.owned),
  ],
  *rows({ store, globals }: Source, [first]) {
    for (let id = first; id < globals.nextToken; id++) yield there(store.token(id), 'token', id)
  },
  after: ({ id }) => [id + 1, 0],
}
