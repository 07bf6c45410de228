// Generated from openapi.json by `npm run clients`. Do not edit.

/** version of the interface */
export const VERSION = '1.0.0'

export interface ErrorEnvelope {
  readonly error: Error
}

export interface Error {
  /** stable */
  readonly code: 'bad_request' | 'not_found' | 'payment_required' | 'rate_limited' | 'internal_error'
  /** human-readable; may change */
  readonly message: string
  /** equals the X-Request-Id response header */
  readonly request_id: string
  /** seconds until the window resets; present on `rate_limited` */
  readonly retry_after?: number
  /** where to subscribe; present on `payment_required` */
  readonly upgrade_url?: string
}

export interface PaymentRequired {
  readonly error: Error
  readonly x402Version: 1
  readonly accepts: readonly PaymentOffer[]
}

/** One x402 (V1) offer. */
export interface PaymentOffer {
  readonly scheme: 'exact'
  /** V1 name of the chain: `solana` */
  readonly network: string
  /** smallest units of the asset, as digits */
  readonly maxAmountRequired: string
  /** mint of the stablecoin */
  readonly asset: string
  /** wallet of the seller, not its token account */
  readonly payTo: string
  /** the requested URL */
  readonly resource: string
  readonly description: string
  readonly mimeType: string
  /** seconds the offer stands */
  readonly maxTimeoutSeconds: number
  readonly extra: {
    /** who pays the network fee; the payer needs no SOL */
    readonly feePayer: string
  }
}

export interface PaymentRequiredV2 {
  readonly x402Version: 2
  /** why a payment is asked for, in words */
  readonly error: string
  readonly resource: {
    /** what is paid for: the requested URL, or `mcp://tool/…` */
    readonly url: string
    readonly description: string
    readonly mimeType: string
  }
  readonly accepts: readonly PaymentOfferV2[]
}

/** One x402 (V2) offer. */
export interface PaymentOfferV2 {
  readonly scheme: 'exact'
  /** CAIP-2 name of the chain: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp` */
  readonly network: string
  /** smallest units of the asset, as digits */
  readonly amount: string
  /** mint of the stablecoin */
  readonly asset: string
  /** wallet of the seller, not its token account */
  readonly payTo: string
  /** seconds the offer stands */
  readonly maxTimeoutSeconds: number
  readonly extra: {
    /** who pays the network fee; the payer needs no SOL */
    readonly feePayer: string
  }
}

export interface PaymentReceipt {
  readonly success: boolean
  /** signature of the transfer; empty where none is known */
  readonly transaction: string
  /** name of the chain in the version of the payment */
  readonly network: string
  /** wallet that paid */
  readonly payer: string
  /** stable name of the reason, where `success` is false */
  readonly errorReason?: string
}

export interface TokenSnapshotAnswer {
  readonly data: TokenSnapshot
  readonly meta: Meta
}

/** The selected groups; all ten when `fields` is omitted. */
export interface TokenSnapshot {
  readonly meta?: SnapshotMeta
  readonly status?: SnapshotStatus
  readonly market?: SnapshotMarket
  readonly holders?: SnapshotHolders
  readonly bundles?: SnapshotBundles
  readonly score?: SnapshotScore
  readonly cohorts?: SnapshotCohorts
  readonly kols?: SnapshotKols
  readonly signals?: SnapshotSignals
  readonly ratings?: Ratings
}

export interface SnapshotMeta {
  /** launch time */
  readonly deployed_at: string | null
  /** deploying wallet, base58 */
  readonly deployer: string | null
  /** from token metadata */
  readonly description: string | null
  /** image URL */
  readonly image_uri: string | null
  /** launchpad of deployment, for example `pumpfun` or `launchlab` */
  readonly launchpad: string | null
  /** token mint address, base58 */
  readonly mint: string
  readonly name: string | null
  readonly symbol: string | null
  /** link from metadata */
  readonly telegram: string | null
  /** link from metadata */
  readonly twitter: string | null
  /** link from metadata */
  readonly website: string | null
}

export interface SnapshotStatus {
  /** true once a DEX listing order was confirmed */
  readonly dex_paid: boolean
  readonly dex_paid_at: string | null
  readonly duplication: Duplication
  /** true once graduated to a decentralized exchange */
  readonly has_migrated: boolean
  /** true when no duplication flag is set */
  readonly is_og: boolean
  readonly migrated_at: string | null
}

/** Reused-information flags; null means the check has not run yet. */
export interface Duplication {
  /** image hash matches an earlier token */
  readonly image: boolean | null
  /** name matches an earlier token */
  readonly name: boolean | null
  /** symbol matches an earlier token */
  readonly symbol: boolean | null
  /** symbol and name together match an earlier token */
  readonly symbol_name: boolean | null
  /** messaging link matches an earlier token */
  readonly telegram: boolean | null
  /** social link matches an earlier token */
  readonly twitter: boolean | null
  /** website matches an earlier token */
  readonly website: boolean | null
}

export interface SnapshotMarket {
  /** time of the peak; null before the first trade */
  readonly ath_at: string | null
  /** peak market cap, USD */
  readonly ath_mcap: number
  /** chain slot of the peak */
  readonly ath_slot: number
  /** current market cap, USD */
  readonly mcap: number
}

export interface SnapshotHolders {
  /** holders */
  readonly count: number
  /** percent of supply held by tracked wallets */
  readonly pct_supply_owned: number
  /** three largest holders */
  readonly top: readonly {
    /** wallet, base58 */
    readonly address: string
    /** percent of supply */
    readonly pct_of_supply: number
  }[]
  /** percent of supply of the three largest holders */
  readonly top_3_pct: number
  /** percent of supply of the five largest holders */
  readonly top_5_pct: number
  /** percent of supply of the ten largest holders */
  readonly top_10_pct: number
}

export interface SnapshotBundles {
  /** confirmed coordinated groups holding */
  readonly count: number
  /** percent of supply held by bundle wallets */
  readonly owned_pct_supply: number
  /** groups flagged heavy net sellers */
  readonly red_count: number
  /** percent of supply of the three largest bundles */
  readonly top_3_sizes_pct: readonly number[]
}

export interface SnapshotScore {
  /** percent of owned supply held by wallets that historically pick winners */
  readonly alpha_hands_pct: number
  /** percent of owned supply held by coordinated wallet groups */
  readonly bundle_pct: number
  /** weighted holder conviction, 0 to 100 */
  readonly conviction_score: number | null
  /** expected slots before the average holder sells; negative when overdue */
  readonly cooktimer_slots: number
  /** percent of owned supply held by suspicious wallets */
  readonly dirty_pct: number
  /** percent of owned supply held by wallets with heavy sell impact */
  readonly dumpers_pct: number
  /** percent of owned supply in unrealized profit */
  readonly in_profit_pct: number
  /** percent of owned supply held by quick sellers */
  readonly jeets_pct: number
  /** smart-money holders, a coordinated group counting once */
  readonly smart_wallets_count: number
  /** headline quality score, 0 to 10, one decimal */
  readonly value: number
}

export interface SnapshotCohorts {
  /** tokens holders bought before; each bucket is a percent of owned supply */
  readonly buys_pct: {
    readonly under_10: number
    readonly between_10_100: number
    readonly between_100_1k: number
    readonly between_1k_10k: number
    readonly over_10k: number
  }
  /** holders’ healthy-coins rate; each bucket is a percent of owned supply */
  readonly hcr_pct: {
    readonly doa: number
    readonly insider_vibes: number
    readonly kiss_of_death: number
    readonly mid: number
    readonly strong: number
  }
  /** how long holders held; each bucket is a percent of owned supply */
  readonly hold_duration_pct: {
    readonly under_60s: number
    readonly between_60s_150s: number
    readonly between_150s_300s: number
    readonly between_300s_600s: number
    readonly over_600s: number
  }
  /** holders’ lifetime PnL in SOL; each bucket is a percent of owned supply */
  readonly pnl_pct: {
    readonly loss_50_plus: number
    readonly loss_0_to_50: number
    readonly profit_0_to_50: number
    readonly profit_50_to_150: number
    readonly profit_150_plus: number
  }
  /** holders’ lifetime return; each bucket is a percent of owned supply */
  readonly roi_pct: {
    readonly rekt: number
    readonly bleeding: number
    readonly flat: number
    readonly printing: number
    readonly sus_high: number
  }
  /** effect of holders’ past exits on price, percent (the first two are the chart nukers); each bucket is a percent of owned supply */
  readonly sell_impact_pct: {
    readonly under_neg9_9: number
    readonly neg9_9_to_neg3_6: number
    readonly neg3_6_to_neg0_61: number
    readonly neg0_61_to_pos2_2: number
    readonly over_pos2_2: number
  }
  /** holders’ SOL balances; each bucket is a percent of owned supply */
  readonly sol_balance_pct: {
    readonly under_1: number
    readonly between_1_3: number
    readonly between_3_10: number
    readonly between_10_100: number
    readonly over_100: number
  }
}

export interface SnapshotKols {
  /** tracked KOL wallets currently holding */
  readonly count: number
  /** largest share first */
  readonly list: readonly {
    /** chain slot; null without a sell on record */
    readonly expected_sell_slot: number | null
    /** percent of supply */
    readonly pct_of_supply: number
    /** percent points of price after past exits */
    readonly sell_impact: number | null
    readonly user_name: string | null
    /** wallet, base58 */
    readonly wallet: string
  }[]
}

/** Null until the token has traded. */
export interface SnapshotSignals {
  /** dump conditions currently true, of 24 */
  readonly dump_conditions_met: number | null
  /** pump conditions currently true, of 24 */
  readonly pump_conditions_met: number | null
}

/** Verdicts. `neutral` means no reading yet; it is not a pass. */
export interface Ratings {
  /** supply held by wallets that historically pick winners */
  readonly alpha_hands: 'green' | 'yellow' | 'red' | 'neutral'
  /** supply held by coordinated wallet groups */
  readonly bundle: 'green' | 'yellow' | 'red' | 'neutral'
  /** holder conviction index */
  readonly conviction: 'green' | 'yellow' | 'red' | 'neutral'
  /** expected slots before holders sell */
  readonly cooktimer: 'green' | 'yellow' | 'red' | 'neutral'
  /** supply held by suspicious wallets */
  readonly dirty: 'green' | 'yellow' | 'red' | 'neutral'
  /** supply held by wallets with heavy sell impact */
  readonly dumpers: 'green' | 'yellow' | 'red' | 'neutral'
  /** supply in unrealized profit */
  readonly in_profit: 'green' | 'yellow' | 'red' | 'neutral'
  /** supply held by quick sellers */
  readonly jeets: 'green' | 'yellow' | 'red' | 'neutral'
  /** pump versus dump condition counters */
  readonly pump_dump: 'green' | 'yellow' | 'red' | 'neutral'
  /** overall quality score */
  readonly score: 'green' | 'yellow' | 'red' | 'neutral'
}

export interface Meta {
  /** when this response was rendered */
  readonly cached_at: string
  /** equals the X-Request-Id response header */
  readonly request_id: string
}

export interface Trades {
  readonly data: readonly Trade[]
  readonly meta: Meta
}

/** A trade with the trader’s history as it stood at that moment. */
export interface Trade {
  /** slots the trader typically holds */
  readonly avg_hold_slots: number | null
  /** identifier of the trader’s coordinated group */
  readonly bundle_id: string | null
  /** name of that group */
  readonly bundle_name: string | null
  /** trader belongs to a coordinated group */
  readonly bundled: boolean
  /** share of the trader’s trades that were bundled, 0 to 1 */
  readonly bundled_trades_rate: number | null
  /** buys made before this trade */
  readonly buys_count: number | null
  /** share of past picks that survived, 0 to 1 */
  readonly healthy_coins_rate: number | null
  /** true buy, false sell */
  readonly is_buy: boolean
  /** market cap at the trade, USD */
  readonly mcap: number
  /** token mint address, base58 */
  readonly mint: string
  /** lifetime return at this trade, 0.25 = +25 % */
  readonly roi: number | null
  /** effect of past exits on prices, percent points */
  readonly sell_impact: number | null
  /** transaction signature, base58; empty where the material has none */
  readonly signature: string
  /** chain slot */
  readonly slot: number
  /** trader classed as smart money */
  readonly smart_money: boolean
  /** SOL moved */
  readonly sol_amount: number
  readonly timestamp: string | null
  /** tokens moved */
  readonly token_amount: number
  /** SOL ever spent buying, at this trade */
  readonly total_buys_sol: number | null
  /** stable id of this trade */
  readonly unique_id: string
  /** trader wallet, base58 */
  readonly user_address: string
  /** when tracked */
  readonly user_name: string | null
  /** lifetime PnL in SOL at this trade */
  readonly user_pnl: number | null
  /** SOL balance at this trade */
  readonly user_sol_balance: number | null
  /** win rate at this trade, 0 to 1 */
  readonly win_rate: number | null
}

export interface TokenCards {
  readonly data: readonly TokenCard[]
  readonly meta: Meta
}

/** An item of the list operations. */
export interface TokenCard {
  /** when a top trading agent bought it; set on the agents list only */
  readonly agent_bought_at: string | null
  /** which agent bought it; agents list only */
  readonly agent_buyer: string | null
  /** percent of owned supply held by wallets that historically pick winners */
  readonly alpha_hands_pct: number
  /** percent of owned supply held by wallets that historically nuke charts */
  readonly chart_nukers_pct: number
  /** weighted holder conviction, 0 to 100 */
  readonly conviction_score: number | null
  /** launch time */
  readonly deployed_at: string | null
  /** from token metadata */
  readonly description: string | null
  /** true once a DEX listing order was confirmed */
  readonly dex_paid: boolean
  /** percent of owned supply held longer than 10 minutes */
  readonly diamond_hands_pct: number
  /** percent of owned supply held by suspicious wallets */
  readonly dirty_pct: number
  /** dump conditions currently true, of 24 */
  readonly dump_conditions_met: number | null
  readonly duplication: Duplication
  /** true once graduated */
  readonly has_migrated: boolean
  /** image URL */
  readonly image_uri: string | null
  /** tracked KOL wallets currently holding */
  readonly kols_in_count: number
  /** launchpad of deployment, for example `pumpfun` or `launchlab` */
  readonly launchpad: string | null
  /** current market cap, USD */
  readonly mcap: number
  /** token mint address, base58 */
  readonly mint: string
  readonly name: string
  /** pump conditions currently true, of 24 */
  readonly pump_conditions_met: number | null
  readonly ratings: Ratings
  /** quality score, 0 to 10 */
  readonly score: number
  readonly symbol: string
  /** link from metadata */
  readonly telegram: string | null
  /** link from metadata */
  readonly twitter: string | null
  /** link from metadata */
  readonly website: string | null
}

export interface TraderAnswer {
  readonly data: Trader
  readonly meta: Meta
}

export interface Trader {
  /** typical slots held */
  readonly avg_hold_slots: number | null
  /** share of trades inside a coordinated group, 0 to 1 */
  readonly bundled_trades_rate: number | null
  /** share of past picks that survived, 0 to 1 */
  readonly healthy_coins_rate: number | null
  /** last trade seen */
  readonly last_active: string | null
  readonly median_hold_slots: number | null
  /** when tracked */
  readonly name: string | null
  /** lifetime PnL in SOL, can be negative */
  readonly pnl_sol: number | null
  /** most recent tokens traded, newest first */
  readonly recent_mints: readonly string[]
  /** lifetime return as a ratio, 0.25 = +25 % */
  readonly roi: number | null
  /** typical effect of exits on prices, percent points */
  readonly sell_impact: number | null
  readonly smart_money: boolean
  /** SOL ever spent buying */
  readonly total_buys_sol: number | null
  /** wallet, base58 */
  readonly user_address: string
  /** share of trades closed in profit, 0 to 1 */
  readonly win_rate: number | null
}

export interface DeployerAnswer {
  readonly data: readonly DevToken[]
  readonly summary: DevSummary
  readonly meta: {
    /** when this response was rendered */
    readonly cached_at: string
    /** equals the X-Request-Id response header */
    readonly request_id: string
    readonly page: Page
  }
}

/** One launch of a deployer. */
export interface DevToken {
  /** time of the peak */
  readonly ath_at: string | null
  /** peak market cap, USD; null when never recorded */
  readonly ath_mcap: number | null
  /** chain slot of the peak */
  readonly ath_slot: number | null
  /** launch time */
  readonly deployed_at: string | null
  /** true once a DEX listing order was confirmed */
  readonly dex_paid: boolean
  /** true once graduated */
  readonly has_migrated: boolean
  /** image URL */
  readonly image_uri: string | null
  /** launchpad of deployment, for example `pumpfun` or `launchlab` */
  readonly launchpad: string | null
  readonly migrated_at: string | null
  /** token mint address, base58 */
  readonly mint: string
  readonly name: string
  readonly symbol: string
}

/** Over all launches of the deployer, not the page. */
export interface DevSummary {
  /** peak market caps, nearest rank */
  readonly ath_mcap_percentiles: {
    /** USD; null without a recorded peak */
    readonly p25: number | null
    /** USD; null without a recorded peak */
    readonly p50: number | null
    /** USD; null without a recorded peak */
    readonly p75: number | null
    /** USD; null without a recorded peak */
    readonly p90: number | null
  }
  readonly ath_milestones: readonly {
    /** rung, USD */
    readonly mcap: number
    /** percent of the sample that reached it */
    readonly pct: number
    /** launches that reached it */
    readonly reached: number
  }[]
  /** launches with a recorded peak; the denominator */
  readonly ath_sample_size: number
  /** USD */
  readonly best_ath_mcap: number | null
  /** percent of launches that graduated */
  readonly bond_rate: number
  /** how many graduated */
  readonly bonded_count: number
  /** tokens launched by the deployer */
  readonly total_deployed: number
}

export interface Page {
  /** page size applied after clamping to the maximum */
  readonly limit: number
  /** rows skipped */
  readonly offset: number
  /** rows in this page */
  readonly returned: number
}

export interface AccuracyAnswer {
  readonly data: Accuracy
  readonly meta: Meta
}

export interface Accuracy {
  /** formulas that made all of it */
  readonly formulas_version: string
  /** of the first question; null before it */
  readonly since_slot: number | null
  /** up to which outcomes are counted */
  readonly slot: number
  readonly questions: readonly QuestionAccuracy[]
}

export interface QuestionAccuracy {
  readonly question: 'drain' | 'halving' | 'buyer'
  /** outcomes */
  readonly n: number
  /** of these, how many came true */
  readonly hits: number
  /** sum of the probabilities that were served when they were asked */
  readonly expected: number
  /** mean squared error of the served probabilities; null without an outcome */
  readonly brier: number | null
  readonly ages: readonly AccuracyAge[]
}

export interface AccuracyAge {
  /** youngest age in it; ends where the next begins */
  readonly from_slots: number
  /** outcomes */
  readonly n: number
  /** of these, how many came true */
  readonly hits: number
  /** mean squared error of the served probabilities; null without an outcome */
  readonly brier: number | null
  readonly bands: readonly AccuracyBand[]
}

export interface AccuracyBand {
  /** 12 comes true most often */
  readonly band: number
  /** outcomes */
  readonly n: number
  /** of these, how many came true */
  readonly hits: number
  /** sum of the probabilities that were served when they were asked */
  readonly expected: number
  /** what a token in this band is answered with now */
  readonly probability: number
}

export interface Frame {
  readonly data: {
    /** transaction signature, base58; empty where the material has none */
    readonly signature: string
    /** token mint address, base58 */
    readonly mint: string
    readonly slot: number
    readonly timestamp: string | null
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    readonly trades: readonly Trade[]
  }
}

export type TokenEvent = {
  readonly type: 'token_created'
  readonly data: {
    /** token mint address, base58 */
    readonly mint: string
    readonly symbol: string
    readonly name: string
    /** chain slot */
    readonly slot: number
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    /** image URL */
    readonly image_uri: string | null
    /** launch time */
    readonly deployed_at: string | null
    readonly launchpad: string | null
  }
} | {
  readonly type: 'token_metadata_retrieved'
  readonly data: {
    /** token mint address, base58 */
    readonly mint: string
    readonly symbol: string
    readonly name: string
    /** chain slot */
    readonly slot: number
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    /** image URL */
    readonly image_uri: string | null
    readonly description: string | null
    readonly twitter: string | null
    readonly telegram: string | null
    readonly website: string | null
  }
} | {
  readonly type: 'token_duplication_status_updated'
  readonly data: {
    /** token mint address, base58 */
    readonly mint: string
    readonly symbol: string
    readonly name: string
    /** chain slot */
    readonly slot: number
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    readonly duplication: Duplication
  }
} | {
  readonly type: 'token_graduated'
  readonly data: {
    /** token mint address, base58 */
    readonly mint: string
    readonly symbol: string
    readonly name: string
    /** chain slot */
    readonly slot: number
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    /** image URL */
    readonly image_uri: string | null
    /** market cap at the graduation, USD */
    readonly mcap: number
    readonly migrated_at: string | null
  }
} | {
  readonly type: 'token_dex_paid'
  readonly data: {
    /** token mint address, base58 */
    readonly mint: string
    readonly symbol: string
    readonly name: string
    /** chain slot */
    readonly slot: number
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    /** image URL */
    readonly image_uri: string | null
    readonly dex_paid_at: string | null
  }
}

/** The payload of each topic's messages. */
export interface Topics {
  'tokens:live': TokenEvent
  'frames:live': Frame
}

/** What a call takes beside its parameters. */
export interface CallOptions {
  /** ends the call, its retries too */
  signal?: AbortSignal
}

/** Every operation of the interface. Each fails with an `ApiError` where the answer is not 200. */
export interface Operations {
  /**
   * Snapshot of a token. Everything known about who is behind one token, in ten groups. Answers 404 when the mint is not tracked.
   *
   * Price per call without a key: $0.02 (20000 units of USDC).
   *
   * @param mint token mint address
   * @param fields Comma-separated groups: meta, status, market, holders, bundles, score, cohorts, kols, signals, ratings. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.
   */
  snapshot(mint: string, asked?: { fields?: string | readonly string[] } & CallOptions): Promise<TokenSnapshotAnswer>

  /**
   * Recent trades of a token. The 100 most recent trades, newest first, each with the trader’s history as it stood before that trade. Answers 404 when the mint is not tracked.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param mint token mint address
   */
  trades(mint: string, asked?: CallOptions): Promise<Trades>

  /**
   * New tokens. Tokens of the last minutes that passed the rug filters, newest first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   */
  'new'(asked?: CallOptions): Promise<TokenCards>

  /**
   * Pumping tokens. Tokens currently pumping, strongest 5-minute inflow first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   */
  pumps(asked?: CallOptions): Promise<TokenCards>

  /**
   * Graduated tokens. Recently graduated tokens, newest first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   */
  graduated(asked?: CallOptions): Promise<TokenCards>

  /**
   * Buys of the top agents. The 20 most recent buys by the top trading agents, newest first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   */
  agents(asked?: CallOptions): Promise<TokenCards>

  /**
   * Surviving tokens. Tokens still alive 3 to 24 hours after their launch, highest market cap first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   */
  survivors(asked?: CallOptions): Promise<TokenCards>

  /**
   * Profile of a trader. A wallet’s history over every token it traded. Answers 404 when no trade from the wallet has ever been seen.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param address wallet address
   */
  trader(address: string, asked?: CallOptions): Promise<TraderAnswer>

  /**
   * Launches of a deployer. A page of the wallet’s launches, newest first, and a summary over all of them. Answers 404 when the wallet has never deployed a tracked token.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param address wallet address
   * @param limit Page size. Values over 100 are clamped; `meta.page.limit` says what was applied.
   * @param offset Rows to skip.
   */
  deployer(address: string, asked?: { limit?: number; offset?: number } & CallOptions): Promise<DeployerAnswer>

  /**
   * How good the outlook was. For each question about what becomes of a token, by age and band: how often it came true, and what had been foretold.
   *
   * Free, with or without a key.
   */
  accuracy(asked?: CallOptions): Promise<AccuracyAnswer>
}

/** How each is called: method, path, names in the query, names in the body. */
export const OPERATIONS: Readonly<Record<keyof Operations, readonly [string, string, readonly string[], readonly string[]]>> = {
  snapshot: ['GET', '/v1/tokens/{mint}', ['fields'], []],
  trades: ['GET', '/v1/tokens/{mint}/trades', [], []],
  'new': ['GET', '/v1/tokens/new', [], []],
  pumps: ['GET', '/v1/tokens/pumps', [], []],
  graduated: ['GET', '/v1/tokens/graduated', [], []],
  agents: ['GET', '/v1/tokens/agents', [], []],
  survivors: ['GET', '/v1/tokens/survivors', [], []],
  trader: ['GET', '/v1/traders/{address}', [], []],
  deployer: ['GET', '/v1/devs/{address}/tokens', ['limit', 'offset'], []],
  accuracy: ['GET', '/v1/accuracy', [], []],
}
