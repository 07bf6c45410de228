import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '@ti/core/base/verdict-codes.ts'
import type { ReadingRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Position, Token, Wallet } from '@ti/core/model/state.ts'
import { bundleName } from '@ti/core/query/bundle-name.ts'
import { renderTrader } from '@ti/core/query/trader.ts'
import type { Store } from '@ti/service/store/store.ts'
import type { Cells } from './export-reader.ts'

/** What the rows of an export must be, from the store's records. Written apart from the export, so that it can judge it. */
/** in the order of their bits */
const RUGGED_BY = ['deployer', 'groups', 'insiders', 'liquidity', 'first_block']

const whole = (value: number): bigint => BigInt(value)
const wholeOrNull = (value: number | null): bigint | null => (value === null || value === -1 ? null : BigInt(value))
const micros = (seconds: number): bigint | null => (seconds === 0 ? null : BigInt(Math.round(seconds * 1_000_000)))
const over0 = (value: number): bigint | null => (value === 0 ? null : BigInt(value))

export function expectedTrade(store: Store, row: TradeRow): Cells {
  const token = store.token(row.token)!
  const wallet = store.wallet(row.wallet)!
  const group = row.group === -1 ? null : store.bundles(row.token)!.groups[row.group]!
  return {
    trade_no: whole(row.no),
    slot: whole(row.slot),
    block_at: micros(row.time),
    signature: row.sig === '' ? null : sigToBase58(row.sig),
    outer_index: wholeOrNull(row.outer),
    inner_index: whole(row.inner),
    venue: ['pump', 'pumpswap', 'launchlab', 'meteora_dbc', 'meteora_damm_v2'][row.venue]!,
    mint: keyToBase58(token.mint),
    wallet: keyToBase58(wallet.address),
    is_buy: row.isBuy,
    amount_lamports: whole(row.lamports),
    amount_quote_base_units: row.own === 0 ? null : whole(row.own),
    amount_base_units: whole(row.tokens),
    mcap_usd: row.mcap,
    bundle_id: group && bundleName(token.mint, group.firstSlot, store.wallet(group.founder)!.address).id,
    before_buys: whole(row.buysBefore),
    before_buy_lamports: whole(row.buyLamportsBefore),
    before_balance_lamports: row.solBalance === null ? null : whole(row.solBalance),
    before_pnl_lamports: row.pnlLamports === null ? null : whole(row.pnlLamports),
    before_roi: row.roi,
    before_win_rate: row.winRate,
    before_healthy_coins_rate: row.healthyRate,
    before_sell_impact_pct: row.sellImpact,
    before_bundled_trades_rate: row.bundledRate,
    before_avg_hold_slots: row.avgHoldSlots,
    before_smart_money: row.smart,
  }
}

const seen = (dup: 0 | 1 | 2): boolean | null => [null, false, true][dup]!

export function expectedLaunch(store: Store, t: Token): Cells {
  return {
    mint: keyToBase58(t.mint),
    launchpad: [null, 'pumpfun', 'launchlab', 'meteora_dbc'][t.launchpad]!,
    launch_seen: t.createdKnown,
    created_slot: whole(t.createdSlot),
    created_at: micros(t.createdTime),
    deployer: t.deployer === -1 ? null : keyToBase58(store.wallet(t.deployer)!.address),
    name: t.name,
    symbol: t.symbol,
    uri: t.uri,
    metadata_seen: t.metadata !== null,
    description: t.metadata?.description ?? null,
    image: t.metadata?.image ?? null,
    twitter: t.metadata?.twitter ?? null,
    telegram: t.metadata?.telegram ?? null,
    website: t.metadata?.website ?? null,
    name_duplicated: seen(t.dup.name),
    symbol_duplicated: seen(t.dup.symbol),
    symbol_and_name_duplicated: seen(t.dup.symbolName),
    image_duplicated: seen(t.dup.image),
    twitter_duplicated: seen(t.dup.twitter),
    telegram_duplicated: seen(t.dup.telegram),
    website_duplicated: seen(t.dup.website),
    quote: t.asset === null ? ['SOL', 'USDC', 'USD1'][t.quote]! : keyToBase58(t.asset.mint),
    quote_decimals: wholeOrNull(t.asset === null ? [9, 6, 6][t.quote]! : t.asset.decimals),
    decimals: whole(t.decimals),
    supply_base_units: over0(t.supply),
    curve: t.curve && keyToBase58(t.curve),
    pool: t.pool && keyToBase58(t.pool),
    mayhem: t.mayhem,
    start_quote_base_units: over0(t.startQuote),
    quote_reserve_base_units: over0(t.quoteReserve),
    base_reserve_base_units: over0(t.baseReserve),
    curve_left_base_units: wholeOrNull(t.realToken),
    last_trade_slot: wholeOrNull(t.lastTradeSlot),
    last_trade_at: micros(t.lastTradeTime),
    mcap_usd: t.asset === null ? t.mcap : null,
    ath_usd: t.athSlot === -1 ? null : t.ath,
    ath_slot: wholeOrNull(t.athSlot),
    ath_at: micros(t.athTime),
    completed_slot: wholeOrNull(t.completeSlot),
    graduated_slot: wholeOrNull(t.migratedSlot),
    graduated_at: micros(t.migratedTime),
    dex_paid_at: micros(t.dexPaidTime),
    deployer_dumped: t.deployerDumped,
    drained_slot: wholeOrNull(t.drainedSlot),
    rugged_slot: wholeOrNull(t.ruggedSlot),
    rugged_by: RUGGED_BY.filter((_, bit) => Math.floor(t.ruggedBy / 2 ** bit) % 2 === 1).join(' ') || null,
    taken_over_slot: wholeOrNull(t.takenOverSlot),
    birth_bag_base_units: t.createdKnown ? whole(t.birthBag) : null,
    slot_bag_base_units: t.createdKnown ? whole(t.slotBag) : null,
    dead: t.dead,
    trades: whole(t.trades),
    buys: whole(t.buys),
    sells: whole(t.sells),
    buyers: whole(t.buyers),
    holders: whole(t.holders),
    held_base_units: whole(t.owned),
  }
}

/** The counters; readings are compared with what the service answers. */
export function expectedWallet(store: Store, w: Wallet): Cells {
  const address = (id: number): string | null => (id === -1 ? null : keyToBase58(store.wallet(id)!.address))
  return {
    address: keyToBase58(w.address),
    name: w.name,
    is_kol: w.kol,
    is_agent: w.agent,
    is_exchange: w.exchange,
    is_wash_trader: w.wash,
    first_seen_slot: whole(w.firstSlot),
    last_trade_slot: wholeOrNull(w.lastSlot),
    last_trade_at: micros(w.lastTime),
    trades: whole(w.trades),
    buys: whole(w.buys),
    sells: whole(w.sells),
    bundled_trades: whole(w.bundledTrades),
    mints_bought: whole(w.mintsBought),
    buy_lamports: whole(w.buyLamports),
    realised_lamports: whole(w.realised),
    closed_cost_lamports: whole(w.closedCost),
    realisations: whole(w.realisations),
    closed_positions: whole(w.closed),
    written_off_positions: whole(w.writtenOff),
    won_positions: whole(w.won),
    picks_resolved: whole(w.picksResolved),
    picks_healthy: whole(w.picksHealthy),
    balance_lamports: wholeOrNull(w.solBalance),
    launches: whole(w.launches),
    launches_traded: whole(w.launchesTraded),
    launches_above_floor: whole(w.launchesAboveFloor),
    launches_graduated: whole(w.launchesBonded),
    rugs: whole(w.rugs),
    funder: address(w.funder),
    funded_slot: wholeOrNull(w.funderSlot),
    wallets_funded: whole(w.funded),
    fee_payer: address(w.payer),
    wallets_paid_for: whole(w.paidFor),
  }
}

export function expectedPosition(store: Store, p: Position): Cells {
  const token = store.token(p.token)!
  let group = p.group === -1 ? null : store.bundles(p.token)!.groups[p.group]!
  while (group !== null && group.mergedInto !== -1) group = store.bundles(p.token)!.groups[group.mergedInto]!
  const confirmed = group !== null && group.confirmedSlot !== -1
  return {
    mint: keyToBase58(token.mint),
    wallet: keyToBase58(store.wallet(p.wallet)!.address),
    balance_base_units: whole(p.balance),
    unpriced_base_units: whole(p.unpriced),
    cost_lamports: whole(p.cost),
    settled_cost_lamports: whole(p.settledCost),
    settled_value_lamports: whole(p.settledMark),
    acquired_slot: p.acquiredSlot,
    bought_base_units: whole(p.bought),
    sold_base_units: whole(p.sold),
    received_base_units: whole(p.received),
    first_buy_slot: wholeOrNull(p.firstBuySlot),
    last_buy_slot: wholeOrNull(p.lastBuySlot),
    last_sell_slot: wholeOrNull(p.lastSellSlot),
    peak_base_units: whole(p.peak),
    episode_in_lamports: whole(p.episodeIn),
    episode_out_lamports: whole(p.episodeOut),
    paid_lamports: whole(p.episodeIn + p.paidMore),
    got_lamports: whole(p.episodeOut + p.gotMore),
    closed: p.closed,
    written_off: p.writtenOff,
    round_trips: whole(p.roundTrips),
    bundle_id: confirmed ? bundleName(token.mint, group!.firstSlot, store.wallet(group!.founder)!.address).id : null,
  }
}

/** The cohorts with the place of their sums among a token's classes. */
const COHORTS = { own: 1, launcher: 3, first_block: 5, first_3s: 6, kols: 10, known_actors: 11, groups: 9, others: 0 }

export const expectedMoney = ({ mint, classes, createdKnown, asset, rate }: Token): Cells[] =>
  Object.entries(COHORTS)
    .filter(([cohort]) => createdKnown || !cohort.startsWith('first_'))
    .map(([cohort, place]) => {
      const sums = classes[place] ?? { wallets: 0, held: 0, peak: 0, sold: 0, paid: 0, got: 0 }
      const money = (lamports: number) => (asset === null || rate > 0 ? whole(lamports) : null)
      return {
        mint: keyToBase58(mint),
        cohort,
        wallets: whole(sums.wallets),
        held_base_units: whole(sums.held),
        peak_base_units: whole(sums.peak),
        sold_base_units: whole(sums.sold),
        paid_lamports: money(sums.paid),
        got_lamports: money(sums.got),
      }
    })

export function expectedReading(store: Store, r: ReadingRow): Cells {
  const asked = ['drain', 'halving', 'buyer'].flatMap((name, question) => {
    const latched = r.latched.find((one) => one.question === question)
    const { n = null, hits = 0 } = latched ?? {}
    return [
      [`${name}_p`, n === null || n < 20 ? null : Math.round((1e6 * hits) / n) / 1e6],
      [`${name}_outcomes`, n === null ? null : whole(n)],
    ] as const
  })
  return {
    reading_no: whole(r.no),
    mint: keyToBase58(store.token(r.token)!.mint),
    slot: whole(r.slot),
    age_slots: whole(r.slot - store.token(r.token)!.createdSlot),
    colour: COLOURS[r.colour]!,
    code: VERDICT_CODES[r.code]!,
    score: r.score / 10,
    score_before_verdict: r.points / 10,
    known_holders_pct: r.knownPct,
    top_10_pct: r.top10Pct,
    ...Object.fromEntries(asked),
  }
}

export const expectedVerdicts = (store: Store): Cells[] =>
  Array.from(store.tokenEvents(1)).flatMap((row) =>
    row.kind !== 'verdict'
      ? []
      : {
          verdict_no: whole(row.no),
          mint: keyToBase58(store.token(row.token)!.mint),
          slot: whole(row.slot),
          changed_at: micros(row.time),
          from_colour: COLOURS[row.from]!,
          colour: COLOURS[row.colour]!,
          code: VERDICT_CODES[row.code]!,
          event: VERDICT_EVENTS[row.event]!,
          score: row.score === -1 ? null : row.score / 10,
        },
  )

/** The wallet's readings as the interface answers them: rounding is the interface's own. */
export const servedTrader = (store: Store, wallet: Wallet): ReturnType<typeof renderTrader> =>
  renderTrader(wallet, store.globals()!, (id) => keyToBase58(store.token(id)!.mint))
