import type { Accuracy } from './accuracy.ts'
import { ENDPOINTS, type FreeOperationId, type OperationId } from './endpoints.ts'
import {
  type DevSummary,
  type DevToken,
  type Duplication,
  PAYMENT,
  type PaymentReceipt,
  type PaymentRequired,
  type PaymentRequiredV2,
  type Ratings,
  type TokenCard,
  type TokenSnapshot,
  type Trade,
  type Trader,
} from './resources.ts'

/** One invented token and its people, for the examples of the OpenAPI document and for tests. */
const MINT = '93mCveArZRPXZqVkPmHBnNrmP27tyed2H5geuJkskxsp'
const DEPLOYER = 'BXicUfprw9MMBubLHLWG9ayZc6gACBZoYdH5YVq5BTJy'
const HOLDER = '5GGKU5D6Jk67dQDiuoHxptFb3uKf7HrbNgD8VaQTG6S3'
const TRADER = 'HxXPP79Zma3qt136cAZydk3Ta9qzD3pFGk2FyiyzXLpN'
const SIGNATURE = '4HScuo7cHaLj41CjG4MCuVLyDQ8bqMf2rDgwwx5pqFCWLyZ1T31CW8r8remCY8EarDFCLGpkRCsJWZapkWN5AdrM'

export const EXAMPLE_ADDRESSES = { mint: MINT, deployer: DEPLOYER, holder: HOLDER, trader: TRADER } as const

const ratings: Ratings = {
  alpha_hands: 'green',
  bundle: 'green',
  conviction: 'green',
  cooktimer: 'green',
  dirty: 'green',
  dumpers: 'yellow',
  in_profit: 'yellow',
  jeets: 'green',
  pump_dump: 'green',
  score: 'green',
}

const duplication: Duplication = {
  image: null,
  name: false,
  symbol: false,
  symbol_name: false,
  telegram: false,
  twitter: false,
  website: false,
}

const about = {
  description: 'An example token',
  image_uri: 'https://example.com/moon.png',
  launchpad: 'pumpfun',
  mint: MINT,
  name: 'Example Moon',
  symbol: 'MOON',
  telegram: null,
  twitter: 'https://x.com/example',
  website: null,
}

const snapshot: TokenSnapshot = {
  meta: { ...about, deployed_at: '2026-10-01T01:23:20.669800Z', deployer: DEPLOYER },
  status: {
    dex_paid: false,
    dex_paid_at: null,
    duplication,
    has_migrated: false,
    is_og: true,
    migrated_at: null,
  },
  market: { ath_at: '2026-10-01T01:25:02.120000Z', ath_mcap: 18432, ath_slot: 402112345, mcap: 15210 },
  holders: {
    count: 184,
    pct_supply_owned: 41.27,
    top: [{ address: HOLDER, pct_of_supply: 3.91 }],
    top_3_pct: 9.84,
    top_5_pct: 14.02,
    top_10_pct: 21.56,
  },
  bundles: { count: 2, owned_pct_supply: 6.1, red_count: 0, top_3_sizes_pct: [4.4, 1.7] },
  score: {
    alpha_hands_pct: 31.5,
    bundle_pct: 14.78,
    conviction_score: 61.2,
    cooktimer_slots: 2610,
    dirty_pct: 33.4,
    dumpers_pct: 52.1,
    in_profit_pct: 54.9,
    jeets_pct: 8.3,
    smart_wallets_count: 3,
    value: 5.6,
  },
  cohorts: {
    buys_pct: { under_10: 12.5, between_10_100: 30, between_100_1k: 41.5, between_1k_10k: 14, over_10k: 2 },
    hcr_pct: { doa: 10, insider_vibes: 5, kiss_of_death: 25, mid: 40, strong: 20 },
    hold_duration_pct: {
      under_60s: 20,
      between_60s_150s: 25,
      between_150s_300s: 30,
      between_300s_600s: 15,
      over_600s: 10,
    },
    pnl_pct: { loss_50_plus: 5, loss_0_to_50: 35, profit_0_to_50: 40, profit_50_to_150: 15, profit_150_plus: 5 },
    roi_pct: { rekt: 8, bleeding: 22, flat: 40, printing: 28, sus_high: 2 },
    sell_impact_pct: {
      under_neg9_9: 6,
      neg9_9_to_neg3_6: 14,
      neg3_6_to_neg0_61: 32,
      neg0_61_to_pos2_2: 44,
      over_pos2_2: 4,
    },
    sol_balance_pct: { under_1: 18, between_1_3: 32, between_3_10: 30, between_10_100: 18, over_100: 2 },
  },
  kols: {
    count: 1,
    list: [
      { expected_sell_slot: 402115000, pct_of_supply: 0.8, sell_impact: -1.2, user_name: 'example', wallet: TRADER },
    ],
  },
  signals: { dump_conditions_met: 4, pump_conditions_met: 13 },
  ratings,
}

const card: TokenCard = {
  ...about,
  agent_bought_at: null,
  agent_buyer: null,
  alpha_hands_pct: 31.5,
  chart_nukers_pct: 20,
  conviction_score: 61.2,
  deployed_at: '2026-10-01T01:23:20.669800Z',
  dex_paid: false,
  diamond_hands_pct: 10,
  dirty_pct: 33.4,
  dump_conditions_met: 4,
  duplication,
  has_migrated: false,
  kols_in_count: 1,
  mcap: 15210,
  pump_conditions_met: 13,
  ratings,
  score: 5.6,
}

const trade: Trade = {
  avg_hold_slots: 1210.5,
  bundle_id: null,
  bundle_name: null,
  bundled: false,
  bundled_trades_rate: 0.02,
  buys_count: 57,
  healthy_coins_rate: 0.41,
  is_buy: true,
  mcap: 15210,
  mint: MINT,
  roi: 0.25,
  sell_impact: -1.2,
  signature: SIGNATURE,
  slot: 402112399,
  smart_money: false,
  sol_amount: 0.75,
  timestamp: '2026-10-01T01:25:23.720000Z',
  token_amount: 3_512_004.118273,
  total_buys_sol: 81.4,
  unique_id: `${SIGNATURE}:2:0`,
  user_address: TRADER,
  user_name: null,
  user_pnl: 12.31,
  user_sol_balance: 9.2,
  win_rate: 0.58,
}

const trader: Trader = {
  avg_hold_slots: 1210,
  bundled_trades_rate: 0.02,
  healthy_coins_rate: 0.41,
  last_active: '2026-10-01T01:25:23.720000Z',
  median_hold_slots: 640,
  name: null,
  pnl_sol: 12.31,
  recent_mints: [MINT],
  roi: 0.25,
  sell_impact: -1.2,
  smart_money: false,
  total_buys_sol: 82.15,
  user_address: TRADER,
  win_rate: 0.58,
}

const launch: DevToken = {
  ath_at: '2026-10-01T01:25:02.120000Z',
  ath_mcap: 18432,
  ath_slot: 402112345,
  deployed_at: '2026-10-01T01:23:20.669800Z',
  dex_paid: false,
  has_migrated: false,
  image_uri: 'https://example.com/moon.png',
  launchpad: 'pumpfun',
  migrated_at: null,
  mint: MINT,
  name: 'Example Moon',
  symbol: 'MOON',
}

const summary: DevSummary = {
  ath_mcap_percentiles: { p25: 18432, p50: 18432, p75: 18432, p90: 18432 },
  ath_milestones: [
    { mcap: 10_000, pct: 100, reached: 1 },
    { mcap: 25_000, pct: 0, reached: 0 },
  ],
  ath_sample_size: 1,
  best_ath_mcap: 18432,
  bond_rate: 0,
  bonded_count: 0,
  total_deployed: 1,
}

const accuracyOf = (question: 'drain' | 'halving' | 'buyer'): Accuracy['questions'][number] => ({
  ...{ question, n: 36, hits: 12, expected: 12.3, brier: 0.1906 },
  ages: [75, 750, 4_500].map((from_slots) => ({
    ...{ from_slots, n: 12, hits: 4, brier: 0.1906 },
    bands: Array.from({ length: 10 }, (_, band) => ({
      ...{ band: band + 1, n: band === 3 ? 12 : 0, hits: band === 3 ? 4 : 0, expected: band === 3 ? 4.1 : 0 },
    })),
  })),
})

const accuracy: Accuracy = {
  ...{ formulas_version: '3', since_slot: 402_100_075, slot: 402_112_345 },
  questions: (['drain', 'halving', 'buyer'] as const).map(accuracyOf),
}

const meta = { cached_at: '2026-10-01T01:25:24.000000Z', request_id: 'req_4Z2r8o0yTq1mXa3B' }
const cards = { data: [card], meta }

/** The body of a 200, by operation. */
export const EXAMPLES = {
  snapshot: { data: snapshot, meta },
  trades: { data: [trade], meta },
  new: cards,
  pumps: cards,
  graduated: { data: [{ ...card, has_migrated: true }], meta },
  agents: {
    data: [{ ...card, agent_bought_at: '2026-10-01T01:25:10.120000Z', agent_buyer: 'second-wave' }],
    meta,
  },
  survivors: cards,
  trader: { data: trader, meta },
  deployer: { data: [launch], summary, meta: { ...meta, page: { limit: 50, offset: 0, returned: 1 } } },
} as const satisfies Record<OperationId, unknown>

/** The body of a 200, by free operation. */
export const FREE_EXAMPLES = {
  accuracy: { data: accuracy, meta: { ...meta, slot: 402_112_345 } },
} as const satisfies Record<FreeOperationId, unknown>

const { summary: description, priceUnits } = ENDPOINTS[0]
const resource = { url: `https://example.com/v1/tokens/${MINT}`, description, mimeType: 'application/json' }
const { scheme, network, asset, maxTimeoutSeconds } = PAYMENT
const offer = {
  asset,
  payTo: 'AJ9fL3CPMdtkAHcoaieCYVdrLb6dm4eoiFw9fSygdcGe',
  maxTimeoutSeconds,
  extra: { feePayer: '4fpD8qTi4XCF3QbySVcEhnHS3qiAdR3sBCkmyWVF9zAp' },
}

/** The body of a 402, and the equivalent V2 offer of its header. */
export const EXAMPLE_PAYMENT_REQUIRED: PaymentRequired = {
  error: {
    code: 'payment_required',
    message: 'No API key and no payment was sent.',
    request_id: meta.request_id,
    upgrade_url: 'https://example.com/account',
  },
  x402Version: 1,
  accepts: [
    {
      scheme,
      network: network.v1,
      maxAmountRequired: String(priceUnits),
      resource: resource.url,
      description,
      mimeType: resource.mimeType,
      ...offer,
    },
  ],
}

export const EXAMPLE_PAYMENT_REQUIRED_V2: PaymentRequiredV2 = {
  x402Version: 2,
  error: 'Payment required',
  resource,
  accepts: [{ scheme, network: network.v2, amount: String(priceUnits), ...offer }],
}

export const EXAMPLE_RECEIPT: PaymentReceipt = {
  success: true,
  transaction: SIGNATURE,
  network: network.v2,
  payer: '4tVzjJ3ggqgRiSfwkBhGsm7qAedK3MTHdfjcRsJK7EPc',
}
