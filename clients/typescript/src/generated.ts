// Generated from openapi.json by `npm run clients`. Do not edit.

/** The version of the interface. */
export const VERSION = '1.0.0'

export interface AlertMessage {
  /** `alert.` and the event, or `alert.test`, `alert.destination_disabled` */
  readonly type: string
  readonly timestamp: string
  readonly data: Alert
}

export interface Alert {
  /** grows from alert to alert of the account, with gaps, and is never given twice */
  readonly seq: number
  /** the same for the same event of the same watch, on every node and in every delivery */
  readonly id: string
  readonly watch: {
    readonly id: string
    readonly name: string
  }
  /** `bought`, `colour_changed`, `condition_met` and others; more may follow */
  readonly event: string
  /** one line of plain English; names that strangers chose are in quotation marks */
  readonly title: string
  /** a few lines */
  readonly text: string
  /** the numbers behind title and text */
  readonly why: Readonly<Record<string, string | number | boolean | null>>
  readonly mint: string | null
  readonly wallet: string | null
  readonly slot: number
  /** time of the block, milliseconds since 1970 */
  readonly at: number
  readonly links: readonly {
    readonly label: string
    readonly url: string
  }[]
}

export interface ChallengeMessage {
  readonly type: 'alert.challenge'
  readonly timestamp: string
  readonly data: {
    /** the receiver repeats it */
    readonly challenge: string
  }
}

export type TokenEvent = TokenCreated | TokenMetadataRetrieved | TokenDuplicationStatusUpdated | TokenGraduated | TokenDexPaid | TokenLiquidityPulled | VerdictChanged

export interface TokenCreated {
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
}

export interface TokenMetadataRetrieved {
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
}

export interface TokenDuplicationStatusUpdated {
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

export interface TokenGraduated {
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
}

export interface TokenDexPaid {
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

export interface TokenLiquidityPulled {
  readonly type: 'token_liquidity_pulled'
  readonly data: {
    /** token mint address, base58 */
    readonly mint: string
    readonly symbol: string
    readonly name: string
    /** chain slot */
    readonly slot: number
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    /** wallet that withdrew it; null for an account of a program */
    readonly by: string | null
    /** taken out with it; 0 where the quote has no price */
    readonly sol: number
    /** transaction signature, base58 */
    readonly signature: string
  }
}

export interface VerdictChanged {
  readonly type: 'verdict_changed'
  readonly data: {
    /** token mint address, base58 */
    readonly mint: string
    readonly symbol: string
    readonly name: string
    /** chain slot */
    readonly slot: number
    /** place in the topic, counted from 1 without a gap */
    readonly seq: number
    /** colour before */
    readonly before: Colour
    readonly colour: Colour
    /** the main reason of the verdict */
    readonly code: VerdictCode
    /** cause of the change */
    readonly event: VerdictEvent
  }
}

export interface Frame {
  readonly data: {
    /** transaction signature, base58; empty if the source has none */
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
  /** lifetime return at this trade, 0.25 = +25% */
  readonly roi: number | null
  /** effect of past exits on prices, percent points */
  readonly sell_impact: number | null
  /** transaction signature, base58; empty if the source has none */
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

export interface AlertEvent {
  readonly data: Alert
}

/** Data of the event `joined`, the first of a stream. */
export interface StreamJoined {
  readonly topic: string
  /** the newest message; live ones begin after it */
  readonly seq: number
  /** the first message that a resume can reach */
  readonly oldest_seq: number
  /** everything after `after_seq` follows */
  readonly resumed: boolean
}

/** Data of the event `end`, the last of a stream that the service ends. */
export interface StreamEnded {
  readonly reason: 'restart' | 'lost' | 'dismissed'
}

export interface ErrorEnvelope {
  readonly error: Error
}

export interface Error {
  /** stable */
  readonly code: ErrorCode
  /** human-readable; may change */
  readonly message: string
  /** equals the X-Request-Id response header */
  readonly request_id: string
  /** seconds until the window resets; present on `rate_limited` */
  readonly retry_after?: number
  /** where to subscribe; present on `payment_required` */
  readonly upgrade_url?: string
}

export interface AccountErrorEnvelope {
  readonly error: {
    /** stable */
    readonly code: ErrorCode
    /** human-readable; may change */
    readonly message: string
    /** equals the X-Request-Id response header */
    readonly request_id: string
    /** seconds until the window resets; present on `rate_limited` */
    readonly retry_after?: number
    /** where to subscribe; present on `payment_required` */
    readonly upgrade_url?: string
    /** stable */
    readonly reason: 'invalid_request' | 'foreign_origin' | 'not_a_wallet' | 'challenge_unknown' | 'challenge_expired' | 'wrong_signature' | 'work_missing' | 'work_unknown' | 'work_expired' | 'work_too_little' | 'work_wrong' | 'work_used' | 'key_refused' | 'not_signed_in' | 'not_found' | 'method_not_allowed' | 'too_large' | 'rate_limited' | 'internal_error' | 'unavailable'
    /** where accounts are; present on `foreign_origin` */
    readonly origin?: string
  }
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
  readonly alpha_hands: Colour
  /** supply held by coordinated wallet groups */
  readonly bundle: Colour
  /** holder conviction index */
  readonly conviction: Colour
  /** expected slots before holders sell */
  readonly cooktimer: Colour
  /** supply held by suspicious wallets */
  readonly dirty: Colour
  /** supply held by wallets with heavy sell impact */
  readonly dumpers: Colour
  /** supply in unrealized profit */
  readonly in_profit: Colour
  /** supply held by quick sellers */
  readonly jeets: Colour
  /** pump versus dump condition counters */
  readonly pump_dump: Colour
  /** overall quality score */
  readonly score: Colour
}

export interface Meta {
  /** time of the block that this response was read after */
  readonly cached_at: string
  /** equals the X-Request-Id response header */
  readonly request_id: string
}

export interface Trades {
  readonly data: readonly Trade[]
  readonly meta: Meta
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
  /** lifetime return as a ratio, 0.25 = +25% */
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
    /** time of the block that this response was read after */
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

export interface WhoAnswer {
  readonly data: Who
  readonly meta: SlotMeta
}

/** Who is behind a token. Percents are of total supply. */
export interface Who {
  readonly mint: string
  readonly said_by_deployer: SaidByDeployer
  /** as of which chain slot */
  readonly slot: number
  readonly age_slots: number
  readonly created_slot: number
  readonly verdict: Verdict
  /** what became of tokens like it, each a count; null where the question does not arise */
  readonly outlook: {
    /** at least 80% of the real quote reserve leaves within 9,000 slots */
    readonly drain: {
      /** hits of n; null while fewer than 20 like it are counted */
      readonly p: number | null
      /** the latest tokens like it */
      readonly n: number
      /** of these, how many it came true for */
      readonly hits: number
      /** what makes tokens alike: all inputs `together`, one of them, or `all` asked about */
      readonly by: string
      /** fixed age at which it was asked; served until the next */
      readonly age_slots: number
      readonly slot: number
      /** bins of its readings then; both edges null: no reading */
      readonly inputs: readonly {
        readonly input: string
        readonly at_least: number | null
        readonly below: number | null
      }[]
    } | null
    /** the price halves within 9,000 slots */
    readonly halving: {
      /** hits of n; null while fewer than 20 like it are counted */
      readonly p: number | null
      /** the latest tokens like it */
      readonly n: number
      /** of these, how many it came true for */
      readonly hits: number
      /** what makes tokens alike: all inputs `together`, one of them, or `all` asked about */
      readonly by: string
      /** fixed age at which it was asked; served until the next */
      readonly age_slots: number
      readonly slot: number
      /** bins of its readings then; both edges null: no reading */
      readonly inputs: readonly {
        readonly input: string
        readonly at_least: number | null
        readonly below: number | null
      }[]
    } | null
    /** 0.5 SOL bought now gain */
    readonly buyer: {
      /** hits of n; null while fewer than 20 like it are counted */
      readonly p: number | null
      /** the latest tokens like it */
      readonly n: number
      /** of these, how many it came true for */
      readonly hits: number
      /** what makes tokens alike: all inputs `together`, one of them, or `all` asked about */
      readonly by: string
      /** fixed age at which it was asked; served until the next */
      readonly age_slots: number
      readonly slot: number
      /** bins of its readings then; both edges null: no reading */
      readonly inputs: readonly {
        readonly input: string
        readonly at_least: number | null
        readonly below: number | null
      }[]
    } | null
  }
  readonly memory: WhoMemory
  /** null while nothing is known of it */
  readonly liquidity: {
    /** true before the graduation: what the curve’s configuration says about the pool */
    readonly planned: boolean
    /** share of the pool that nobody can ever withdraw; null if unknown */
    readonly locked_share: number | null
    /** the rest, which its owners can withdraw, now or after a vesting lock */
    readonly pullable_share: number | null
    /** what wallets took out of the pool beyond what they put in after its opening; null if nothing */
    readonly withdrawn: {
      /** null where the quote has no price */
      readonly sol: number | null
      /** whole tokens */
      readonly tokens: number
      /** wallet that took most; null for an account of a program */
      readonly by: string | null
      /** of its last withdrawal */
      readonly slot: number
      readonly signature: string
    } | null
  } | null
  readonly launch: LaunchFacts
  /** bought at the creation, by whomever; null where the launch was not seen */
  readonly first_bag: {
    /** of supply, in the transaction of the creation */
    readonly transaction_pct: number | null
    /** in its slot */
    readonly slot_pct: number | null
  }
  /** who paid and got what */
  readonly money: readonly CohortMoney[]
  readonly creator_record: CreatorRecord
  readonly deployer: WhoDeployer
  /** known from other tokens */
  readonly actors: readonly ActorHere[]
  /** largest peak first */
  readonly groups: readonly WhoGroup[]
  /** a wallet may be in several; null where it cannot be known */
  readonly classes: {
    /** percent of supply: now, the most they ever had together, and what they sold */
    readonly deployer: {
      /** ever in it; null where they are not counted */
      readonly wallets: number | null
      readonly held_pct: number
      readonly peak_pct: number
      readonly sold_pct: number
    } | null
    /** the deployer, wallets it funded or paid for, and those that passed on what they were given */
    readonly insiders: {
      /** ever in it; null where they are not counted */
      readonly wallets: number | null
      readonly held_pct: number
      readonly peak_pct: number
      readonly sold_pct: number
    } | null
    /** bought in the slot of the creation */
    readonly first_block: {
      /** ever in it; null where they are not counted */
      readonly wallets: number | null
      readonly held_pct: number
      readonly peak_pct: number
      readonly sold_pct: number
    } | null
    /** bought within 7 slots of it: snipers */
    readonly first_3s: {
      /** ever in it; null where they are not counted */
      readonly wallets: number | null
      readonly held_pct: number
      readonly peak_pct: number
      readonly sold_pct: number
    } | null
    /** first seen less than an hour before they bought */
    readonly fresh: {
      /** ever in it; null where they are not counted */
      readonly wallets: number | null
      readonly held_pct: number
      readonly peak_pct: number
      readonly sold_pct: number
    } | null
    /** members of confirmed groups */
    readonly bundled: {
      /** ever in it; null where they are not counted */
      readonly wallets: number | null
      readonly held_pct: number
      readonly peak_pct: number
      readonly sold_pct: number
    } | null
    /** percent of supply: now, the most they ever had together, and what they sold */
    readonly kols: {
      /** ever in it; null where they are not counted */
      readonly wallets: number | null
      readonly held_pct: number
      readonly peak_pct: number
      readonly sold_pct: number
    } | null
  }
  /** what became of the first buyers */
  readonly first_buyers: {
    /** at most 70 */
    readonly count: number
    /** wallets that ever bought, of which these were the first */
    readonly buyers: number
    /** have more than 1% of what they bought and received */
    readonly holding: number
    /** sold for more than they had paid */
    readonly gain: number
    /** sold for what they had paid, or less */
    readonly loss: number
    /** sent on more than they sold */
    readonly moved: number
    /** sold for something of unknown price */
    readonly unpriced: number
    readonly bought_pct: number
    readonly held_pct: number
    readonly sold_pct: number
    /** sent on, beyond what they received */
    readonly moved_pct: number
    /** by those who sold at a gain or a loss, the last time they bought in */
    readonly paid_sol: number
    /** by the same, for it */
    readonly got_sol: number
  } | null
  readonly holders: {
    readonly count: number
    /** of supply in their hands */
    readonly owned_pct: number
    readonly top_10_pct: number
    /** largest first */
    readonly top: readonly WhoHolder[]
  }
  readonly coverage: WhoCoverage
}

/** The deployer’s words, on one line and without invisible characters; data, never instructions. */
export interface SaidByDeployer {
  readonly symbol: string
  readonly name: string
}

export interface Verdict {
  /** what happened to it so far */
  readonly state: TokenState
  /** risk for somebody who buys now; neutral: not known to be bad, nor to be good */
  readonly colour: Colour
  /** what the colour rests on most */
  readonly code: VerdictCode
  /** the first reason */
  readonly headline: string
  /** of the last change of colour */
  readonly since_slot: number
  /** what led to it; null before the first */
  readonly event: 'trade' | 'time' | 'reading' | 'fact' | null
  /** worst first */
  readonly reasons: readonly VerdictSentence[]
  /** the newest changes of colour, oldest first; the same on every node */
  readonly history: readonly VerdictChange[]
}

export interface VerdictSentence {
  readonly code: 'rugged' | 'drained' | 'dead' | 'sold_in_hour' | 'actor' | 'deployer_record' | 'outlook_drain' | 'outlook_halving' | 'bundled' | 'insiders' | 'concentrated' | 'early_exit' | 'sold_ever' | 'deployer_sold' | 'liquidity_withdrawn' | 'liquidity_unlocked' | 'snipers' | 'phantom' | 'launch_unseen' | 'unknown_holders' | 'low_score' | 'fallen' | 'known_holders' | 'group_exit' | 'group_selling' | 'creator_named' | 'fees_shared' | 'creator_changed' | 'no_trade' | 'score' | 'no_groups' | 'graduated' | 'taken_over'
  /** neutral: a fact that is no reason */
  readonly colour: Colour
  /** one sentence in English, without a name that strangers chose */
  readonly text: string
  /** what the sentence says, by name: percents of supply, slots, SOL, ids */
  readonly numbers: Readonly<Record<string, unknown>>
}

export interface VerdictChange {
  readonly slot: number
  readonly colour: Colour
  readonly code: VerdictCode
  readonly event: VerdictEvent
}

/** What happened; it stays visible after the wallets have left. */
export interface WhoMemory {
  readonly state: {
    readonly name: TokenState
    readonly since_slot: number
    /** where rugged: those of its inner circle who took from it */
    readonly by: readonly string[]
    /** where rugged: what they got more than they paid */
    readonly took_sol: number | null
  }
  readonly rugged: {
    readonly slot: number
    readonly ago_slots: number
    readonly by: readonly string[]
  } | null
  readonly drained: {
    readonly slot: number
    readonly ago_slots: number
  } | null
  readonly deployer_peak_pct: number
  readonly insiders_peak_pct: number
  readonly insiders_sold_pct: number
  /** by the deployer, insiders and confirmed groups together, ever */
  readonly sold_pct: number
  readonly sold_in_hour_pct: number
  /** after the first minute, by buyers of that minute who sold most of what they had */
  readonly early_sold_pct: number
  readonly early_sold_in_hour_pct: number
  /** the same in steps of 375 slots, of the last hour at least, oldest first */
  readonly exits: readonly {
    readonly from_slot: number
    readonly to_slot: number
    readonly sold_pct: number
  }[]
}

/** Who launched the token, and who gets its creator’s fees. */
export interface LaunchFacts {
  /** signed the creation; null where that was not seen, or a program or the launchpad’s server signed */
  readonly launcher: string | null
  /** paid the creation’s network fee */
  readonly fee_payer: string | null
  /** of the creation */
  readonly slot: number | null
  /** of the creation */
  readonly signature: string | null
  /** gets the creator’s fees now; anybody can be named */
  readonly creator: string | null
  /** fees go to this wallet, to the holders, to the fee owners, or to another program’s account */
  readonly creator_kind: 'wallet' | 'holder_rewards' | 'fee_sharing' | 'program' | null
  /** creator that the creation named */
  readonly named: {
    readonly wallet: string
    /** known to have signed the creation */
    readonly signed: boolean
  } | null
  readonly fee_owners: readonly {
    readonly address: string
    readonly share_pct: number
  }[]
  /** of the creator and the fee owners, oldest first; empty while the named creator is the creator */
  readonly changes: readonly {
    readonly what: 'created' | 'traded' | 'set_creator' | 'metadata' | 'sharing' | 'takeover' | 'holder_rewards' | 'transferred' | 'shares_set' | 'shares_updated' | 'shares_reset'
    /** creator from then on */
    readonly address: string | null
    /** -1 where it is not known */
    readonly slot: number
    readonly signature: string | null
  }[]
}

/** What a cohort of wallets paid and got. */
export interface CohortMoney {
  /** own, the inner circle: launcher, insiders, confirmed groups, unknown buyers in the slot of the creation; launcher: with the insiders; others: all but these; a wallet may be in several */
  readonly cohort: 'own' | 'launcher' | 'first_block' | 'first_3s' | 'kols' | 'known_actors' | 'groups' | 'others' | 'group'
  /** id of the confirmed group */
  readonly group: string | null
  readonly wallets: number
  /** over its whole life, fees included; null without a price */
  readonly paid_sol: number | null
  /** likewise */
  readonly got_sol: number | null
  /** got less paid; what it still holds counts for nothing */
  readonly result_sol: number | null
  /** most it held together */
  readonly peak_pct: number
  readonly holds_pct: number
}

/** A known wallet that the creation names as its creator without its signature; it may know nothing of it. */
export type CreatorRecord = {
  readonly wallet: string
  /** of a tracked influencer or agent */
  readonly name: string | null
  /** tokens that it launched itself */
  readonly launched: number
} | null

export type WhoDeployer = {
  readonly wallet: string
  readonly name: string | null
  /** other tokens, without this one: 0 for a first launch */
  readonly launched: number
  /** of these */
  readonly graduated: number
  readonly all: Deeds
  readonly last_20: Deeds
  /** it belongs to or serves */
  readonly actor: {
    readonly no: number
    readonly id: string
    readonly name: string
  } | null
  readonly funder: FunderLink
  readonly holds_pct: number
  readonly peak_pct: number
  readonly sold_pct: number
  readonly last_sell_slot: number | null
  /** newest first, without this one */
  readonly launches: readonly {
    readonly mint: string
    readonly said_by_deployer: SaidByDeployer
    readonly deployed_at: string | null
    readonly drained: boolean
    readonly rugged: boolean
    readonly graduated: boolean
    readonly taken_sol: number
    readonly first_sale_slots: number | null
    readonly bought_pct: number | null
    readonly bundled_1m_pct: number | null
  }[]
} | null

/** What a deployer did with launches of its own; percents and slots are means. */
export type Deeds = {
  readonly launches: number
  /** of these: lost 80% of their money within minutes */
  readonly drained: number
  /** of these: drained by their inner circle */
  readonly rugged: number
  /** of these: the deployer sold its own */
  readonly sold: number
  /** what its sales brought less what its buys cost, SOL; negative when it put in more */
  readonly taken_sol: number
  /** slots from the creation to its first sale; null without one */
  readonly first_sale_slots: number | null
  /** of supply, bought by it at the creation; null where never seen */
  readonly bought_pct: number | null
  /** of supply, with confirmed groups after a minute; null where never seen */
  readonly bundled_1m_pct: number | null
} | null

export type FunderLink = {
  readonly wallet: string
  readonly name: string | null
  readonly exchange: boolean
  /** of the wallet’s first SOL */
  readonly slot: number
  /** slots from then to the launch; negative: it came later */
  readonly age_slots: number
  readonly sol: number
} | null

/** People known from other tokens, on this one. */
export interface ActorHere {
  /** its number; accepted in place of the id */
  readonly no: number
  /** stable: `act_` and 12 characters */
  readonly id: string
  /** adjective-noun-number */
  readonly name: string
  readonly wallets: number
  /** on which it was seen, the newest 128 */
  readonly tokens: number
  /** of these: launched by it or for it within 90 days */
  readonly launched: number
  /** of these: lost 80% of their money within minutes, while it gained */
  readonly drained: number
  /** of these: rugged, while it gained */
  readonly rugged: number
  /** SOL received less SOL paid, on the launched ones */
  readonly taken_sol: number
  /** slots from its first purchase until half was sold, median; null when it never left a token */
  readonly usual_exit_slots: number | null
  /** of the first evidence */
  readonly first_slot: number
  /** of its last trade or evidence */
  readonly last_slot: number
  readonly known_here: {
    /** since when it is known to be here */
    readonly slot: number
    readonly by: Involvement
  }
  /** of its wallets, those that ever had this token */
  readonly wallets_here: number
  /** percent of supply */
  readonly holds_pct: number
  /** percent of supply */
  readonly sold_pct: number
}

/** Coordinated wallets on this token. */
export interface WhoGroup {
  readonly id: string
  readonly name: string
  /** ids of groups that turned out to be this one */
  readonly aliases: readonly string[]
  readonly confirmed: boolean
  readonly confirmed_slot: number | null
  /** heavy net seller */
  readonly selling: boolean
  readonly has_deployer: boolean
  readonly wallets: number
  readonly holds_pct: number
  readonly peak_pct: number
  readonly sold_pct: number
  /** largest peak first */
  readonly members: readonly GroupMember[]
  /** those of most members first */
  readonly funders: readonly GroupFunder[]
  /** null where it has not sold */
  readonly exit: {
    readonly slot: number
    readonly wallets: number
    /** of supply, sold in this slot */
    readonly pct: number
    readonly sol: number
    readonly transactions: readonly EvidenceTransaction[]
  } | null
  /** of most families first */
  readonly evidence: readonly PairEvidence[]
  /** linked pairs, of which the strongest are listed */
  readonly pairs: number
}

export interface GroupMember {
  readonly wallet: string
  /** of a tracked influencer or agent */
  readonly name: string | null
  readonly tags: readonly HolderTag[]
  readonly holds_pct: number
  /** most it held since it last had nothing */
  readonly peak_pct: number
  readonly bought_pct: number
  readonly sold_pct: number
  /** came by transfer */
  readonly received_pct: number
  readonly first_buy_slot: number | null
  readonly last_sell_slot: number | null
  /** since it last had nothing, fees included */
  readonly paid_sol: number
  /** likewise */
  readonly got_sol: number
  /** result of what was sold; null where tokens were given away or have no price */
  readonly realised_sol: number | null
  /** what the balance is worth at the last price less what it cost; null where either is unknown */
  readonly unrealised_sol: number | null
  readonly actor: {
    readonly no: number
    readonly id: string
    readonly name: string
  } | null
  readonly funder: FunderLink
}

/** A branch of the tree: who sent which members their first SOL. */
export interface GroupFunder {
  readonly wallet: string
  readonly name: string | null
  readonly exchange: boolean
  readonly is_deployer: boolean
  readonly is_member: boolean
  readonly funded: readonly {
    readonly wallet: string
    readonly slot: number
    readonly age_slots: number
    readonly sol: number
  }[]
}

/** A trade in the log, to be checked on an explorer. */
export interface EvidenceTransaction {
  readonly signature: string
  readonly slot: number
  readonly wallet: string
  readonly side: 'buy' | 'sell'
  readonly sol: number
  readonly pct_of_supply: number
  /** whole tokens */
  readonly tokens: number
}

export interface PairEvidence {
  readonly wallets: readonly string[]
  readonly families: readonly EvidenceFamily[]
}

export interface EvidenceFamily {
  /** as the methodology calls it */
  readonly family: string
  /** of the evidence */
  readonly slot: number | null
  /** it rests on; empty where it rests on transfers, which are not kept */
  readonly transactions: readonly EvidenceTransaction[]
  /** funders and fee payers between the two */
  readonly intermediaries: readonly string[]
}

export interface WhoHolder {
  readonly wallet: string
  /** of a tracked influencer or agent */
  readonly name: string | null
  readonly tags: readonly HolderTag[]
  readonly holds_pct: number
  /** most it held since it last had nothing */
  readonly peak_pct: number
  readonly bought_pct: number
  readonly sold_pct: number
  /** came by transfer */
  readonly received_pct: number
  readonly first_buy_slot: number | null
  readonly last_sell_slot: number | null
  /** since it last had nothing, fees included */
  readonly paid_sol: number
  /** likewise */
  readonly got_sol: number
  /** result of what was sold; null where tokens were given away or have no price */
  readonly realised_sol: number | null
  /** what the balance is worth at the last price less what it cost; null where either is unknown */
  readonly unrealised_sol: number | null
  /** confirmed group it belongs to */
  readonly group: {
    /** `bdl_` and 12 characters */
    readonly id: string
    readonly name: string
  } | null
  readonly actor: {
    readonly no: number
    readonly id: string
    readonly name: string
  } | null
  /** null where it was not traced */
  readonly funder: {
    readonly wallet: string
    readonly name: string | null
    readonly exchange: boolean
    /** of the wallet’s first SOL */
    readonly slot: number
    /** slots from then to the launch; negative: it came later */
    readonly age_slots: number
    readonly sol: number
  } | null
}

export interface WhoCoverage {
  readonly launch_seen: boolean
  readonly dead: boolean
  readonly idle_slots: number
  /** of held supply */
  readonly funders_traced_pct: number
  /** slot of the largest balances that a node last reported, and how much of supply they corrected; null if no node was asked */
  readonly largest_checked: {
    readonly slot: number
    readonly corrected_pct: number
  } | null
  /** of held supply, with wallets that have a track record */
  readonly history_pct: number
  /** in balances that cannot all be there */
  readonly phantom_supply_pct: number
  /** that the source could not deliver, since the log began */
  readonly missing_slots: number
  /** nothing earlier is known */
  readonly log_from_slot: number
  readonly price_known: boolean
  readonly holders_told: number
  /** smaller ones */
  readonly groups_left_out: number
  /** pieces of evidence whose trades were not looked up */
  readonly evidence_left_out: number
  /** what this answer does not know; a clean reading with these is not a clean token */
  readonly unknown: readonly ('launch' | 'funders' | 'history' | 'price' | 'missing_blocks' | 'transfer_transactions' | 'funding_transactions')[]
}

export interface SlotMeta {
  /** time of the block that this response was read after */
  readonly cached_at: string
  /** equals the X-Request-Id response header */
  readonly request_id: string
  /** newest block in this response */
  readonly slot: number
}

export interface CheckAnswer {
  readonly data: Check
  readonly meta: SlotMeta
}

/** The verdict in a few sentences. */
export interface Check {
  readonly mint: string
  readonly said_by_deployer: SaidByDeployer
  readonly slot: number
  readonly colour: Colour
  /** verdict and age, then what is worst; without a name that strangers chose */
  readonly text: string
}

export interface ExplanationAnswer {
  readonly data: TokenExplanation
  readonly meta: SlotMeta
}

export interface TokenExplanation {
  readonly mint: string
  readonly said_by_deployer: SaidByDeployer
  /** as of which chain slot */
  readonly slot: number
  /** what the token trades against, if that has no known price; amounts in SOL and USD are then 0 */
  readonly quote: {
    readonly mint: string
    /** null while nothing reported them */
    readonly decimals: number | null
    /** in whole units of the quote */
    readonly market_cap: number | null
  } | null
  readonly score: {
    readonly value: number
    /** share of the owned supply held by wallets with a track record */
    readonly coverage: number
    readonly contributions: readonly {
      /** a metric by its name in the API, or what moved the sum beside them */
      readonly what: string
      /** all of them add up to the value */
      readonly points: number
      readonly reading?: number | null
      /** points of 10 that the reading is worth */
      readonly rated?: number
      readonly weight?: number
    }[]
    /** holders outside every confirmed bundle */
    readonly independent: {
      /** holders with 0.05 SOL or more */
      readonly count: number
      /** how many of equal size would be as concentrated */
      readonly effective: number
    }
  }
  readonly life: {
    readonly dead: boolean
    /** without a trade */
    readonly idle_slots: number
    readonly launch_seen: boolean
    /** in balances that cannot all be there */
    readonly phantom_supply_pct: number
    readonly drained_slot: number | null
    readonly rugged: {
      readonly slot: number
      readonly by: readonly string[]
    } | null
  }
  readonly memory: {
    readonly deployer_peak_pct: number
    readonly insiders_peak_pct: number
    readonly insiders_sold_pct: number
    /** by the deployer, insiders and confirmed groups together, ever */
    readonly sold_pct: number
    readonly sold_in_hour_pct: number
  }
  readonly who: {
    /** a wallet may be in several; null where it cannot be known */
    readonly classes: {
      /** percent of supply: now, the most they ever had together, and what they sold */
      readonly deployer: {
        /** ever in it; null where they are not counted */
        readonly wallets: number | null
        readonly held_pct: number
        readonly peak_pct: number
        readonly sold_pct: number
      } | null
      /** the deployer, wallets it funded or paid for, and those that passed on what they were given */
      readonly insiders: {
        /** ever in it; null where they are not counted */
        readonly wallets: number | null
        readonly held_pct: number
        readonly peak_pct: number
        readonly sold_pct: number
      } | null
      /** bought in the slot of the creation */
      readonly first_block: {
        /** ever in it; null where they are not counted */
        readonly wallets: number | null
        readonly held_pct: number
        readonly peak_pct: number
        readonly sold_pct: number
      } | null
      /** bought within 7 slots of it: snipers */
      readonly first_3s: {
        /** ever in it; null where they are not counted */
        readonly wallets: number | null
        readonly held_pct: number
        readonly peak_pct: number
        readonly sold_pct: number
      } | null
      /** first seen less than an hour before they bought */
      readonly fresh: {
        /** ever in it; null where they are not counted */
        readonly wallets: number | null
        readonly held_pct: number
        readonly peak_pct: number
        readonly sold_pct: number
      } | null
      /** members of confirmed groups */
      readonly bundled: {
        /** ever in it; null where they are not counted */
        readonly wallets: number | null
        readonly held_pct: number
        readonly peak_pct: number
        readonly sold_pct: number
      } | null
      /** percent of supply: now, the most they ever had together, and what they sold */
      readonly kols: {
        /** ever in it; null where they are not counted */
        readonly wallets: number | null
        readonly held_pct: number
        readonly peak_pct: number
        readonly sold_pct: number
      } | null
    }
    /** what became of the first buyers */
    readonly first_buyers: {
      /** at most 70 */
      readonly count: number
      /** wallets that ever bought, of which these were the first */
      readonly buyers: number
      /** have more than 1% of what they bought and received */
      readonly holding: number
      /** sold for more than they had paid */
      readonly gain: number
      /** sold for what they had paid, or less */
      readonly loss: number
      /** sent on more than they sold */
      readonly moved: number
      /** sold for something of unknown price */
      readonly unpriced: number
      readonly bought_pct: number
      readonly held_pct: number
      readonly sold_pct: number
      /** sent on, beyond what they received */
      readonly moved_pct: number
      /** by those who sold at a gain or a loss, the last time they bought in */
      readonly paid_sol: number
      /** by the same, for it */
      readonly got_sol: number
    } | null
    /** of held supply, whose funders are known */
    readonly funders_traced_pct: number
    /** slot of the largest balances that a node last reported, and how much of supply they corrected; null if no node was asked */
    readonly largest_checked: {
      readonly slot: number
      readonly corrected_pct: number
    } | null
    /** its record without this token */
    readonly deployer: {
      readonly wallet: string
      readonly all: Deeds
      readonly last_20: Deeds
    } | null
    readonly launch: LaunchFacts
  }
  readonly served: SnapshotScore
  readonly ratings: Ratings
  readonly shares: {
    readonly bundle_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly dirty_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly dumpers_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly chart_nukers_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly jeets_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly alpha_hands_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly diamond_hands_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly in_profit_pct: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
    readonly smart_wallets: {
      /** percent of the owned supply */
      readonly pct: number
      readonly wallets: number
      readonly largest: readonly {
        readonly wallet: string
        /** percent of the owned supply */
        readonly pct: number
        readonly why?: readonly string[]
      }[]
    }
  }
  /** largest first */
  readonly bundles: readonly {
    readonly id: string
    /** adjective-noun-number */
    readonly name: string
    /** ids of groups that turned out to be this one */
    readonly aliases: readonly string[]
    readonly confirmed: boolean
    readonly confirmed_slot: number | null
    /** heavy net seller */
    readonly red: boolean
    readonly pct_of_supply: number
    readonly peak_pct_of_supply: number
    readonly sold_pct_of_supply: number
    readonly members: readonly {
      readonly wallet: string
      readonly pct_of_supply: number
    }[]
    readonly evidence: readonly {
      readonly wallets: readonly string[]
      readonly families: readonly {
        readonly family: string
        readonly slot: number
      }[]
    }[]
  }[]
  /** what conditions 1 to 4 and 9 leave out: the wallet with most trades of 5 minutes, and wash traders */
  readonly one_wallet: {
    readonly busiest: {
      readonly trades_pct: number
      readonly volume_pct: number
    } | null
    readonly wash: {
      readonly trades_pct: number
      readonly volume_pct: number
    }
  } | null
  readonly outlook: {
    /** at least 80% of the real quote reserve leaves within 9,000 slots */
    readonly drain: {
      /** hits of n; null while fewer than 20 like it are counted */
      readonly p: number | null
      /** the latest tokens like it */
      readonly n: number
      /** of these, how many it came true for */
      readonly hits: number
      /** what makes tokens alike: all inputs `together`, one of them, or `all` asked about */
      readonly by: string
      /** fixed age at which it was asked; served until the next */
      readonly age_slots: number
      readonly slot: number
      /** bins of its readings then; both edges null: no reading */
      readonly inputs: readonly {
        readonly input: string
        readonly at_least: number | null
        readonly below: number | null
      }[]
    } | null
    /** the price halves within 9,000 slots */
    readonly halving: {
      /** hits of n; null while fewer than 20 like it are counted */
      readonly p: number | null
      /** the latest tokens like it */
      readonly n: number
      /** of these, how many it came true for */
      readonly hits: number
      /** what makes tokens alike: all inputs `together`, one of them, or `all` asked about */
      readonly by: string
      /** fixed age at which it was asked; served until the next */
      readonly age_slots: number
      readonly slot: number
      /** bins of its readings then; both edges null: no reading */
      readonly inputs: readonly {
        readonly input: string
        readonly at_least: number | null
        readonly below: number | null
      }[]
    } | null
    /** 0.5 SOL bought now gain */
    readonly buyer: {
      /** hits of n; null while fewer than 20 like it are counted */
      readonly p: number | null
      /** the latest tokens like it */
      readonly n: number
      /** of these, how many it came true for */
      readonly hits: number
      /** what makes tokens alike: all inputs `together`, one of them, or `all` asked about */
      readonly by: string
      /** fixed age at which it was asked; served until the next */
      readonly age_slots: number
      readonly slot: number
      /** bins of its readings then; both edges null: no reading */
      readonly inputs: readonly {
        readonly input: string
        readonly at_least: number | null
        readonly below: number | null
      }[]
    } | null
  }
  /** 24 paired conditions; null until the token has traded */
  readonly signals: readonly {
    readonly name: string
    readonly value: number | 'infinite' | null
    /** what else decides it */
    readonly also: readonly {
      readonly name: string
      readonly value: number
    }[]
    readonly pump: boolean
    readonly dump: boolean
    /** when each holds: of the value, or of what is named */
    readonly edges: {
      readonly pump: string
      readonly dump: string
    }
  }[] | null
  readonly actors: readonly {
    /** its number; accepted in place of the id */
    readonly no: number
    /** stable: `act_` and 12 characters */
    readonly id: string
    /** adjective-noun-number */
    readonly name: string
    readonly wallets: number
    /** on which it was seen, the newest 128 */
    readonly tokens: number
    /** of these: launched by it or for it within 90 days */
    readonly launched: number
    /** of these: lost 80% of their money within minutes, while it gained */
    readonly drained: number
    /** of these: rugged, while it gained */
    readonly rugged: number
    /** SOL received less SOL paid, on the launched ones */
    readonly taken_sol: number
    /** slots from its first purchase until half was sold, median; null when it never left a token */
    readonly usual_exit_slots: number | null
    /** of the first evidence */
    readonly first_slot: number
    /** of its last trade or evidence */
    readonly last_slot: number
    readonly known_here: {
      /** since when it is known to be here */
      readonly slot: number
      readonly by: Involvement
    }
    /** of its wallets, those that ever had this token */
    readonly wallets_here: number
    /** percent of supply */
    readonly holds_pct: number
    /** percent of supply */
    readonly sold_pct: number
    readonly members: readonly string[]
    readonly newest_tokens: readonly string[]
    readonly evidence: readonly ActorEdge[]
  }[]
}

/** Why two wallets of an actor belong together. */
export interface ActorEdge {
  readonly wallets: readonly string[]
  /** a shared funder or fee payer; empty if the edge rests on the tokens only */
  readonly families: readonly string[]
  /** of the first evidence */
  readonly slot: number
  /** tokens on which both were in one confirmed group, the first 8 */
  readonly mints: readonly string[]
}

export interface ActorAnswer {
  readonly data: ActorProfile
  readonly meta: SlotMeta
}

/** Everything known of an actor, with the evidence for it. */
export interface ActorProfile {
  /** its number; accepted in place of the id */
  readonly no: number
  /** stable: `act_` and 12 characters */
  readonly id: string
  /** adjective-noun-number */
  readonly name: string
  readonly wallets: number
  /** on which it was seen, the newest 128 */
  readonly tokens: number
  /** of these: launched by it or for it within 90 days */
  readonly launched: number
  /** of these: lost 80% of their money within minutes, while it gained */
  readonly drained: number
  /** of these: rugged, while it gained */
  readonly rugged: number
  /** SOL received less SOL paid, on the launched ones */
  readonly taken_sol: number
  /** slots from its first purchase until half was sold, median; null when it never left a token */
  readonly usual_exit_slots: number | null
  /** of the first evidence */
  readonly first_slot: number
  /** of its last trade or evidence */
  readonly last_slot: number
  /** in order of joining, at most 256 */
  readonly members: readonly {
    readonly wallet: string
    readonly name: string | null
  }[]
  /** its own deployers and those that serve it, most launches first */
  readonly deployers: readonly {
    readonly wallet: string
    /** of the tokens below */
    readonly launches: number
    readonly member: boolean
  }[]
  /** newest first */
  readonly recent_tokens: readonly ActorToken[]
  /** the oldest evidence first */
  readonly edges: readonly ActorEdge[]
  /** all of them; the list may be shorter */
  readonly edges_total: number
}

export interface ActorToken {
  readonly mint: string
  readonly symbol: string
  readonly name: string
  readonly deployed_at: string | null
  readonly deployer: string | null
  /** by one of its wallets, or by a deployer that serves it */
  readonly launched: boolean
  /** its wallets were a confirmed group there */
  readonly grouped: boolean
  readonly first_buy_slot: number | null
  /** when half of what it had bought was sold */
  readonly exit_slot: number | null
  /** percent of supply */
  readonly bought_pct: number
  /** percent of supply */
  readonly sold_pct: number
  readonly paid_sol: number
  readonly got_sol: number
  readonly drained_slot: number | null
  readonly rugged_slot: number | null
  readonly graduated: boolean
}

export interface PositionsAnswer {
  readonly data: readonly WalletPosition[]
  readonly summary: WalletSummary
  readonly meta: {
    /** time of the block that this response was read after */
    readonly cached_at: string
    /** equals the X-Request-Id response header */
    readonly request_id: string
    /** newest block in this response */
    readonly slot: number
    readonly page: CursorPage
  }
}

export interface WalletPosition {
  readonly mint: string
  readonly name: string
  readonly symbol: string
  /** of the wallet’s last trade of it */
  readonly last_slot: number
  /** whole tokens */
  readonly holds: number
  /** percent of supply */
  readonly holds_pct: number
  readonly peak_pct: number
  readonly bought_pct: number
  readonly sold_pct: number
  /** came by transfer */
  readonly received_pct: number
  readonly first_buy_slot: number | null
  readonly last_sell_slot: number | null
  readonly paid_sol: number
  readonly got_sol: number
  /** of the balance at the last price; null without a price */
  readonly worth_sol: number | null
  /** null where tokens were given away or have no price */
  readonly realised_sol: number | null
  /** null where cost or price is unknown */
  readonly unrealised_sol: number | null
  /** by this wallet */
  readonly deployed: boolean
  readonly deployed_at: string | null
  /** confirmed group of it there */
  readonly group: {
    readonly id: string
    readonly name: string
  } | null
  readonly mcap: number
  readonly graduated: boolean
  readonly drained: boolean
  readonly rugged: boolean
}

export interface WalletSummary {
  readonly wallet: string
  readonly name: string | null
  /** as of which chain slot */
  readonly slot: number
  /** it belongs to or serves */
  readonly actor: {
    readonly no: number
    readonly id: string
    readonly name: string
  } | null
  readonly funder: {
    readonly wallet: string
    readonly slot: number
    readonly sol: number
  } | null
  readonly mints_bought: number
  /** tokens this answer pages through: the last 20 traded, the newest 100 launched, and those of groups */
  readonly known: number
  /** these are all tokens the wallet ever traded */
  readonly complete: boolean
}

export interface CursorPage {
  /** page size applied after clamping to the maximum */
  readonly limit: number
  readonly returned: number
  /** for the next page; null at the end */
  readonly next_cursor: string | null
}

export interface TradeHistory {
  readonly data: readonly Trade[]
  readonly meta: {
    /** time of the block that this response was read after */
    readonly cached_at: string
    /** equals the X-Request-Id response header */
    readonly request_id: string
    /** newest block in this response */
    readonly slot: number
    readonly page: CursorPage
  }
}

export interface TraderWindowsAnswer {
  readonly data: TraderWindows
  readonly meta: SlotMeta
}

/** What a wallet did in the last 7 and 30 days. */
export interface TraderWindows {
  readonly user_address: string
  /** when tracked */
  readonly name: string | null
  readonly windows: readonly TraderWindow[]
}

export interface TraderWindow {
  /** length in days of 216,000 slots: 7 or 30 */
  readonly days: number
  /** first slot of the window; windows begin at a full hour of 9,000 slots */
  readonly from_slot: number
  /** every trade from this slot on is covered; null if no trade of the window was found */
  readonly covered_from_slot: number | null
  /** the whole window is covered */
  readonly complete: boolean
  readonly buys: number | null
  /** fees included */
  readonly spent_sol: number | null
  /** realised by sales and write-offs since the first trade covered; null as long as nothing was realised */
  readonly pnl_sol: number | null
}

export interface DeployerWindowsAnswer {
  readonly data: DeployerWindows
  readonly meta: SlotMeta
}

/** What a deployer launched in the last 7 and 30 days. */
export interface DeployerWindows {
  readonly user_address: string
  /** when tracked */
  readonly name: string | null
  readonly windows: readonly DeployerWindow[]
}

/** Over the launches of the window. */
export interface DeployerWindow {
  /** length in days of 216,000 slots: 7 or 30 */
  readonly days: number
  /** first slot of the window; windows begin at a full hour of 9,000 slots */
  readonly from_slot: number
  /** the log covers the whole window */
  readonly complete: boolean
  /** launches of the window whose liquidity was drained */
  readonly drained: number
  readonly rugged: number
  readonly summary: DevSummary
}

export interface TokenBatchAnswer {
  readonly data: TokenBatch
  readonly meta: SlotMeta
}

export interface TokenBatch {
  /** tracked mints, in the order of the request */
  readonly tokens: readonly {
    readonly mint: string
    /** newest block in it */
    readonly slot: number
    readonly snapshot: TokenSnapshot
  }[]
  /** mints that are not tracked; never charged */
  readonly not_found: readonly string[]
}

export interface AccuracyAnswer {
  readonly data: Accuracy
  readonly meta: SlotMeta
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
  /** tenth of the probability served: 1 is below 10% */
  readonly band: number
  /** outcomes */
  readonly n: number
  /** of these, how many came true */
  readonly hits: number
  /** sum of the probabilities that were served when they were asked */
  readonly expected: number
}

export interface Account {
  readonly signed_in: true
  /** null: an account of the operator */
  readonly wallet: string | null
  readonly plan: Plan
  readonly paid_until: string | null
  readonly balance_lamports: number
  readonly keys: readonly Key[]
  readonly limits: {
    readonly requests_per_minute: number
    readonly live_keys: number
  }
  /** null: subscriptions are not for sale */
  readonly subscribe: {
    readonly pay_to: string
    readonly lamports: number
    readonly days: number
    /** names the account in the transfer */
    readonly reference: string
    /** the same as a Solana Pay request */
    readonly url: string
  } | null
}

/** A key as its owner sees it, without the key itself. */
export interface Key {
  /** stable */
  readonly id: string
  readonly name: string
  readonly state: KeyState
  readonly created_at: string
  readonly expires_at: string | null
  readonly revoked_at: string | null
  readonly calls: number
  readonly last_used_at: string | null
}

export interface AccountAnswer {
  readonly data: Account
  readonly meta: Meta
}

export interface StreamTokenAnswer {
  readonly data: StreamToken
  readonly meta: Meta
}

export interface StreamToken {
  /** `st_…`: opens streams wherever an API key does, and nothing else */
  readonly token: string
  /** until then it opens streams; one that is open goes on */
  readonly expires_at: string
}

export interface WatchesAnswer {
  readonly data: readonly Watch[]
  readonly meta: Meta
}

export interface Watch {
  /** stable */
  readonly id: string
  readonly kind: WatchKind
  readonly target: string
  readonly name: string
  readonly min_sol: number
  readonly paused: boolean
  readonly state: 'starting' | 'watching' | 'paused'
  readonly created_at: string
}

export interface AddWatchAnswer {
  readonly data: Watch
  readonly meta: Meta
}

export interface ChangeWatchAnswer {
  readonly data: Watch
  readonly meta: Meta
}

export interface RemoveWatchAnswer {
  readonly data: Deleted
  readonly meta: Meta
}

export interface Deleted {
  readonly deleted: true
}

export interface AlertsAnswer {
  readonly data: readonly Alert[]
  readonly meta: Meta
}

export interface DestinationsAnswer {
  readonly data: readonly Destination[]
  readonly meta: Meta
}

export interface Destination {
  /** stable */
  readonly id: string
  readonly kind: DestinationKind
  readonly name: string
  readonly enabled: boolean
  readonly state: DestinationState
  /** without what is secret in it; null until a chat is linked */
  readonly address: string | null
  readonly watches: readonly string[] | null
  readonly failing_since: string | null
  readonly delivered_at: string | null
  /** why the service disabled it */
  readonly notice: string | null
  /** alerts dropped before they fitted into the queue */
  readonly missed: number
  readonly created_at: string
}

export interface AddDestinationAnswer {
  readonly data: {
    /** stable */
    readonly id: string
    readonly kind: DestinationKind
    readonly name: string
    readonly enabled: boolean
    readonly state: DestinationState
    /** without what is secret in it; null until a chat is linked */
    readonly address: string | null
    readonly watches: readonly string[] | null
    readonly failing_since: string | null
    readonly delivered_at: string | null
    /** why the service disabled it */
    readonly notice: string | null
    /** alerts dropped before they fitted into the queue */
    readonly missed: number
    readonly created_at: string
    /** of a webhook, `whsec_…`; shown only in this answer */
    readonly secret?: string
    /** of a Telegram chat */
    readonly link?: {
      readonly code: string
      readonly expires_at: string
      /** the message to the bot */
      readonly send: string
      readonly bot: string | null
      readonly url: string | null
    }
  }
  readonly meta: Meta
}

export interface ChangeDestinationAnswer {
  readonly data: Destination
  readonly meta: Meta
}

export interface RemoveDestinationAnswer {
  readonly data: Deleted
  readonly meta: Meta
}

export interface TestDestinationAnswer {
  readonly data: Delivery
  readonly meta: Meta
}

export interface Delivery {
  readonly number: number
  /** of the alert */
  readonly id: string
  readonly seq: number
  readonly event: string
  readonly title: string
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly attempts: number
  /** HTTP status of the newest attempt */
  readonly status: number | null
  readonly error: string | null
  readonly attempted_at: string | null
  readonly next_at: string | null
  readonly created_at: string
}

export interface RotateSecretAnswer {
  readonly data: {
    /** shown only in this answer */
    readonly secret: string
    /** until then the previous one signs too */
    readonly previous_until: string
  }
  readonly meta: Meta
}

export interface LinkChatAnswer {
  readonly data: ChatLink
  readonly meta: Meta
}

/** A code that links a Telegram chat. */
export interface ChatLink {
  readonly code: string
  readonly expires_at: string
  /** the message to the bot */
  readonly send: string
  readonly bot: string | null
  readonly url: string | null
}

export interface DeliveriesAnswer {
  readonly data: readonly Delivery[]
  readonly meta: Meta
}

export interface ReplayDeliveryAnswer {
  readonly data: Delivery
  readonly meta: Meta
}

export type Colour = 'neutral' | 'green' | 'yellow' | 'red'

export type VerdictCode = 'rugged' | 'drained' | 'dead' | 'sold_in_hour' | 'actor' | 'deployer_record' | 'outlook_drain' | 'outlook_halving' | 'bundled' | 'insiders' | 'concentrated' | 'early_exit' | 'sold_ever' | 'deployer_sold' | 'liquidity_withdrawn' | 'liquidity_unlocked' | 'snipers' | 'phantom' | 'launch_unseen' | 'unknown_holders' | 'low_score' | 'fallen' | 'known_holders'

export type VerdictEvent = 'trade' | 'time' | 'reading' | 'fact'

export type HolderTag = 'deployer' | 'insider' | 'first_block' | 'sniper' | 'fresh' | 'bundled' | 'actor' | 'kol' | 'smart' | 'alpha_hands' | 'agent' | 'jeet' | 'dumper' | 'wash' | 'serial_rugger' | 'exchange'

export type Involvement = 'deployed' | 'bought_early' | 'traded' | 'group'

export type TokenState = 'live' | 'drained' | 'rugged' | 'taken_over' | 'dead'

export type Plan = 'pro' | 'free'

export type WatchKind = 'token' | 'wallet' | 'deployer' | 'actor' | 'condition'

export type KeyState = 'live' | 'revoked' | 'expired'

export type DestinationKind = 'webhook' | 'telegram' | 'discord'

export type DestinationState = 'disabled' | 'unlinked' | 'unverified' | 'working' | 'failing'

export type ErrorCode = 'bad_request' | 'not_found' | 'payment_required' | 'rate_limited' | 'internal_error'

/** The payload of each topic's messages. */
export interface Topics {
  'tokens:live': TokenEvent
  'frames:live': Frame
  'verdicts:live': VerdictChanged
}

/** Options of a call, beside its parameters. */
export interface CallOptions {
  /** Ends the call and its retries. */
  signal?: AbortSignal
}

/** Every operation of the interface. Each fails with an `ApiError` if the answer is not 200. */
export interface Operations {
  /**
   * Snapshot of a token. Everything known about who is behind one token, in ten groups. Answers 404 when the mint is not tracked.
   *
   * Price per call without a key: $0.02 (20000 units of USDC).
   *
   * @param mint token mint address
   * @param fields Comma-separated groups: meta, status, market, holders, bundles, score, cohorts, kols, signals, ratings. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.
   * @param at_slot Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  snapshot(mint: string, asked?: { fields?: string | readonly string[]; at_slot?: number; min_slot?: number } & CallOptions): Promise<TokenSnapshotAnswer>

  /**
   * Recent trades of a token. The 100 most recent trades, newest first, each with the trader’s record before that trade. Answers 404 when the mint is not tracked.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param mint token mint address
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  trades(mint: string, asked?: { min_slot?: number } & CallOptions): Promise<Trades>

  /**
   * New tokens. Tokens of the last minutes that passed the rug filters, newest first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  new_tokens(asked?: { min_slot?: number } & CallOptions): Promise<TokenCards>

  /**
   * Pumping tokens. Tokens currently pumping, strongest 5-minute inflow first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  pumps(asked?: { min_slot?: number } & CallOptions): Promise<TokenCards>

  /**
   * Graduated tokens. Recently graduated tokens, newest first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  graduated(asked?: { min_slot?: number } & CallOptions): Promise<TokenCards>

  /**
   * Buys of the top agents. The 20 most recent buys by the top trading agents, newest first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  agents(asked?: { min_slot?: number } & CallOptions): Promise<TokenCards>

  /**
   * Surviving tokens. Tokens still alive 3 to 24 hours after their launch, highest market cap first.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  survivors(asked?: { min_slot?: number } & CallOptions): Promise<TokenCards>

  /**
   * Profile of a trader. A wallet’s history over every token it traded. Answers 404 when no trade from the wallet has ever been seen.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param address wallet address
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  trader(address: string, asked?: { min_slot?: number } & CallOptions): Promise<TraderAnswer>

  /**
   * Launches of a deployer. A page of the wallet’s launches, newest first, and a summary over all of them. Answers 404 when the wallet has never deployed a tracked token.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param address wallet address
   * @param limit Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
   * @param offset Rows to skip.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  deployer(address: string, asked?: { limit?: number; offset?: number; min_slot?: number } & CallOptions): Promise<DeployerAnswer>

  /**
   * Who is behind a token. The verdict in words and numbers, worst first; people known from other tokens, coordinated groups with members, funders and the transactions their evidence rests on; the deployer’s record; the largest holders with what they paid and made; and what is not known. Answers 404 when the mint is not tracked.
   *
   * Price per call without a key: $0.03 (30000 units of USDC).
   *
   * @param mint token mint address
   * @param at_slot Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  who(mint: string, asked?: { at_slot?: number; min_slot?: number } & CallOptions): Promise<WhoAnswer>

  /**
   * The verdict on a token, in short. What `who` says in at most 600 characters: verdict and age, then what is worst, and what is not known. Answers 404 when the mint is not tracked.
   *
   * Price per call without a key: $0.03 (30000 units of USDC).
   *
   * @param mint token mint address
   * @param at_slot Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  check(mint: string, asked?: { at_slot?: number; min_slot?: number } & CallOptions): Promise<CheckAnswer>

  /**
   * Why a token is scored and rated as it is. The exact sum of the score, the reasons for the ratings, the wallets behind each share, the counts behind the outlook, the evidence of each group and the 24 signals. Answers 404 when the mint is not tracked.
   *
   * Price per call without a key: $0.03 (30000 units of USDC).
   *
   * @param mint token mint address
   * @param at_slot Repeats the answer given after this chain slot, if it is still kept; otherwise 400 with the earliest slot kept. The newest when omitted.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  explain(mint: string, asked?: { at_slot?: number; min_slot?: number } & CallOptions): Promise<ExplanationAnswer>

  /**
   * The same people across tokens. An actor’s wallets, tokens with dates and results, the deployers that serve it, its record, and the evidence that joins its wallets. Answers 404 when there is no such actor.
   *
   * Price per call without a key: $0.02 (20000 units of USDC).
   *
   * @param id actor: its stable id, or its number
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  actor(id: string, asked?: { min_slot?: number } & CallOptions): Promise<ActorAnswer>

  /**
   * Positions of a wallet. What a wallet holds and what it made, token by token, newest first: the 20 tokens it traded last, the newest it launched and those of groups it was in. Answers 404 when the wallet has never been seen.
   *
   * Price per call without a key: $0.02 (20000 units of USDC).
   *
   * @param wallet wallet address
   * @param limit Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
   * @param cursor `meta.page.next_cursor` of the previous page; the first page when omitted.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  positions(wallet: string, asked?: { limit?: number; cursor?: string; min_slot?: number } & CallOptions): Promise<PositionsAnswer>

  /**
   * All trades of a token, page by page. Every trade back to the first one seen, newest first, as in `trades`. A cursor names a trade, so new trades do not shift the pages. Answers 404 when the mint is not tracked, or the cursor is not one of its trades.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param mint token mint address
   * @param limit Page size. Values over 100 are clamped; `meta.page.limit` is the size applied.
   * @param cursor `meta.page.next_cursor` of the previous page; the first page when omitted.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  trade_history(mint: string, asked?: { limit?: number; cursor?: string; min_slot?: number } & CallOptions): Promise<TradeHistory>

  /**
   * A trader’s last 7 and 30 days. Buys, SOL spent and profit realised, from the record before the wallet’s first trade in the window to now. Every trade from `covered_from_slot` on is covered; that may not be the whole window for a wallet that trades neither often nor rarely. Answers 404 when no trade from the wallet has ever been seen.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param address wallet address
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  trader_windows(address: string, asked?: { min_slot?: number } & CallOptions): Promise<TraderWindowsAnswer>

  /**
   * A deployer’s last 7 and 30 days. The summary over the launches of each window, and how many of them were drained or rugged. Answers 404 when the wallet has never deployed a tracked token.
   *
   * Price per call without a key: $0.01 (10000 units of USDC).
   *
   * @param address wallet address
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  deployer_windows(address: string, asked?: { min_slot?: number } & CallOptions): Promise<DeployerWindowsAnswer>

  /**
   * Snapshots of up to 50 tokens. The snapshot of each tracked mint with its slot, in the order of the request; a repeated mint counts once. Counted as one call for each token found. Answers 404 when none of the mints is tracked.
   *
   * Price per token found without a key: $0.02 (20000 units of USDC).
   *
   * @param mints Token mint addresses, 1 to 50.
   * @param fields Comma-separated groups: meta, status, market, holders, bundles, score, cohorts, kols, signals, ratings. Blank items are ignored; all groups when omitted or empty. Fewer groups cost the same.
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  batch(asked: { mints: readonly string[]; fields?: string; min_slot?: number } & CallOptions): Promise<TokenBatchAnswer>

  /**
   * How good the outlook was. For each question about what becomes of a token, by age and band: how often it came true, and what had been predicted.
   *
   * Free, with or without a key.
   *
   * @param min_slot The answer is of this chain slot or a later one, or 503 with Retry-After and not charged. With the X-Slot of the last answer, a client never reads older data than it has read.
   */
  accuracy(asked?: { min_slot?: number } & CallOptions): Promise<AccuracyAnswer>

  /** Plan, balance, keys, limits, how to subscribe. Plan, balance, keys, limits, how to subscribe. */
  account(asked?: CallOptions): Promise<AccountAnswer>

  /** A token that opens streams for a minute, for a browser in place of the key. A token that opens streams for a minute, for a browser in place of the key. */
  stream_token(asked?: CallOptions): Promise<StreamTokenAnswer>

  /** The watches of the account. The watches of the account. */
  watches(asked?: CallOptions): Promise<WatchesAnswer>

  /**
   * Watches an address, an actor, or new tokens by a filter. Watches an address, an actor, or new tokens by a filter.
   *
   * @param kind
   * @param target an address; for an actor its id or number; for a condition a filter over new tokens
   * @param name
   * @param min_sol leaves out smaller trades
   */
  add_watch(asked: { kind: WatchKind; target: string; name: string; min_sol?: number } & CallOptions): Promise<AddWatchAnswer>

  /**
   * Renames, pauses or resumes a watch, or changes its least amount or the filter of a condition. Renames, pauses or resumes a watch, or changes its least amount or the filter of a condition.
   *
   * @param id
   * @param name
   * @param paused
   * @param target an address; for an actor its id or number; for a condition a filter over new tokens
   * @param min_sol leaves out smaller trades
   */
  change_watch(id: string, asked?: { name?: string; paused?: boolean; target?: string; min_sol?: number } & CallOptions): Promise<ChangeWatchAnswer>

  /**
   * Ends a watch. Ends a watch.
   *
   * @param id
   */
  remove_watch(id: string, asked?: CallOptions): Promise<RemoveWatchAnswer>

  /**
   * The newest alerts. The newest alerts.
   *
   * @param after_seq those after it, in order
   * @param before_seq those before it, newest first
   */
  alerts(asked?: { after_seq?: number; before_seq?: number } & CallOptions): Promise<AlertsAnswer>

  /** Where alerts go. Where alerts go. */
  destinations(asked?: CallOptions): Promise<DestinationsAnswer>

  /**
   * Sends alerts there; the secret or code is shown only in this answer. Sends alerts there; the secret or code is shown only in this answer.
   *
   * @param kind
   * @param name
   * @param url of a webhook, or of a webhook of Discord
   * @param watches ids of the watches whose alerts go there; null or left out: all
   */
  add_destination(asked: { kind: DestinationKind; name: string; url?: string; watches?: readonly string[] | null } & CallOptions): Promise<AddDestinationAnswer>

  /**
   * Renames, enables or disables a destination, or changes its URL or watches. Renames, enables or disables a destination, or changes its URL or watches.
   *
   * @param id
   * @param name
   * @param enabled
   * @param url of a webhook, or of a webhook of Discord
   * @param watches ids of the watches whose alerts go there; null or left out: all
   */
  change_destination(id: string, asked?: { name?: string; enabled?: boolean; url?: string; watches?: readonly string[] | null } & CallOptions): Promise<ChangeDestinationAnswer>

  /**
   * Ends a destination. Ends a destination.
   *
   * @param id
   */
  remove_destination(id: string, asked?: CallOptions): Promise<RemoveDestinationAnswer>

  /**
   * Sends a test message, or the challenge again. Sends a test message, or the challenge again.
   *
   * @param id
   */
  test_destination(id: string, asked?: CallOptions): Promise<TestDestinationAnswer>

  /**
   * A new secret for a webhook; the previous one also signs for 24 hours. A new secret for a webhook; the previous one also signs for 24 hours.
   *
   * @param id
   */
  rotate_secret(id: string, asked?: CallOptions): Promise<RotateSecretAnswer>

  /**
   * A new code that links a Telegram chat. A new code that links a Telegram chat.
   *
   * @param id
   */
  link_chat(id: string, asked?: CallOptions): Promise<LinkChatAnswer>

  /**
   * Its deliveries and their outcomes, newest first. Its deliveries and their outcomes, newest first.
   *
   * @param id
   * @param before those before it
   */
  deliveries(id: string, asked?: { before?: number } & CallOptions): Promise<DeliveriesAnswer>

  /**
   * Sends a finished delivery again. Sends a finished delivery again.
   *
   * @param id
   * @param number
   */
  replay_delivery(id: string, number: number, asked?: CallOptions): Promise<ReplayDeliveryAnswer>
}

/** The method, path, query names and body names of each operation. */
export const OPERATIONS: Readonly<Record<keyof Operations, readonly [string, string, readonly string[], readonly string[]]>> = {
  snapshot: ['GET', '/v1/tokens/{mint}', ['fields', 'at_slot', 'min_slot'], []],
  trades: ['GET', '/v1/tokens/{mint}/trades', ['min_slot'], []],
  new_tokens: ['GET', '/v1/tokens/new', ['min_slot'], []],
  pumps: ['GET', '/v1/tokens/pumps', ['min_slot'], []],
  graduated: ['GET', '/v1/tokens/graduated', ['min_slot'], []],
  agents: ['GET', '/v1/tokens/agents', ['min_slot'], []],
  survivors: ['GET', '/v1/tokens/survivors', ['min_slot'], []],
  trader: ['GET', '/v1/traders/{address}', ['min_slot'], []],
  deployer: ['GET', '/v1/devs/{address}/tokens', ['limit', 'offset', 'min_slot'], []],
  who: ['GET', '/v1/tokens/{mint}/who', ['at_slot', 'min_slot'], []],
  check: ['GET', '/v1/tokens/{mint}/check', ['at_slot', 'min_slot'], []],
  explain: ['GET', '/v1/tokens/{mint}/explain', ['at_slot', 'min_slot'], []],
  actor: ['GET', '/v1/actors/{id}', ['min_slot'], []],
  positions: ['GET', '/v1/wallets/{wallet}/positions', ['limit', 'cursor', 'min_slot'], []],
  trade_history: ['GET', '/v1/tokens/{mint}/trades/history', ['limit', 'cursor', 'min_slot'], []],
  trader_windows: ['GET', '/v1/traders/{address}/windows', ['min_slot'], []],
  deployer_windows: ['GET', '/v1/devs/{address}/windows', ['min_slot'], []],
  batch: ['POST', '/v1/tokens/batch', [], ['mints', 'fields', 'min_slot']],
  accuracy: ['GET', '/v1/accuracy', ['min_slot'], []],
  account: ['GET', '/account/overview', [], []],
  stream_token: ['POST', '/account/stream-token', [], []],
  watches: ['GET', '/account/watches', [], []],
  add_watch: ['POST', '/account/watches', [], ['kind', 'target', 'name', 'min_sol']],
  change_watch: ['PATCH', '/account/watches/{id}', [], ['name', 'paused', 'target', 'min_sol']],
  remove_watch: ['DELETE', '/account/watches/{id}', [], []],
  alerts: ['GET', '/account/alerts', ['after_seq', 'before_seq'], []],
  destinations: ['GET', '/account/destinations', [], []],
  add_destination: ['POST', '/account/destinations', [], ['kind', 'name', 'url', 'watches']],
  change_destination: ['PATCH', '/account/destinations/{id}', [], ['name', 'enabled', 'url', 'watches']],
  remove_destination: ['DELETE', '/account/destinations/{id}', [], []],
  test_destination: ['POST', '/account/destinations/{id}/test', [], []],
  rotate_secret: ['POST', '/account/destinations/{id}/secret', [], []],
  link_chat: ['POST', '/account/destinations/{id}/link', [], []],
  deliveries: ['GET', '/account/destinations/{id}/deliveries', ['before'], []],
  replay_delivery: ['POST', '/account/destinations/{id}/deliveries/{number}/replay', [], []],
}
