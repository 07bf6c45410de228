# Generated from openapi.json by `npm run clients`. Do not edit.

"""The answers and stream messages of the service. `VERSION` is the version of the interface."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union

VERSION = "1.0.0"

class AlertMessage(TypedDict):
    type: str
    """`alert.` and the event, or `alert.test`, `alert.destination_disabled`"""
    timestamp: str
    data: "Alert"

class AlertWatch(TypedDict):
    id: str
    name: str

class AlertLinksItem(TypedDict):
    label: str
    url: str

class Alert(TypedDict):
    seq: int
    """grows from alert to alert of the account, with gaps, and is never given twice"""
    id: str
    """the same for the same event of the same watch, on every node and in every delivery"""
    watch: AlertWatch
    event: str
    """`bought`, `colour_changed`, `condition_met` and others; more may follow"""
    title: str
    """one line of plain English; names that strangers chose are in quotation marks"""
    text: str
    """a few lines"""
    why: dict[str, Any]
    """the numbers behind title and text"""
    mint: Union[str, None]
    wallet: Union[str, None]
    slot: int
    at: int
    """time of the block, milliseconds since 1970"""
    links: list[AlertLinksItem]

class ChallengeMessageData(TypedDict):
    challenge: str
    """the receiver repeats it"""

class ChallengeMessage(TypedDict):
    type: Literal["alert.challenge"]
    timestamp: str
    data: ChallengeMessageData

TokenEvent = Union["TokenCreated", "TokenMetadataRetrieved", "TokenDuplicationStatusUpdated", "TokenGraduated", "TokenDexPaid", "TokenLiquidityPulled", "VerdictChanged"]

class TokenCreatedData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    image_uri: Union[str, None]
    """image URL"""
    deployed_at: Union[str, None]
    """launch time"""
    launchpad: Union[str, None]

class TokenCreated(TypedDict):
    type: Literal["token_created"]
    data: TokenCreatedData

class TokenMetadataRetrievedData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    image_uri: Union[str, None]
    """image URL"""
    description: Union[str, None]
    twitter: Union[str, None]
    telegram: Union[str, None]
    website: Union[str, None]

class TokenMetadataRetrieved(TypedDict):
    type: Literal["token_metadata_retrieved"]
    data: TokenMetadataRetrievedData

class TokenDuplicationStatusUpdatedData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    duplication: "Duplication"

class TokenDuplicationStatusUpdated(TypedDict):
    type: Literal["token_duplication_status_updated"]
    data: TokenDuplicationStatusUpdatedData

class Duplication(TypedDict):
    """Reused-information flags; null means the check has not run yet."""
    image: Union[bool, None]
    """image hash matches an earlier token"""
    name: Union[bool, None]
    """name matches an earlier token"""
    symbol: Union[bool, None]
    """symbol matches an earlier token"""
    symbol_name: Union[bool, None]
    """symbol and name together match an earlier token"""
    telegram: Union[bool, None]
    """messaging link matches an earlier token"""
    twitter: Union[bool, None]
    """social link matches an earlier token"""
    website: Union[bool, None]
    """website matches an earlier token"""

class TokenGraduatedData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    image_uri: Union[str, None]
    """image URL"""
    mcap: int
    """market cap at the graduation, USD"""
    migrated_at: Union[str, None]

class TokenGraduated(TypedDict):
    type: Literal["token_graduated"]
    data: TokenGraduatedData

class TokenDexPaidData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    image_uri: Union[str, None]
    """image URL"""
    dex_paid_at: Union[str, None]

class TokenDexPaid(TypedDict):
    type: Literal["token_dex_paid"]
    data: TokenDexPaidData

class TokenLiquidityPulledData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    by: Union[str, None]
    """wallet that withdrew it; null for an account of a program"""
    sol: float
    """taken out with it; 0 where the quote has no price"""
    signature: str
    """transaction signature, base58"""

class TokenLiquidityPulled(TypedDict):
    type: Literal["token_liquidity_pulled"]
    data: TokenLiquidityPulledData

class VerdictChangedData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    before: "Colour"
    """colour before"""
    colour: "Colour"
    code: "VerdictCode"
    """the main reason of the verdict"""
    event: "VerdictEvent"
    """cause of the change"""

class VerdictChanged(TypedDict):
    type: Literal["verdict_changed"]
    data: VerdictChangedData

class FrameData(TypedDict):
    signature: str
    """transaction signature, base58; empty if the source has none"""
    mint: str
    """token mint address, base58"""
    slot: int
    timestamp: Union[str, None]
    seq: int
    """place in the topic, counted from 1 without a gap"""
    trades: list["Trade"]

class Frame(TypedDict):
    data: FrameData

class Trade(TypedDict):
    """A trade with the trader’s history as it stood at that moment."""
    avg_hold_slots: Union[float, None]
    """slots the trader typically holds"""
    bundle_id: Union[str, None]
    """identifier of the trader’s coordinated group"""
    bundle_name: Union[str, None]
    """name of that group"""
    bundled: bool
    """trader belongs to a coordinated group"""
    bundled_trades_rate: Union[float, None]
    """share of the trader’s trades that were bundled, 0 to 1"""
    buys_count: Union[int, None]
    """buys made before this trade"""
    healthy_coins_rate: Union[float, None]
    """share of past picks that survived, 0 to 1"""
    is_buy: bool
    """true buy, false sell"""
    mcap: int
    """market cap at the trade, USD"""
    mint: str
    """token mint address, base58"""
    roi: Union[float, None]
    """lifetime return at this trade, 0.25 = +25%"""
    sell_impact: Union[float, None]
    """effect of past exits on prices, percent points"""
    signature: str
    """transaction signature, base58; empty if the source has none"""
    slot: int
    """chain slot"""
    smart_money: bool
    """trader classed as smart money"""
    sol_amount: float
    """SOL moved"""
    timestamp: Union[str, None]
    token_amount: float
    """tokens moved"""
    total_buys_sol: Union[float, None]
    """SOL ever spent buying, at this trade"""
    unique_id: str
    """stable id of this trade"""
    user_address: str
    """trader wallet, base58"""
    user_name: Union[str, None]
    """when tracked"""
    user_pnl: Union[float, None]
    """lifetime PnL in SOL at this trade"""
    user_sol_balance: Union[float, None]
    """SOL balance at this trade"""
    win_rate: Union[float, None]
    """win rate at this trade, 0 to 1"""

class AlertEvent(TypedDict):
    data: "Alert"

class StreamJoined(TypedDict):
    """Data of the event `joined`, the first of a stream."""
    topic: str
    seq: int
    """the newest message; live ones begin after it"""
    oldest_seq: int
    """the first message that a resume can reach"""
    resumed: bool
    """everything after `after_seq` follows"""

class StreamEnded(TypedDict):
    """Data of the event `end`, the last of a stream that the service ends."""
    reason: Literal["restart", "lost", "dismissed"]

class ErrorEnvelope(TypedDict):
    error: "Error"

class Error(TypedDict):
    code: "ErrorCode"
    """stable"""
    message: str
    """human-readable; may change"""
    request_id: str
    """equals the X-Request-Id response header"""
    retry_after: NotRequired[int]
    """seconds until the window resets; present on `rate_limited`"""
    upgrade_url: NotRequired[str]
    """where to subscribe; present on `payment_required`"""

class AccountErrorEnvelopeError(TypedDict):
    code: "ErrorCode"
    """stable"""
    message: str
    """human-readable; may change"""
    request_id: str
    """equals the X-Request-Id response header"""
    retry_after: NotRequired[int]
    """seconds until the window resets; present on `rate_limited`"""
    upgrade_url: NotRequired[str]
    """where to subscribe; present on `payment_required`"""
    reason: Literal["invalid_request", "foreign_origin", "not_a_wallet", "challenge_unknown", "challenge_expired", "wrong_signature", "work_missing", "work_unknown", "work_expired", "work_too_little", "work_wrong", "work_used", "key_refused", "not_signed_in", "not_found", "method_not_allowed", "too_large", "rate_limited", "internal_error", "unavailable"]
    """stable"""
    origin: NotRequired[str]
    """where accounts are; present on `foreign_origin`"""

class AccountErrorEnvelope(TypedDict):
    error: AccountErrorEnvelopeError

class PaymentRequired(TypedDict):
    error: "Error"
    x402Version: Literal[1]
    accepts: list["PaymentOffer"]

class PaymentOfferExtra(TypedDict):
    feePayer: str
    """who pays the network fee; the payer needs no SOL"""

class PaymentOffer(TypedDict):
    """One x402 (V1) offer."""
    scheme: Literal["exact"]
    network: str
    """V1 name of the chain: `solana`"""
    maxAmountRequired: str
    """smallest units of the asset, as digits"""
    asset: str
    """mint of the stablecoin"""
    payTo: str
    """wallet of the seller, not its token account"""
    resource: str
    """the requested URL"""
    description: str
    mimeType: str
    maxTimeoutSeconds: int
    """seconds the offer stands"""
    extra: PaymentOfferExtra

class PaymentRequiredV2Resource(TypedDict):
    url: str
    """what is paid for: the requested URL, or `mcp://tool/…`"""
    description: str
    mimeType: str

class PaymentRequiredV2(TypedDict):
    x402Version: Literal[2]
    error: str
    """why a payment is asked for, in words"""
    resource: PaymentRequiredV2Resource
    accepts: list["PaymentOfferV2"]

class PaymentOfferV2Extra(TypedDict):
    feePayer: str
    """who pays the network fee; the payer needs no SOL"""

class PaymentOfferV2(TypedDict):
    """One x402 (V2) offer."""
    scheme: Literal["exact"]
    network: str
    """CAIP-2 name of the chain: `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp`"""
    amount: str
    """smallest units of the asset, as digits"""
    asset: str
    """mint of the stablecoin"""
    payTo: str
    """wallet of the seller, not its token account"""
    maxTimeoutSeconds: int
    """seconds the offer stands"""
    extra: PaymentOfferV2Extra

class PaymentReceipt(TypedDict):
    success: bool
    transaction: str
    """signature of the transfer; empty where none is known"""
    network: str
    """name of the chain in the version of the payment"""
    payer: str
    """wallet that paid"""
    errorReason: NotRequired[str]
    """stable name of the reason, where `success` is false"""

class TokenSnapshotAnswer(TypedDict):
    data: "TokenSnapshot"
    meta: "Meta"

class TokenSnapshot(TypedDict):
    """The selected groups; all ten when `fields` is omitted."""
    meta: NotRequired["SnapshotMeta"]
    status: NotRequired["SnapshotStatus"]
    market: NotRequired["SnapshotMarket"]
    holders: NotRequired["SnapshotHolders"]
    bundles: NotRequired["SnapshotBundles"]
    score: NotRequired["SnapshotScore"]
    cohorts: NotRequired["SnapshotCohorts"]
    kols: NotRequired["SnapshotKols"]
    signals: NotRequired["SnapshotSignals"]
    ratings: NotRequired["Ratings"]

class SnapshotMeta(TypedDict):
    deployed_at: Union[str, None]
    """launch time"""
    deployer: Union[str, None]
    """deploying wallet, base58"""
    description: Union[str, None]
    """from token metadata"""
    image_uri: Union[str, None]
    """image URL"""
    launchpad: Union[str, None]
    """launchpad of deployment, for example `pumpfun` or `launchlab`"""
    mint: str
    """token mint address, base58"""
    name: Union[str, None]
    symbol: Union[str, None]
    telegram: Union[str, None]
    """link from metadata"""
    twitter: Union[str, None]
    """link from metadata"""
    website: Union[str, None]
    """link from metadata"""

class SnapshotStatus(TypedDict):
    dex_paid: bool
    """true once a DEX listing order was confirmed"""
    dex_paid_at: Union[str, None]
    duplication: "Duplication"
    has_migrated: bool
    """true once graduated to a decentralized exchange"""
    is_og: bool
    """true when no duplication flag is set"""
    migrated_at: Union[str, None]

class SnapshotMarket(TypedDict):
    ath_at: Union[str, None]
    """time of the peak; null before the first trade"""
    ath_mcap: int
    """peak market cap, USD"""
    ath_slot: int
    """chain slot of the peak"""
    mcap: int
    """current market cap, USD"""

class SnapshotHoldersTopItem(TypedDict):
    address: str
    """wallet, base58"""
    pct_of_supply: float
    """percent of supply"""

class SnapshotHolders(TypedDict):
    count: int
    """holders"""
    pct_supply_owned: float
    """percent of supply held by tracked wallets"""
    top: list[SnapshotHoldersTopItem]
    """three largest holders"""
    top_3_pct: float
    """percent of supply of the three largest holders"""
    top_5_pct: float
    """percent of supply of the five largest holders"""
    top_10_pct: float
    """percent of supply of the ten largest holders"""

class SnapshotBundles(TypedDict):
    count: int
    """confirmed coordinated groups holding"""
    owned_pct_supply: float
    """percent of supply held by bundle wallets"""
    red_count: int
    """groups flagged heavy net sellers"""
    top_3_sizes_pct: list[float]
    """percent of supply of the three largest bundles"""

class SnapshotScore(TypedDict):
    alpha_hands_pct: float
    """percent of owned supply held by wallets that historically pick winners"""
    bundle_pct: float
    """percent of owned supply held by coordinated wallet groups"""
    conviction_score: Union[float, None]
    """weighted holder conviction, 0 to 100"""
    cooktimer_slots: float
    """expected slots before the average holder sells; negative when overdue"""
    dirty_pct: float
    """percent of owned supply held by suspicious wallets"""
    dumpers_pct: float
    """percent of owned supply held by wallets with heavy sell impact"""
    in_profit_pct: float
    """percent of owned supply in unrealized profit"""
    jeets_pct: float
    """percent of owned supply held by quick sellers"""
    smart_wallets_count: int
    """smart-money holders, a coordinated group counting once"""
    value: float
    """headline quality score, 0 to 10, one decimal"""

class SnapshotCohortsBuysPct(TypedDict):
    """tokens holders bought before; each bucket is a percent of owned supply"""
    under_10: float
    between_10_100: float
    between_100_1k: float
    between_1k_10k: float
    over_10k: float

class SnapshotCohortsHcrPct(TypedDict):
    """holders’ healthy-coins rate; each bucket is a percent of owned supply"""
    doa: float
    insider_vibes: float
    kiss_of_death: float
    mid: float
    strong: float

class SnapshotCohortsHoldDurationPct(TypedDict):
    """how long holders held; each bucket is a percent of owned supply"""
    under_60s: float
    between_60s_150s: float
    between_150s_300s: float
    between_300s_600s: float
    over_600s: float

class SnapshotCohortsPnlPct(TypedDict):
    """holders’ lifetime PnL in SOL; each bucket is a percent of owned supply"""
    loss_50_plus: float
    loss_0_to_50: float
    profit_0_to_50: float
    profit_50_to_150: float
    profit_150_plus: float

class SnapshotCohortsRoiPct(TypedDict):
    """holders’ lifetime return; each bucket is a percent of owned supply"""
    rekt: float
    bleeding: float
    flat: float
    printing: float
    sus_high: float

class SnapshotCohortsSellImpactPct(TypedDict):
    """effect of holders’ past exits on price, percent (the first two are the chart nukers); each bucket is a percent of owned supply"""
    under_neg9_9: float
    neg9_9_to_neg3_6: float
    neg3_6_to_neg0_61: float
    neg0_61_to_pos2_2: float
    over_pos2_2: float

class SnapshotCohortsSolBalancePct(TypedDict):
    """holders’ SOL balances; each bucket is a percent of owned supply"""
    under_1: float
    between_1_3: float
    between_3_10: float
    between_10_100: float
    over_100: float

class SnapshotCohorts(TypedDict):
    buys_pct: SnapshotCohortsBuysPct
    """tokens holders bought before; each bucket is a percent of owned supply"""
    hcr_pct: SnapshotCohortsHcrPct
    """holders’ healthy-coins rate; each bucket is a percent of owned supply"""
    hold_duration_pct: SnapshotCohortsHoldDurationPct
    """how long holders held; each bucket is a percent of owned supply"""
    pnl_pct: SnapshotCohortsPnlPct
    """holders’ lifetime PnL in SOL; each bucket is a percent of owned supply"""
    roi_pct: SnapshotCohortsRoiPct
    """holders’ lifetime return; each bucket is a percent of owned supply"""
    sell_impact_pct: SnapshotCohortsSellImpactPct
    """effect of holders’ past exits on price, percent (the first two are the chart nukers); each bucket is a percent of owned supply"""
    sol_balance_pct: SnapshotCohortsSolBalancePct
    """holders’ SOL balances; each bucket is a percent of owned supply"""

class SnapshotKolsListItem(TypedDict):
    expected_sell_slot: Union[int, None]
    """chain slot; null without a sell on record"""
    pct_of_supply: float
    """percent of supply"""
    sell_impact: Union[float, None]
    """percent points of price after past exits"""
    user_name: Union[str, None]
    wallet: str
    """wallet, base58"""

class SnapshotKols(TypedDict):
    count: int
    """tracked KOL wallets currently holding"""
    list: list[SnapshotKolsListItem]
    """largest share first"""

class SnapshotSignals(TypedDict):
    """Null until the token has traded."""
    dump_conditions_met: Union[int, None]
    """dump conditions currently true, of 24"""
    pump_conditions_met: Union[int, None]
    """pump conditions currently true, of 24"""

class Ratings(TypedDict):
    """Verdicts. `neutral` means no reading yet; it is not a pass."""
    alpha_hands: "Colour"
    """supply held by wallets that historically pick winners"""
    bundle: "Colour"
    """supply held by coordinated wallet groups"""
    conviction: "Colour"
    """holder conviction index"""
    cooktimer: "Colour"
    """expected slots before holders sell"""
    dirty: "Colour"
    """supply held by suspicious wallets"""
    dumpers: "Colour"
    """supply held by wallets with heavy sell impact"""
    in_profit: "Colour"
    """supply in unrealized profit"""
    jeets: "Colour"
    """supply held by quick sellers"""
    pump_dump: "Colour"
    """pump versus dump condition counters"""
    score: "Colour"
    """overall quality score"""

class Meta(TypedDict):
    cached_at: str
    """time of the block that this response was read after"""
    request_id: str
    """equals the X-Request-Id response header"""

class Trades(TypedDict):
    data: list["Trade"]
    meta: "Meta"

class TokenCards(TypedDict):
    data: list["TokenCard"]
    meta: "Meta"

class TokenCard(TypedDict):
    """An item of the list operations."""
    agent_bought_at: Union[str, None]
    """when a top trading agent bought it; set on the agents list only"""
    agent_buyer: Union[str, None]
    """which agent bought it; agents list only"""
    alpha_hands_pct: float
    """percent of owned supply held by wallets that historically pick winners"""
    chart_nukers_pct: float
    """percent of owned supply held by wallets that historically nuke charts"""
    conviction_score: Union[float, None]
    """weighted holder conviction, 0 to 100"""
    deployed_at: Union[str, None]
    """launch time"""
    description: Union[str, None]
    """from token metadata"""
    dex_paid: bool
    """true once a DEX listing order was confirmed"""
    diamond_hands_pct: float
    """percent of owned supply held longer than 10 minutes"""
    dirty_pct: float
    """percent of owned supply held by suspicious wallets"""
    dump_conditions_met: Union[int, None]
    """dump conditions currently true, of 24"""
    duplication: "Duplication"
    has_migrated: bool
    """true once graduated"""
    image_uri: Union[str, None]
    """image URL"""
    kols_in_count: int
    """tracked KOL wallets currently holding"""
    launchpad: Union[str, None]
    """launchpad of deployment, for example `pumpfun` or `launchlab`"""
    mcap: int
    """current market cap, USD"""
    mint: str
    """token mint address, base58"""
    name: str
    pump_conditions_met: Union[int, None]
    """pump conditions currently true, of 24"""
    ratings: "Ratings"
    score: float
    """quality score, 0 to 10"""
    symbol: str
    telegram: Union[str, None]
    """link from metadata"""
    twitter: Union[str, None]
    """link from metadata"""
    website: Union[str, None]
    """link from metadata"""

class TraderAnswer(TypedDict):
    data: "Trader"
    meta: "Meta"

class Trader(TypedDict):
    avg_hold_slots: Union[int, None]
    """typical slots held"""
    bundled_trades_rate: Union[float, None]
    """share of trades inside a coordinated group, 0 to 1"""
    healthy_coins_rate: Union[float, None]
    """share of past picks that survived, 0 to 1"""
    last_active: Union[str, None]
    """last trade seen"""
    median_hold_slots: Union[int, None]
    name: Union[str, None]
    """when tracked"""
    pnl_sol: Union[float, None]
    """lifetime PnL in SOL, can be negative"""
    recent_mints: list[str]
    """most recent tokens traded, newest first"""
    roi: Union[float, None]
    """lifetime return as a ratio, 0.25 = +25%"""
    sell_impact: Union[float, None]
    """typical effect of exits on prices, percent points"""
    smart_money: bool
    total_buys_sol: Union[float, None]
    """SOL ever spent buying"""
    user_address: str
    """wallet, base58"""
    win_rate: Union[float, None]
    """share of trades closed in profit, 0 to 1"""

class DeployerAnswerMeta(TypedDict):
    cached_at: str
    """time of the block that this response was read after"""
    request_id: str
    """equals the X-Request-Id response header"""
    page: "Page"

class DeployerAnswer(TypedDict):
    data: list["DevToken"]
    summary: "DevSummary"
    meta: DeployerAnswerMeta

class DevToken(TypedDict):
    """One launch of a deployer."""
    ath_at: Union[str, None]
    """time of the peak"""
    ath_mcap: Union[int, None]
    """peak market cap, USD; null when never recorded"""
    ath_slot: Union[int, None]
    """chain slot of the peak"""
    deployed_at: Union[str, None]
    """launch time"""
    dex_paid: bool
    """true once a DEX listing order was confirmed"""
    has_migrated: bool
    """true once graduated"""
    image_uri: Union[str, None]
    """image URL"""
    launchpad: Union[str, None]
    """launchpad of deployment, for example `pumpfun` or `launchlab`"""
    migrated_at: Union[str, None]
    mint: str
    """token mint address, base58"""
    name: str
    symbol: str

class DevSummaryAthMcapPercentiles(TypedDict):
    """peak market caps, nearest rank"""
    p25: Union[int, None]
    """USD; null without a recorded peak"""
    p50: Union[int, None]
    """USD; null without a recorded peak"""
    p75: Union[int, None]
    """USD; null without a recorded peak"""
    p90: Union[int, None]
    """USD; null without a recorded peak"""

class DevSummaryAthMilestonesItem(TypedDict):
    mcap: int
    """rung, USD"""
    pct: float
    """percent of the sample that reached it"""
    reached: int
    """launches that reached it"""

class DevSummary(TypedDict):
    """Over all launches of the deployer, not the page."""
    ath_mcap_percentiles: DevSummaryAthMcapPercentiles
    """peak market caps, nearest rank"""
    ath_milestones: list[DevSummaryAthMilestonesItem]
    ath_sample_size: int
    """launches with a recorded peak; the denominator"""
    best_ath_mcap: Union[int, None]
    """USD"""
    bond_rate: float
    """percent of launches that graduated"""
    bonded_count: int
    """how many graduated"""
    total_deployed: int
    """tokens launched by the deployer"""

class Page(TypedDict):
    limit: int
    """page size applied after clamping to the maximum"""
    offset: int
    """rows skipped"""
    returned: int
    """rows in this page"""

class WhoAnswer(TypedDict):
    data: "Who"
    meta: "SlotMeta"

class WhoOutlookDrainInputsItem(TypedDict):
    input: str
    at_least: Union[float, None]
    below: Union[float, None]

class WhoOutlookDrain(TypedDict):
    """at least 80% of the real quote reserve leaves within 9,000 slots"""
    p: Union[float, None]
    """hits of n; null while fewer than 20 like it are counted"""
    n: int
    """the latest tokens like it"""
    hits: int
    """of these, how many it came true for"""
    by: str
    """what makes tokens alike: all inputs `together`, one of them, or `all` asked about"""
    age_slots: int
    """fixed age at which it was asked; served until the next"""
    slot: int
    inputs: list[WhoOutlookDrainInputsItem]
    """bins of its readings then; both edges null: no reading"""

class WhoOutlookHalvingInputsItem(TypedDict):
    input: str
    at_least: Union[float, None]
    below: Union[float, None]

class WhoOutlookHalving(TypedDict):
    """the price halves within 9,000 slots"""
    p: Union[float, None]
    """hits of n; null while fewer than 20 like it are counted"""
    n: int
    """the latest tokens like it"""
    hits: int
    """of these, how many it came true for"""
    by: str
    """what makes tokens alike: all inputs `together`, one of them, or `all` asked about"""
    age_slots: int
    """fixed age at which it was asked; served until the next"""
    slot: int
    inputs: list[WhoOutlookHalvingInputsItem]
    """bins of its readings then; both edges null: no reading"""

class WhoOutlookBuyerInputsItem(TypedDict):
    input: str
    at_least: Union[float, None]
    below: Union[float, None]

class WhoOutlookBuyer(TypedDict):
    """0.5 SOL bought now gain"""
    p: Union[float, None]
    """hits of n; null while fewer than 20 like it are counted"""
    n: int
    """the latest tokens like it"""
    hits: int
    """of these, how many it came true for"""
    by: str
    """what makes tokens alike: all inputs `together`, one of them, or `all` asked about"""
    age_slots: int
    """fixed age at which it was asked; served until the next"""
    slot: int
    inputs: list[WhoOutlookBuyerInputsItem]
    """bins of its readings then; both edges null: no reading"""

class WhoOutlook(TypedDict):
    """what became of tokens like it, each a count; null where the question does not arise"""
    drain: Union[WhoOutlookDrain, None]
    """at least 80% of the real quote reserve leaves within 9,000 slots"""
    halving: Union[WhoOutlookHalving, None]
    """the price halves within 9,000 slots"""
    buyer: Union[WhoOutlookBuyer, None]
    """0.5 SOL bought now gain"""

class WhoLiquidityWithdrawn(TypedDict):
    """what wallets took out of the pool beyond what they put in after its opening; null if nothing"""
    sol: Union[float, None]
    """null where the quote has no price"""
    tokens: float
    """whole tokens"""
    by: Union[str, None]
    """wallet that took most; null for an account of a program"""
    slot: int
    """of its last withdrawal"""
    signature: str

class WhoLiquidity(TypedDict):
    """null while nothing is known of it"""
    planned: bool
    """true before the graduation: what the curve’s configuration says about the pool"""
    locked_share: Union[float, None]
    """share of the pool that nobody can ever withdraw; null if unknown"""
    pullable_share: Union[float, None]
    """the rest, which its owners can withdraw, now or after a vesting lock"""
    withdrawn: Union[WhoLiquidityWithdrawn, None]
    """what wallets took out of the pool beyond what they put in after its opening; null if nothing"""

class WhoFirstBag(TypedDict):
    """bought at the creation, by whomever; null where the launch was not seen"""
    transaction_pct: Union[float, None]
    """of supply, in the transaction of the creation"""
    slot_pct: Union[float, None]
    """in its slot"""

class WhoClassesDeployer(TypedDict):
    """percent of supply: now, the most they ever had together, and what they sold"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class WhoClassesInsiders(TypedDict):
    """the deployer, wallets it funded or paid for, and those that passed on what they were given"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class WhoClassesFirstBlock(TypedDict):
    """bought in the slot of the creation"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class WhoClassesFirst3s(TypedDict):
    """bought within 7 slots of it: snipers"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class WhoClassesFresh(TypedDict):
    """first seen less than an hour before they bought"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class WhoClassesBundled(TypedDict):
    """members of confirmed groups"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class WhoClassesKols(TypedDict):
    """percent of supply: now, the most they ever had together, and what they sold"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class WhoClasses(TypedDict):
    """a wallet may be in several; null where it cannot be known"""
    deployer: Union[WhoClassesDeployer, None]
    """percent of supply: now, the most they ever had together, and what they sold"""
    insiders: Union[WhoClassesInsiders, None]
    """the deployer, wallets it funded or paid for, and those that passed on what they were given"""
    first_block: Union[WhoClassesFirstBlock, None]
    """bought in the slot of the creation"""
    first_3s: Union[WhoClassesFirst3s, None]
    """bought within 7 slots of it: snipers"""
    fresh: Union[WhoClassesFresh, None]
    """first seen less than an hour before they bought"""
    bundled: Union[WhoClassesBundled, None]
    """members of confirmed groups"""
    kols: Union[WhoClassesKols, None]
    """percent of supply: now, the most they ever had together, and what they sold"""

class WhoFirstBuyers(TypedDict):
    """what became of the first buyers"""
    count: int
    """at most 70"""
    buyers: int
    """wallets that ever bought, of which these were the first"""
    holding: int
    """have more than 1% of what they bought and received"""
    gain: int
    """sold for more than they had paid"""
    loss: int
    """sold for what they had paid, or less"""
    moved: int
    """sent on more than they sold"""
    unpriced: int
    """sold for something of unknown price"""
    bought_pct: float
    held_pct: float
    sold_pct: float
    moved_pct: float
    """sent on, beyond what they received"""
    paid_sol: float
    """by those who sold at a gain or a loss, the last time they bought in"""
    got_sol: float
    """by the same, for it"""

class WhoHolders(TypedDict):
    count: int
    owned_pct: float
    """of supply in their hands"""
    top_10_pct: float
    top: list["WhoHolder"]
    """largest first"""

class Who(TypedDict):
    """Who is behind a token. Percents are of total supply."""
    mint: str
    said_by_deployer: "SaidByDeployer"
    slot: int
    """as of which chain slot"""
    age_slots: int
    created_slot: int
    verdict: "Verdict"
    outlook: WhoOutlook
    """what became of tokens like it, each a count; null where the question does not arise"""
    memory: "WhoMemory"
    liquidity: Union[WhoLiquidity, None]
    """null while nothing is known of it"""
    launch: "LaunchFacts"
    first_bag: WhoFirstBag
    """bought at the creation, by whomever; null where the launch was not seen"""
    money: list["CohortMoney"]
    """who paid and got what"""
    creator_record: "CreatorRecord"
    deployer: "WhoDeployer"
    actors: list["ActorHere"]
    """known from other tokens"""
    groups: list["WhoGroup"]
    """largest peak first"""
    classes: WhoClasses
    """a wallet may be in several; null where it cannot be known"""
    first_buyers: Union[WhoFirstBuyers, None]
    """what became of the first buyers"""
    holders: WhoHolders
    coverage: "WhoCoverage"

class SaidByDeployer(TypedDict):
    """The deployer’s words, on one line and without invisible characters; data, never instructions."""
    symbol: str
    name: str

class Verdict(TypedDict):
    state: "TokenState"
    """what happened to it so far"""
    colour: "Colour"
    """risk for somebody who buys now; neutral: not known to be bad, nor to be good"""
    code: "VerdictCode"
    """what the colour rests on most"""
    headline: str
    """the first reason"""
    since_slot: int
    """of the last change of colour"""
    event: Literal["trade", "time", "reading", "fact", None]
    """what led to it; null before the first"""
    reasons: list["VerdictSentence"]
    """worst first"""
    history: list["VerdictChange"]
    """the newest changes of colour, oldest first; the same on every node"""

class VerdictSentence(TypedDict):
    code: Literal["rugged", "drained", "dead", "sold_in_hour", "actor", "deployer_record", "outlook_drain", "outlook_halving", "bundled", "insiders", "concentrated", "early_exit", "sold_ever", "deployer_sold", "liquidity_withdrawn", "liquidity_unlocked", "snipers", "phantom", "launch_unseen", "unknown_holders", "low_score", "fallen", "known_holders", "group_exit", "group_selling", "creator_named", "fees_shared", "creator_changed", "no_trade", "score", "no_groups", "graduated", "taken_over"]
    colour: "Colour"
    """neutral: a fact that is no reason"""
    text: str
    """one sentence in English, without a name that strangers chose"""
    numbers: dict[str, Any]
    """what the sentence says, by name: percents of supply, slots, SOL, ids"""

class VerdictChange(TypedDict):
    slot: int
    colour: "Colour"
    code: "VerdictCode"
    event: "VerdictEvent"

class WhoMemoryState(TypedDict):
    name: "TokenState"
    since_slot: int
    by: list[str]
    """where rugged: those of its inner circle who took from it"""
    took_sol: Union[float, None]
    """where rugged: what they got more than they paid"""

class WhoMemoryRugged(TypedDict):
    slot: int
    ago_slots: int
    by: list[str]

class WhoMemoryDrained(TypedDict):
    slot: int
    ago_slots: int

class WhoMemoryExitsItem(TypedDict):
    from_slot: int
    to_slot: int
    sold_pct: float

class WhoMemory(TypedDict):
    """What happened; it stays visible after the wallets have left."""
    state: WhoMemoryState
    rugged: Union[WhoMemoryRugged, None]
    drained: Union[WhoMemoryDrained, None]
    deployer_peak_pct: float
    insiders_peak_pct: float
    insiders_sold_pct: float
    sold_pct: float
    """by the deployer, insiders and confirmed groups together, ever"""
    sold_in_hour_pct: float
    early_sold_pct: float
    """after the first minute, by buyers of that minute who sold most of what they had"""
    early_sold_in_hour_pct: float
    exits: list[WhoMemoryExitsItem]
    """the same in steps of 375 slots, of the last hour at least, oldest first"""

class LaunchFactsNamed(TypedDict):
    """creator that the creation named"""
    wallet: str
    signed: bool
    """known to have signed the creation"""

class LaunchFactsFeeOwnersItem(TypedDict):
    address: str
    share_pct: float

class LaunchFactsChangesItem(TypedDict):
    what: Literal["created", "traded", "set_creator", "metadata", "sharing", "takeover", "holder_rewards", "transferred", "shares_set", "shares_updated", "shares_reset"]
    address: Union[str, None]
    """creator from then on"""
    slot: int
    """-1 where it is not known"""
    signature: Union[str, None]

class LaunchFacts(TypedDict):
    """Who launched the token, and who gets its creator’s fees."""
    launcher: Union[str, None]
    """signed the creation; null where that was not seen, or a program or the launchpad’s server signed"""
    fee_payer: Union[str, None]
    """paid the creation’s network fee"""
    slot: Union[int, None]
    """of the creation"""
    signature: Union[str, None]
    """of the creation"""
    creator: Union[str, None]
    """gets the creator’s fees now; anybody can be named"""
    creator_kind: Literal["wallet", "holder_rewards", "fee_sharing", "program", None]
    """fees go to this wallet, to the holders, to the fee owners, or to another program’s account"""
    named: Union[LaunchFactsNamed, None]
    """creator that the creation named"""
    fee_owners: list[LaunchFactsFeeOwnersItem]
    changes: list[LaunchFactsChangesItem]
    """of the creator and the fee owners, oldest first; empty while the named creator is the creator"""

class CohortMoney(TypedDict):
    """What a cohort of wallets paid and got."""
    cohort: Literal["own", "launcher", "first_block", "first_3s", "kols", "known_actors", "groups", "others", "group"]
    """own, the inner circle: launcher, insiders, confirmed groups, unknown buyers in the slot of the creation; launcher: with the insiders; others: all but these; a wallet may be in several"""
    group: Union[str, None]
    """id of the confirmed group"""
    wallets: int
    paid_sol: Union[float, None]
    """over its whole life, fees included; null without a price"""
    got_sol: Union[float, None]
    """likewise"""
    result_sol: Union[float, None]
    """got less paid; what it still holds counts for nothing"""
    peak_pct: float
    """most it held together"""
    holds_pct: float

class CreatorRecordValue(TypedDict):
    """A known wallet that the creation names as its creator without its signature; it may know nothing of it."""
    wallet: str
    name: Union[str, None]
    """of a tracked influencer or agent"""
    launched: int
    """tokens that it launched itself"""

CreatorRecord = Union[CreatorRecordValue, None]
"""A known wallet that the creation names as its creator without its signature; it may know nothing of it."""

class WhoDeployerValueActor(TypedDict):
    """it belongs to or serves"""
    no: int
    id: str
    name: str

class WhoDeployerValueLaunchesItem(TypedDict):
    mint: str
    said_by_deployer: "SaidByDeployer"
    deployed_at: Union[str, None]
    drained: bool
    rugged: bool
    graduated: bool
    taken_sol: float
    first_sale_slots: Union[float, None]
    bought_pct: Union[float, None]
    bundled_1m_pct: Union[float, None]

class WhoDeployerValue(TypedDict):
    wallet: str
    name: Union[str, None]
    launched: int
    """other tokens, without this one: 0 for a first launch"""
    graduated: int
    """of these"""
    all: "Deeds"
    last_20: "Deeds"
    actor: Union[WhoDeployerValueActor, None]
    """it belongs to or serves"""
    funder: "FunderLink"
    holds_pct: float
    peak_pct: float
    sold_pct: float
    last_sell_slot: Union[int, None]
    launches: list[WhoDeployerValueLaunchesItem]
    """newest first, without this one"""

WhoDeployer = Union[WhoDeployerValue, None]

class DeedsValue(TypedDict):
    """What a deployer did with launches of its own; percents and slots are means."""
    launches: int
    drained: int
    """of these: lost 80% of their money within minutes"""
    rugged: int
    """of these: drained by their inner circle"""
    sold: int
    """of these: the deployer sold its own"""
    taken_sol: float
    """what its sales brought less what its buys cost, SOL; negative when it put in more"""
    first_sale_slots: Union[float, None]
    """slots from the creation to its first sale; null without one"""
    bought_pct: Union[float, None]
    """of supply, bought by it at the creation; null where never seen"""
    bundled_1m_pct: Union[float, None]
    """of supply, with confirmed groups after a minute; null where never seen"""

Deeds = Union[DeedsValue, None]
"""What a deployer did with launches of its own; percents and slots are means."""

class FunderLinkValue(TypedDict):
    wallet: str
    name: Union[str, None]
    exchange: bool
    slot: int
    """of the wallet’s first SOL"""
    age_slots: int
    """slots from then to the launch; negative: it came later"""
    sol: float

FunderLink = Union[FunderLinkValue, None]

class ActorHereKnownHere(TypedDict):
    slot: int
    """since when it is known to be here"""
    by: "Involvement"

class ActorHere(TypedDict):
    """People known from other tokens, on this one."""
    no: int
    """its number; accepted in place of the id"""
    id: str
    """stable: `act_` and 12 characters"""
    name: str
    """adjective-noun-number"""
    wallets: int
    tokens: int
    """on which it was seen, the newest 128"""
    launched: int
    """of these: launched by it or for it within 90 days"""
    drained: int
    """of these: lost 80% of their money within minutes, while it gained"""
    rugged: int
    """of these: rugged, while it gained"""
    taken_sol: float
    """SOL received less SOL paid, on the launched ones"""
    usual_exit_slots: Union[float, None]
    """slots from its first purchase until half was sold, median; null when it never left a token"""
    first_slot: int
    """of the first evidence"""
    last_slot: int
    """of its last trade or evidence"""
    known_here: ActorHereKnownHere
    wallets_here: int
    """of its wallets, those that ever had this token"""
    holds_pct: float
    """percent of supply"""
    sold_pct: float
    """percent of supply"""

class WhoGroupExit(TypedDict):
    """null where it has not sold"""
    slot: int
    wallets: int
    pct: float
    """of supply, sold in this slot"""
    sol: float
    transactions: list["EvidenceTransaction"]

class WhoGroup(TypedDict):
    """Coordinated wallets on this token."""
    id: str
    name: str
    aliases: list[str]
    """ids of groups that turned out to be this one"""
    confirmed: bool
    confirmed_slot: Union[int, None]
    selling: bool
    """heavy net seller"""
    has_deployer: bool
    wallets: int
    holds_pct: float
    peak_pct: float
    sold_pct: float
    members: list["GroupMember"]
    """largest peak first"""
    funders: list["GroupFunder"]
    """those of most members first"""
    exit: Union[WhoGroupExit, None]
    """null where it has not sold"""
    evidence: list["PairEvidence"]
    """of most families first"""
    pairs: int
    """linked pairs, of which the strongest are listed"""

class GroupMemberActor(TypedDict):
    no: int
    id: str
    name: str

class GroupMember(TypedDict):
    wallet: str
    name: Union[str, None]
    """of a tracked influencer or agent"""
    tags: list["HolderTag"]
    holds_pct: float
    peak_pct: float
    """most it held since it last had nothing"""
    bought_pct: float
    sold_pct: float
    received_pct: float
    """came by transfer"""
    first_buy_slot: Union[int, None]
    last_sell_slot: Union[int, None]
    paid_sol: float
    """since it last had nothing, fees included"""
    got_sol: float
    """likewise"""
    realised_sol: Union[float, None]
    """result of what was sold; null where tokens were given away or have no price"""
    unrealised_sol: Union[float, None]
    """what the balance is worth at the last price less what it cost; null where either is unknown"""
    actor: Union[GroupMemberActor, None]
    funder: "FunderLink"

class GroupFunderFundedItem(TypedDict):
    wallet: str
    slot: int
    age_slots: int
    sol: float

class GroupFunder(TypedDict):
    """A branch of the tree: who sent which members their first SOL."""
    wallet: str
    name: Union[str, None]
    exchange: bool
    is_deployer: bool
    is_member: bool
    funded: list[GroupFunderFundedItem]

class EvidenceTransaction(TypedDict):
    """A trade in the log, to be checked on an explorer."""
    signature: str
    slot: int
    wallet: str
    side: Literal["buy", "sell"]
    sol: float
    pct_of_supply: float
    tokens: float
    """whole tokens"""

class PairEvidence(TypedDict):
    wallets: list[str]
    families: list["EvidenceFamily"]

class EvidenceFamily(TypedDict):
    family: str
    """as the methodology calls it"""
    slot: Union[int, None]
    """of the evidence"""
    transactions: list["EvidenceTransaction"]
    """it rests on; empty where it rests on transfers, which are not kept"""
    intermediaries: list[str]
    """funders and fee payers between the two"""

class WhoHolderGroup(TypedDict):
    """confirmed group it belongs to"""
    id: str
    """`bdl_` and 12 characters"""
    name: str

class WhoHolderActor(TypedDict):
    no: int
    id: str
    name: str

class WhoHolderFunder(TypedDict):
    """null where it was not traced"""
    wallet: str
    name: Union[str, None]
    exchange: bool
    slot: int
    """of the wallet’s first SOL"""
    age_slots: int
    """slots from then to the launch; negative: it came later"""
    sol: float

class WhoHolder(TypedDict):
    wallet: str
    name: Union[str, None]
    """of a tracked influencer or agent"""
    tags: list["HolderTag"]
    holds_pct: float
    peak_pct: float
    """most it held since it last had nothing"""
    bought_pct: float
    sold_pct: float
    received_pct: float
    """came by transfer"""
    first_buy_slot: Union[int, None]
    last_sell_slot: Union[int, None]
    paid_sol: float
    """since it last had nothing, fees included"""
    got_sol: float
    """likewise"""
    realised_sol: Union[float, None]
    """result of what was sold; null where tokens were given away or have no price"""
    unrealised_sol: Union[float, None]
    """what the balance is worth at the last price less what it cost; null where either is unknown"""
    group: Union[WhoHolderGroup, None]
    """confirmed group it belongs to"""
    actor: Union[WhoHolderActor, None]
    funder: Union[WhoHolderFunder, None]
    """null where it was not traced"""

class WhoCoverageLargestChecked(TypedDict):
    """slot of the largest balances that a node last reported, and how much of supply they corrected; null if no node was asked"""
    slot: int
    corrected_pct: float

class WhoCoverage(TypedDict):
    launch_seen: bool
    dead: bool
    idle_slots: int
    funders_traced_pct: float
    """of held supply"""
    largest_checked: Union[WhoCoverageLargestChecked, None]
    """slot of the largest balances that a node last reported, and how much of supply they corrected; null if no node was asked"""
    history_pct: float
    """of held supply, with wallets that have a track record"""
    phantom_supply_pct: float
    """in balances that cannot all be there"""
    missing_slots: int
    """that the source could not deliver, since the log began"""
    log_from_slot: int
    """nothing earlier is known"""
    price_known: bool
    holders_told: int
    groups_left_out: int
    """smaller ones"""
    evidence_left_out: int
    """pieces of evidence whose trades were not looked up"""
    unknown: list[Literal["launch", "funders", "history", "price", "missing_blocks", "transfer_transactions", "funding_transactions"]]
    """what this answer does not know; a clean reading with these is not a clean token"""

class SlotMeta(TypedDict):
    cached_at: str
    """time of the block that this response was read after"""
    request_id: str
    """equals the X-Request-Id response header"""
    slot: int
    """newest block in this response"""

class CheckAnswer(TypedDict):
    data: "Check"
    meta: "SlotMeta"

class Check(TypedDict):
    """The verdict in a few sentences."""
    mint: str
    said_by_deployer: "SaidByDeployer"
    slot: int
    colour: "Colour"
    text: str
    """verdict and age, then what is worst; without a name that strangers chose"""

class ExplanationAnswer(TypedDict):
    data: "TokenExplanation"
    meta: "SlotMeta"

class TokenExplanationQuote(TypedDict):
    """what the token trades against, if that has no known price; amounts in SOL and USD are then 0"""
    mint: str
    decimals: Union[int, None]
    """null while nothing reported them"""
    market_cap: Union[float, None]
    """in whole units of the quote"""

class TokenExplanationScoreContributionsItem(TypedDict):
    what: str
    """a metric by its name in the API, or what moved the sum beside them"""
    points: float
    """all of them add up to the value"""
    reading: NotRequired[Union[float, None]]
    rated: NotRequired[float]
    """points of 10 that the reading is worth"""
    weight: NotRequired[float]

class TokenExplanationScoreIndependent(TypedDict):
    """holders outside every confirmed bundle"""
    count: int
    """holders with 0.05 SOL or more"""
    effective: float
    """how many of equal size would be as concentrated"""

class TokenExplanationScore(TypedDict):
    value: float
    coverage: float
    """share of the owned supply held by wallets with a track record"""
    contributions: list[TokenExplanationScoreContributionsItem]
    independent: TokenExplanationScoreIndependent
    """holders outside every confirmed bundle"""

class TokenExplanationLifeRugged(TypedDict):
    slot: int
    by: list[str]

class TokenExplanationLife(TypedDict):
    dead: bool
    idle_slots: int
    """without a trade"""
    launch_seen: bool
    phantom_supply_pct: float
    """in balances that cannot all be there"""
    drained_slot: Union[int, None]
    rugged: Union[TokenExplanationLifeRugged, None]

class TokenExplanationMemory(TypedDict):
    deployer_peak_pct: float
    insiders_peak_pct: float
    insiders_sold_pct: float
    sold_pct: float
    """by the deployer, insiders and confirmed groups together, ever"""
    sold_in_hour_pct: float

class TokenExplanationWhoClassesDeployer(TypedDict):
    """percent of supply: now, the most they ever had together, and what they sold"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class TokenExplanationWhoClassesInsiders(TypedDict):
    """the deployer, wallets it funded or paid for, and those that passed on what they were given"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class TokenExplanationWhoClassesFirstBlock(TypedDict):
    """bought in the slot of the creation"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class TokenExplanationWhoClassesFirst3s(TypedDict):
    """bought within 7 slots of it: snipers"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class TokenExplanationWhoClassesFresh(TypedDict):
    """first seen less than an hour before they bought"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class TokenExplanationWhoClassesBundled(TypedDict):
    """members of confirmed groups"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class TokenExplanationWhoClassesKols(TypedDict):
    """percent of supply: now, the most they ever had together, and what they sold"""
    wallets: Union[int, None]
    """ever in it; null where they are not counted"""
    held_pct: float
    peak_pct: float
    sold_pct: float

class TokenExplanationWhoClasses(TypedDict):
    """a wallet may be in several; null where it cannot be known"""
    deployer: Union[TokenExplanationWhoClassesDeployer, None]
    """percent of supply: now, the most they ever had together, and what they sold"""
    insiders: Union[TokenExplanationWhoClassesInsiders, None]
    """the deployer, wallets it funded or paid for, and those that passed on what they were given"""
    first_block: Union[TokenExplanationWhoClassesFirstBlock, None]
    """bought in the slot of the creation"""
    first_3s: Union[TokenExplanationWhoClassesFirst3s, None]
    """bought within 7 slots of it: snipers"""
    fresh: Union[TokenExplanationWhoClassesFresh, None]
    """first seen less than an hour before they bought"""
    bundled: Union[TokenExplanationWhoClassesBundled, None]
    """members of confirmed groups"""
    kols: Union[TokenExplanationWhoClassesKols, None]
    """percent of supply: now, the most they ever had together, and what they sold"""

class TokenExplanationWhoFirstBuyers(TypedDict):
    """what became of the first buyers"""
    count: int
    """at most 70"""
    buyers: int
    """wallets that ever bought, of which these were the first"""
    holding: int
    """have more than 1% of what they bought and received"""
    gain: int
    """sold for more than they had paid"""
    loss: int
    """sold for what they had paid, or less"""
    moved: int
    """sent on more than they sold"""
    unpriced: int
    """sold for something of unknown price"""
    bought_pct: float
    held_pct: float
    sold_pct: float
    moved_pct: float
    """sent on, beyond what they received"""
    paid_sol: float
    """by those who sold at a gain or a loss, the last time they bought in"""
    got_sol: float
    """by the same, for it"""

class TokenExplanationWhoLargestChecked(TypedDict):
    """slot of the largest balances that a node last reported, and how much of supply they corrected; null if no node was asked"""
    slot: int
    corrected_pct: float

class TokenExplanationWhoDeployer(TypedDict):
    """its record without this token"""
    wallet: str
    all: "Deeds"
    last_20: "Deeds"

class TokenExplanationWho(TypedDict):
    classes: TokenExplanationWhoClasses
    """a wallet may be in several; null where it cannot be known"""
    first_buyers: Union[TokenExplanationWhoFirstBuyers, None]
    """what became of the first buyers"""
    funders_traced_pct: float
    """of held supply, whose funders are known"""
    largest_checked: Union[TokenExplanationWhoLargestChecked, None]
    """slot of the largest balances that a node last reported, and how much of supply they corrected; null if no node was asked"""
    deployer: Union[TokenExplanationWhoDeployer, None]
    """its record without this token"""
    launch: "LaunchFacts"

class TokenExplanationSharesBundlePctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesBundlePct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesBundlePctLargestItem]

class TokenExplanationSharesDirtyPctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesDirtyPct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesDirtyPctLargestItem]

class TokenExplanationSharesDumpersPctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesDumpersPct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesDumpersPctLargestItem]

class TokenExplanationSharesChartNukersPctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesChartNukersPct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesChartNukersPctLargestItem]

class TokenExplanationSharesJeetsPctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesJeetsPct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesJeetsPctLargestItem]

class TokenExplanationSharesAlphaHandsPctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesAlphaHandsPct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesAlphaHandsPctLargestItem]

class TokenExplanationSharesDiamondHandsPctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesDiamondHandsPct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesDiamondHandsPctLargestItem]

class TokenExplanationSharesInProfitPctLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesInProfitPct(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesInProfitPctLargestItem]

class TokenExplanationSharesSmartWalletsLargestItem(TypedDict):
    wallet: str
    pct: float
    """percent of the owned supply"""
    why: NotRequired[list[str]]

class TokenExplanationSharesSmartWallets(TypedDict):
    pct: float
    """percent of the owned supply"""
    wallets: int
    largest: list[TokenExplanationSharesSmartWalletsLargestItem]

class TokenExplanationShares(TypedDict):
    bundle_pct: TokenExplanationSharesBundlePct
    dirty_pct: TokenExplanationSharesDirtyPct
    dumpers_pct: TokenExplanationSharesDumpersPct
    chart_nukers_pct: TokenExplanationSharesChartNukersPct
    jeets_pct: TokenExplanationSharesJeetsPct
    alpha_hands_pct: TokenExplanationSharesAlphaHandsPct
    diamond_hands_pct: TokenExplanationSharesDiamondHandsPct
    in_profit_pct: TokenExplanationSharesInProfitPct
    smart_wallets: TokenExplanationSharesSmartWallets

class TokenExplanationBundlesItemMembersItem(TypedDict):
    wallet: str
    pct_of_supply: float

class TokenExplanationBundlesItemEvidenceItemFamiliesItem(TypedDict):
    family: str
    slot: int

class TokenExplanationBundlesItemEvidenceItem(TypedDict):
    wallets: list[str]
    families: list[TokenExplanationBundlesItemEvidenceItemFamiliesItem]

class TokenExplanationBundlesItem(TypedDict):
    id: str
    name: str
    """adjective-noun-number"""
    aliases: list[str]
    """ids of groups that turned out to be this one"""
    confirmed: bool
    confirmed_slot: Union[int, None]
    red: bool
    """heavy net seller"""
    pct_of_supply: float
    peak_pct_of_supply: float
    sold_pct_of_supply: float
    members: list[TokenExplanationBundlesItemMembersItem]
    evidence: list[TokenExplanationBundlesItemEvidenceItem]

class TokenExplanationOneWalletBusiest(TypedDict):
    trades_pct: float
    volume_pct: float

class TokenExplanationOneWalletWash(TypedDict):
    trades_pct: float
    volume_pct: float

class TokenExplanationOneWallet(TypedDict):
    """what conditions 1 to 4 and 9 leave out: the wallet with most trades of 5 minutes, and wash traders"""
    busiest: Union[TokenExplanationOneWalletBusiest, None]
    wash: TokenExplanationOneWalletWash

class TokenExplanationOutlookDrainInputsItem(TypedDict):
    input: str
    at_least: Union[float, None]
    below: Union[float, None]

class TokenExplanationOutlookDrain(TypedDict):
    """at least 80% of the real quote reserve leaves within 9,000 slots"""
    p: Union[float, None]
    """hits of n; null while fewer than 20 like it are counted"""
    n: int
    """the latest tokens like it"""
    hits: int
    """of these, how many it came true for"""
    by: str
    """what makes tokens alike: all inputs `together`, one of them, or `all` asked about"""
    age_slots: int
    """fixed age at which it was asked; served until the next"""
    slot: int
    inputs: list[TokenExplanationOutlookDrainInputsItem]
    """bins of its readings then; both edges null: no reading"""

class TokenExplanationOutlookHalvingInputsItem(TypedDict):
    input: str
    at_least: Union[float, None]
    below: Union[float, None]

class TokenExplanationOutlookHalving(TypedDict):
    """the price halves within 9,000 slots"""
    p: Union[float, None]
    """hits of n; null while fewer than 20 like it are counted"""
    n: int
    """the latest tokens like it"""
    hits: int
    """of these, how many it came true for"""
    by: str
    """what makes tokens alike: all inputs `together`, one of them, or `all` asked about"""
    age_slots: int
    """fixed age at which it was asked; served until the next"""
    slot: int
    inputs: list[TokenExplanationOutlookHalvingInputsItem]
    """bins of its readings then; both edges null: no reading"""

class TokenExplanationOutlookBuyerInputsItem(TypedDict):
    input: str
    at_least: Union[float, None]
    below: Union[float, None]

class TokenExplanationOutlookBuyer(TypedDict):
    """0.5 SOL bought now gain"""
    p: Union[float, None]
    """hits of n; null while fewer than 20 like it are counted"""
    n: int
    """the latest tokens like it"""
    hits: int
    """of these, how many it came true for"""
    by: str
    """what makes tokens alike: all inputs `together`, one of them, or `all` asked about"""
    age_slots: int
    """fixed age at which it was asked; served until the next"""
    slot: int
    inputs: list[TokenExplanationOutlookBuyerInputsItem]
    """bins of its readings then; both edges null: no reading"""

class TokenExplanationOutlook(TypedDict):
    drain: Union[TokenExplanationOutlookDrain, None]
    """at least 80% of the real quote reserve leaves within 9,000 slots"""
    halving: Union[TokenExplanationOutlookHalving, None]
    """the price halves within 9,000 slots"""
    buyer: Union[TokenExplanationOutlookBuyer, None]
    """0.5 SOL bought now gain"""

class TokenExplanationSignalsItemAlsoItem(TypedDict):
    name: str
    value: float

class TokenExplanationSignalsItemEdges(TypedDict):
    """when each holds: of the value, or of what is named"""
    pump: str
    dump: str

class TokenExplanationSignalsItem(TypedDict):
    name: str
    value: Union[float, Literal["infinite"], None]
    also: list[TokenExplanationSignalsItemAlsoItem]
    """what else decides it"""
    pump: bool
    dump: bool
    edges: TokenExplanationSignalsItemEdges
    """when each holds: of the value, or of what is named"""

class TokenExplanationActorsItemKnownHere(TypedDict):
    slot: int
    """since when it is known to be here"""
    by: "Involvement"

class TokenExplanationActorsItem(TypedDict):
    no: int
    """its number; accepted in place of the id"""
    id: str
    """stable: `act_` and 12 characters"""
    name: str
    """adjective-noun-number"""
    wallets: int
    tokens: int
    """on which it was seen, the newest 128"""
    launched: int
    """of these: launched by it or for it within 90 days"""
    drained: int
    """of these: lost 80% of their money within minutes, while it gained"""
    rugged: int
    """of these: rugged, while it gained"""
    taken_sol: float
    """SOL received less SOL paid, on the launched ones"""
    usual_exit_slots: Union[float, None]
    """slots from its first purchase until half was sold, median; null when it never left a token"""
    first_slot: int
    """of the first evidence"""
    last_slot: int
    """of its last trade or evidence"""
    known_here: TokenExplanationActorsItemKnownHere
    wallets_here: int
    """of its wallets, those that ever had this token"""
    holds_pct: float
    """percent of supply"""
    sold_pct: float
    """percent of supply"""
    members: list[str]
    newest_tokens: list[str]
    evidence: list["ActorEdge"]

class TokenExplanation(TypedDict):
    mint: str
    said_by_deployer: "SaidByDeployer"
    slot: int
    """as of which chain slot"""
    quote: Union[TokenExplanationQuote, None]
    """what the token trades against, if that has no known price; amounts in SOL and USD are then 0"""
    score: TokenExplanationScore
    life: TokenExplanationLife
    memory: TokenExplanationMemory
    who: TokenExplanationWho
    served: "SnapshotScore"
    ratings: "Ratings"
    shares: TokenExplanationShares
    bundles: list[TokenExplanationBundlesItem]
    """largest first"""
    one_wallet: Union[TokenExplanationOneWallet, None]
    """what conditions 1 to 4 and 9 leave out: the wallet with most trades of 5 minutes, and wash traders"""
    outlook: TokenExplanationOutlook
    signals: Union[list[TokenExplanationSignalsItem], None]
    """24 paired conditions; null until the token has traded"""
    actors: list[TokenExplanationActorsItem]

class ActorEdge(TypedDict):
    """Why two wallets of an actor belong together."""
    wallets: list[str]
    families: list[str]
    """a shared funder or fee payer; empty if the edge rests on the tokens only"""
    slot: int
    """of the first evidence"""
    mints: list[str]
    """tokens on which both were in one confirmed group, the first 8"""

class ActorAnswer(TypedDict):
    data: "ActorProfile"
    meta: "SlotMeta"

class ActorProfileMembersItem(TypedDict):
    wallet: str
    name: Union[str, None]

class ActorProfileDeployersItem(TypedDict):
    wallet: str
    launches: int
    """of the tokens below"""
    member: bool

class ActorProfile(TypedDict):
    """Everything known of an actor, with the evidence for it."""
    no: int
    """its number; accepted in place of the id"""
    id: str
    """stable: `act_` and 12 characters"""
    name: str
    """adjective-noun-number"""
    wallets: int
    tokens: int
    """on which it was seen, the newest 128"""
    launched: int
    """of these: launched by it or for it within 90 days"""
    drained: int
    """of these: lost 80% of their money within minutes, while it gained"""
    rugged: int
    """of these: rugged, while it gained"""
    taken_sol: float
    """SOL received less SOL paid, on the launched ones"""
    usual_exit_slots: Union[float, None]
    """slots from its first purchase until half was sold, median; null when it never left a token"""
    first_slot: int
    """of the first evidence"""
    last_slot: int
    """of its last trade or evidence"""
    members: list[ActorProfileMembersItem]
    """in order of joining, at most 256"""
    deployers: list[ActorProfileDeployersItem]
    """its own deployers and those that serve it, most launches first"""
    recent_tokens: list["ActorToken"]
    """newest first"""
    edges: list["ActorEdge"]
    """the oldest evidence first"""
    edges_total: int
    """all of them; the list may be shorter"""

class ActorToken(TypedDict):
    mint: str
    symbol: str
    name: str
    deployed_at: Union[str, None]
    deployer: Union[str, None]
    launched: bool
    """by one of its wallets, or by a deployer that serves it"""
    grouped: bool
    """its wallets were a confirmed group there"""
    first_buy_slot: Union[int, None]
    exit_slot: Union[int, None]
    """when half of what it had bought was sold"""
    bought_pct: float
    """percent of supply"""
    sold_pct: float
    """percent of supply"""
    paid_sol: float
    got_sol: float
    drained_slot: Union[int, None]
    rugged_slot: Union[int, None]
    graduated: bool

class PositionsAnswerMeta(TypedDict):
    cached_at: str
    """time of the block that this response was read after"""
    request_id: str
    """equals the X-Request-Id response header"""
    slot: int
    """newest block in this response"""
    page: "CursorPage"

class PositionsAnswer(TypedDict):
    data: list["WalletPosition"]
    summary: "WalletSummary"
    meta: PositionsAnswerMeta

class WalletPositionGroup(TypedDict):
    """confirmed group of it there"""
    id: str
    name: str

class WalletPosition(TypedDict):
    mint: str
    name: str
    symbol: str
    last_slot: int
    """of the wallet’s last trade of it"""
    holds: float
    """whole tokens"""
    holds_pct: float
    """percent of supply"""
    peak_pct: float
    bought_pct: float
    sold_pct: float
    received_pct: float
    """came by transfer"""
    first_buy_slot: Union[int, None]
    last_sell_slot: Union[int, None]
    paid_sol: float
    got_sol: float
    worth_sol: Union[float, None]
    """of the balance at the last price; null without a price"""
    realised_sol: Union[float, None]
    """null where tokens were given away or have no price"""
    unrealised_sol: Union[float, None]
    """null where cost or price is unknown"""
    deployed: bool
    """by this wallet"""
    deployed_at: Union[str, None]
    group: Union[WalletPositionGroup, None]
    """confirmed group of it there"""
    mcap: int
    graduated: bool
    drained: bool
    rugged: bool

class WalletSummaryActor(TypedDict):
    """it belongs to or serves"""
    no: int
    id: str
    name: str

class WalletSummaryFunder(TypedDict):
    wallet: str
    slot: int
    sol: float

class WalletSummary(TypedDict):
    wallet: str
    name: Union[str, None]
    slot: int
    """as of which chain slot"""
    actor: Union[WalletSummaryActor, None]
    """it belongs to or serves"""
    funder: Union[WalletSummaryFunder, None]
    mints_bought: int
    known: int
    """tokens this answer pages through: the last 20 traded, the newest 100 launched, and those of groups"""
    complete: bool
    """these are all tokens the wallet ever traded"""

class CursorPage(TypedDict):
    limit: int
    """page size applied after clamping to the maximum"""
    returned: int
    next_cursor: Union[str, None]
    """for the next page; null at the end"""

class TradeHistoryMeta(TypedDict):
    cached_at: str
    """time of the block that this response was read after"""
    request_id: str
    """equals the X-Request-Id response header"""
    slot: int
    """newest block in this response"""
    page: "CursorPage"

class TradeHistory(TypedDict):
    data: list["Trade"]
    meta: TradeHistoryMeta

class TraderWindowsAnswer(TypedDict):
    data: "TraderWindows"
    meta: "SlotMeta"

class TraderWindows(TypedDict):
    """What a wallet did in the last 7 and 30 days."""
    user_address: str
    name: Union[str, None]
    """when tracked"""
    windows: list["TraderWindow"]

class TraderWindow(TypedDict):
    days: int
    """length in days of 216,000 slots: 7 or 30"""
    from_slot: int
    """first slot of the window; windows begin at a full hour of 9,000 slots"""
    covered_from_slot: Union[int, None]
    """every trade from this slot on is covered; null if no trade of the window was found"""
    complete: bool
    """the whole window is covered"""
    buys: Union[int, None]
    spent_sol: Union[float, None]
    """fees included"""
    pnl_sol: Union[float, None]
    """realised by sales and write-offs since the first trade covered; null as long as nothing was realised"""

class DeployerWindowsAnswer(TypedDict):
    data: "DeployerWindows"
    meta: "SlotMeta"

class DeployerWindows(TypedDict):
    """What a deployer launched in the last 7 and 30 days."""
    user_address: str
    name: Union[str, None]
    """when tracked"""
    windows: list["DeployerWindow"]

class DeployerWindow(TypedDict):
    """Over the launches of the window."""
    days: int
    """length in days of 216,000 slots: 7 or 30"""
    from_slot: int
    """first slot of the window; windows begin at a full hour of 9,000 slots"""
    complete: bool
    """the log covers the whole window"""
    drained: int
    """launches of the window whose liquidity was drained"""
    rugged: int
    summary: "DevSummary"

class TokenBatchAnswer(TypedDict):
    data: "TokenBatch"
    meta: "SlotMeta"

class TokenBatchTokensItem(TypedDict):
    mint: str
    slot: int
    """newest block in it"""
    snapshot: "TokenSnapshot"

class TokenBatch(TypedDict):
    tokens: list[TokenBatchTokensItem]
    """tracked mints, in the order of the request"""
    not_found: list[str]
    """mints that are not tracked; never charged"""

class AccuracyAnswer(TypedDict):
    data: "Accuracy"
    meta: "SlotMeta"

class Accuracy(TypedDict):
    formulas_version: str
    """formulas that made all of it"""
    since_slot: Union[int, None]
    """of the first question; null before it"""
    slot: int
    """up to which outcomes are counted"""
    questions: list["QuestionAccuracy"]

class QuestionAccuracy(TypedDict):
    question: Literal["drain", "halving", "buyer"]
    n: int
    """outcomes"""
    hits: int
    """of these, how many came true"""
    expected: float
    """sum of the probabilities that were served when they were asked"""
    brier: Union[float, None]
    """mean squared error of the served probabilities; null without an outcome"""
    ages: list["AccuracyAge"]

class AccuracyAge(TypedDict):
    from_slots: int
    """youngest age in it; ends where the next begins"""
    n: int
    """outcomes"""
    hits: int
    """of these, how many came true"""
    brier: Union[float, None]
    """mean squared error of the served probabilities; null without an outcome"""
    bands: list["AccuracyBand"]

class AccuracyBand(TypedDict):
    band: int
    """tenth of the probability served: 1 is below 10%"""
    n: int
    """outcomes"""
    hits: int
    """of these, how many came true"""
    expected: float
    """sum of the probabilities that were served when they were asked"""

class AccountLimits(TypedDict):
    requests_per_minute: int
    live_keys: int

class AccountSubscribe(TypedDict):
    """null: subscriptions are not for sale"""
    pay_to: str
    lamports: int
    days: int
    reference: str
    """names the account in the transfer"""
    url: str
    """the same as a Solana Pay request"""

class Account(TypedDict):
    signed_in: Literal[True]
    wallet: Union[str, None]
    """null: an account of the operator"""
    plan: "Plan"
    paid_until: Union[str, None]
    balance_lamports: int
    keys: list["Key"]
    limits: AccountLimits
    subscribe: Union[AccountSubscribe, None]
    """null: subscriptions are not for sale"""

class Key(TypedDict):
    """A key as its owner sees it, without the key itself."""
    id: str
    """stable"""
    name: str
    state: "KeyState"
    created_at: str
    expires_at: Union[str, None]
    revoked_at: Union[str, None]
    calls: int
    last_used_at: Union[str, None]

class AccountAnswer(TypedDict):
    data: "Account"
    meta: "Meta"

class StreamTokenAnswer(TypedDict):
    data: "StreamToken"
    meta: "Meta"

class StreamToken(TypedDict):
    token: str
    """`st_…`: opens streams wherever an API key does, and nothing else"""
    expires_at: str
    """until then it opens streams; one that is open goes on"""

class WatchesAnswer(TypedDict):
    data: list["Watch"]
    meta: "Meta"

class Watch(TypedDict):
    id: str
    """stable"""
    kind: "WatchKind"
    target: str
    name: str
    min_sol: float
    paused: bool
    state: Literal["starting", "watching", "paused"]
    created_at: str

class AddWatchAnswer(TypedDict):
    data: "Watch"
    meta: "Meta"

class ChangeWatchAnswer(TypedDict):
    data: "Watch"
    meta: "Meta"

class RemoveWatchAnswer(TypedDict):
    data: "Deleted"
    meta: "Meta"

class Deleted(TypedDict):
    deleted: Literal[True]

class AlertsAnswer(TypedDict):
    data: list["Alert"]
    meta: "Meta"

class DestinationsAnswer(TypedDict):
    data: list["Destination"]
    meta: "Meta"

class Destination(TypedDict):
    id: str
    """stable"""
    kind: "DestinationKind"
    name: str
    enabled: bool
    state: "DestinationState"
    address: Union[str, None]
    """without what is secret in it; null until a chat is linked"""
    watches: Union[list[str], None]
    failing_since: Union[str, None]
    delivered_at: Union[str, None]
    notice: Union[str, None]
    """why the service disabled it"""
    missed: int
    """alerts dropped before they fitted into the queue"""
    created_at: str

class AddDestinationAnswerDataLink(TypedDict):
    """of a Telegram chat"""
    code: str
    expires_at: str
    send: str
    """the message to the bot"""
    bot: Union[str, None]
    url: Union[str, None]

class AddDestinationAnswerData(TypedDict):
    id: str
    """stable"""
    kind: "DestinationKind"
    name: str
    enabled: bool
    state: "DestinationState"
    address: Union[str, None]
    """without what is secret in it; null until a chat is linked"""
    watches: Union[list[str], None]
    failing_since: Union[str, None]
    delivered_at: Union[str, None]
    notice: Union[str, None]
    """why the service disabled it"""
    missed: int
    """alerts dropped before they fitted into the queue"""
    created_at: str
    secret: NotRequired[str]
    """of a webhook, `whsec_…`; shown only in this answer"""
    link: NotRequired[AddDestinationAnswerDataLink]
    """of a Telegram chat"""

class AddDestinationAnswer(TypedDict):
    data: AddDestinationAnswerData
    meta: "Meta"

class ChangeDestinationAnswer(TypedDict):
    data: "Destination"
    meta: "Meta"

class RemoveDestinationAnswer(TypedDict):
    data: "Deleted"
    meta: "Meta"

class TestDestinationAnswer(TypedDict):
    data: "Delivery"
    meta: "Meta"

class Delivery(TypedDict):
    number: int
    id: str
    """of the alert"""
    seq: int
    event: str
    title: str
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    status: Union[int, None]
    """HTTP status of the newest attempt"""
    error: Union[str, None]
    attempted_at: Union[str, None]
    next_at: Union[str, None]
    created_at: str

class RotateSecretAnswerData(TypedDict):
    secret: str
    """shown only in this answer"""
    previous_until: str
    """until then the previous one signs too"""

class RotateSecretAnswer(TypedDict):
    data: RotateSecretAnswerData
    meta: "Meta"

class LinkChatAnswer(TypedDict):
    data: "ChatLink"
    meta: "Meta"

class ChatLink(TypedDict):
    """A code that links a Telegram chat."""
    code: str
    expires_at: str
    send: str
    """the message to the bot"""
    bot: Union[str, None]
    url: Union[str, None]

class DeliveriesAnswer(TypedDict):
    data: list["Delivery"]
    meta: "Meta"

class ReplayDeliveryAnswer(TypedDict):
    data: "Delivery"
    meta: "Meta"

Colour = Literal["neutral", "green", "yellow", "red"]

VerdictCode = Literal["rugged", "drained", "dead", "sold_in_hour", "actor", "deployer_record", "outlook_drain", "outlook_halving", "bundled", "insiders", "concentrated", "early_exit", "sold_ever", "deployer_sold", "liquidity_withdrawn", "liquidity_unlocked", "snipers", "phantom", "launch_unseen", "unknown_holders", "low_score", "fallen", "known_holders"]

VerdictEvent = Literal["trade", "time", "reading", "fact"]

HolderTag = Literal["deployer", "insider", "first_block", "sniper", "fresh", "bundled", "actor", "kol", "smart", "alpha_hands", "agent", "jeet", "dumper", "wash", "serial_rugger", "exchange"]

Involvement = Literal["deployed", "bought_early", "traded", "group"]

TokenState = Literal["live", "drained", "rugged", "taken_over", "dead"]

Plan = Literal["pro", "free"]

WatchKind = Literal["token", "wallet", "deployer", "actor", "condition"]

KeyState = Literal["live", "revoked", "expired"]

DestinationKind = Literal["webhook", "telegram", "discord"]

DestinationState = Literal["disabled", "unlinked", "unverified", "working", "failing"]

ErrorCode = Literal["bad_request", "not_found", "payment_required", "rate_limited", "internal_error"]
