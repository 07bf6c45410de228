# Generated from openapi.json by `npm run clients`. Do not edit.

"""What the service answers and streams. `VERSION` is the version of the interface."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict, Union

VERSION = "1.0.0"

class ErrorEnvelope(TypedDict):
    error: "Error"

class Error(TypedDict):
    code: Literal["bad_request", "not_found", "payment_required", "rate_limited", "internal_error"]
    """stable"""
    message: str
    """human-readable; may change"""
    request_id: str
    """equals the X-Request-Id response header"""
    retry_after: NotRequired[int]
    """seconds until the window resets; present on `rate_limited`"""
    upgrade_url: NotRequired[str]
    """where to subscribe; present on `payment_required`"""

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
    alpha_hands: Literal["green", "yellow", "red", "neutral"]
    """supply held by wallets that historically pick winners"""
    bundle: Literal["green", "yellow", "red", "neutral"]
    """supply held by coordinated wallet groups"""
    conviction: Literal["green", "yellow", "red", "neutral"]
    """holder conviction index"""
    cooktimer: Literal["green", "yellow", "red", "neutral"]
    """expected slots before holders sell"""
    dirty: Literal["green", "yellow", "red", "neutral"]
    """supply held by suspicious wallets"""
    dumpers: Literal["green", "yellow", "red", "neutral"]
    """supply held by wallets with heavy sell impact"""
    in_profit: Literal["green", "yellow", "red", "neutral"]
    """supply in unrealized profit"""
    jeets: Literal["green", "yellow", "red", "neutral"]
    """supply held by quick sellers"""
    pump_dump: Literal["green", "yellow", "red", "neutral"]
    """pump versus dump condition counters"""
    score: Literal["green", "yellow", "red", "neutral"]
    """overall quality score"""

class Meta(TypedDict):
    cached_at: str
    """when this response was rendered"""
    request_id: str
    """equals the X-Request-Id response header"""

class Trades(TypedDict):
    data: list["Trade"]
    meta: "Meta"

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
    """lifetime return at this trade, 0.25 = +25 %"""
    sell_impact: Union[float, None]
    """effect of past exits on prices, percent points"""
    signature: str
    """transaction signature, base58; empty where the material has none"""
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
    """lifetime return as a ratio, 0.25 = +25 %"""
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
    """when this response was rendered"""
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

class AccuracyAnswer(TypedDict):
    data: "Accuracy"
    meta: "Meta"

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
    """12 comes true most often"""
    n: int
    """outcomes"""
    hits: int
    """of these, how many came true"""
    expected: float
    """sum of the probabilities that were served when they were asked"""
    probability: float
    """what a token in this band is answered with now"""

class FrameData(TypedDict):
    signature: str
    """transaction signature, base58; empty where the material has none"""
    mint: str
    """token mint address, base58"""
    slot: int
    timestamp: Union[str, None]
    seq: int
    """place in the topic, counted from 1 without a gap"""
    trades: list["Trade"]

class Frame(TypedDict):
    data: FrameData

class TokenEventTokenCreatedData(TypedDict):
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

class TokenEventTokenCreated(TypedDict):
    type: Literal["token_created"]
    data: TokenEventTokenCreatedData

class TokenEventTokenMetadataRetrievedData(TypedDict):
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

class TokenEventTokenMetadataRetrieved(TypedDict):
    type: Literal["token_metadata_retrieved"]
    data: TokenEventTokenMetadataRetrievedData

class TokenEventTokenDuplicationStatusUpdatedData(TypedDict):
    mint: str
    """token mint address, base58"""
    symbol: str
    name: str
    slot: int
    """chain slot"""
    seq: int
    """place in the topic, counted from 1 without a gap"""
    duplication: "Duplication"

class TokenEventTokenDuplicationStatusUpdated(TypedDict):
    type: Literal["token_duplication_status_updated"]
    data: TokenEventTokenDuplicationStatusUpdatedData

class TokenEventTokenGraduatedData(TypedDict):
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

class TokenEventTokenGraduated(TypedDict):
    type: Literal["token_graduated"]
    data: TokenEventTokenGraduatedData

class TokenEventTokenDexPaidData(TypedDict):
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

class TokenEventTokenDexPaid(TypedDict):
    type: Literal["token_dex_paid"]
    data: TokenEventTokenDexPaidData

TokenEvent = Union[TokenEventTokenCreated, TokenEventTokenMetadataRetrieved, TokenEventTokenDuplicationStatusUpdated, TokenEventTokenGraduated, TokenEventTokenDexPaid]
