import type { z } from 'zod'
import type { ActorHere, ActorProfile } from './actors.ts'
import type { TokenBatch } from './batch.ts'
import type { BatchOperationId, FurtherOperationId } from './endpoints.ts'
import { EXAMPLE_ADDRESSES, EXAMPLES, FREE_EXAMPLES } from './examples.ts'
import type { TokenExplanation } from './explain.ts'
import type { WalletPosition, WalletSummary } from './positions.ts'
import type { Check, Who } from './who.ts'
import type { DeployerWindows, TraderWindows } from './windows.ts'

/** Examples of operations beyond the specification, about the invented token of examples.ts. */
const { mint, deployer, holder, trader } = EXAMPLE_ADDRESSES
const SLOT = 402_112_345
const said = { symbol: 'MOON', name: 'Example Moon' }
const meta = { ...EXAMPLES.snapshot.meta, slot: SLOT }
const SIGNATURE = EXAMPLES.trades.data[0]!.signature

const actorName = { no: 41, id: 'act_7hQ2mVx9TzKc', name: 'hollow-ridge-41' }
const groupName = { id: 'bdl_3vQz8mNw5rTk', name: 'humble-dune-422' }
const record = {
  ...{ wallets: 41, tokens: 14, launched: 12, drained: 11, rugged: 9, taken_sol: 312.5 },
  ...{ usual_exit_slots: 450, first_slot: 401_000_000, last_slot: SLOT },
}
const actorHere: ActorHere = {
  ...{ ...actorName, ...record },
  known_here: { slot: 402_111_980, by: 'bought_early' },
  ...{ wallets_here: 7, holds_pct: 0.4, sold_pct: 29.1 },
}
const funder = {
  ...{ wallet: deployer, name: null, exchange: false },
  ...{ slot: 402_110_000, age_slots: 1_975, sol: 2.5 },
}
const money = {
  ...{ holds_pct: 0.4, peak_pct: 4.4, bought_pct: 4.4, sold_pct: 4, received_pct: 0 },
  ...{ first_buy_slot: 402_111_975, last_sell_slot: 402_112_288, paid_sol: 1.3, got_sol: 3.1 },
  ...{ realised_sol: 1.918, unrealised_sol: 0.18 },
}
const person = { wallet: holder, name: null, tags: ['sniper' as const, 'bundled' as const, 'actor' as const], ...money }
const deeds = {
  ...{ launches: 12, drained: 11, rugged: 9, sold: 12, taken_sol: 312.5 },
  ...{ first_sale_slots: 310.5, bought_pct: 6.1, bundled_1m_pct: 22.4 },
}
const sums = { wallets: 7, held_pct: 0.4, peak_pct: 29.5, sold_pct: 29.1 }
const trade = {
  ...{ signature: SIGNATURE, slot: 402_112_288, wallet: holder, side: 'sell' as const },
  ...{ sol: 3.1, pct_of_supply: 4, tokens: 40_000_000 },
}
const foretold = {
  ...{ p: 0.61, n: 412, hits: 251, by: 'together', age_slots: 150, slot: 402_112_125 },
  inputs: [{ input: 'first_bag_pct', at_least: 24, below: 32 }],
}
const outlook = { drain: foretold, halving: null, buyer: null }
const classes = {
  ...{ deployer: sums, insiders: sums, first_block: sums, first_3s: sums, fresh: null },
  ...{ bundled: sums, kols: { wallets: 0, held_pct: 0, peak_pct: 0, sold_pct: 0 } },
}
const launch: Who['launch'] = {
  ...{ launcher: deployer, fee_payer: deployer, slot: 402_111_975, signature: SIGNATURE },
  ...{ creator: deployer, creator_kind: 'wallet', fee_owners: [], changes: [] },
  named: { wallet: deployer, signed: true },
}
const firstBuyers = {
  ...{ count: 70, buyers: 112, holding: 21, gain: 33, loss: 14, moved: 2, unpriced: 0 },
  ...{ bought_pct: 62.5, held_pct: 18.2, sold_pct: 42.9, moved_pct: 1.4, paid_sol: 31.2, got_sol: 44.6 },
}
const memory = {
  ...{ deployer_peak_pct: 4.4, insiders_peak_pct: 29.5, insiders_sold_pct: 29.1 },
  ...{ sold_pct: 29.1, sold_in_hour_pct: 29.1 },
}

const cohort = { group: null, ...{ wallets: 7, paid_sol: 9.1, got_sol: 21.7, result_sol: 12.6 } }
const cohorts = (
  ['own', 'launcher', 'first_block', 'first_3s', 'kols', 'known_actors', 'groups', 'others'] as const
).map((name) => ({ cohort: name, ...cohort, peak_pct: 29.5, holds_pct: 0.4 }))

const headline = 'The deployer’s group (7 wallets) sold 29% of supply in one block 23 s ago and holds 0.4%.'

const who: Who = {
  ...{ mint, said_by_deployer: said, slot: SLOT },
  verdict: {
    state: 'live',
    colour: 'red',
    code: 'sold_in_hour',
    headline,
    since_slot: 402_112_288,
    event: 'trade',
    reasons: [
      {
        ...{ code: 'group_exit', colour: 'red', text: headline },
        numbers: {
          ...{ id: groupName.id, wallets: 7, sold_pct: 29.1, holds_pct: 0.4 },
          ...{ exit_pct: 29.1, exit_slot: 402_112_288, ago_slots: 57 },
        },
      },
    ],
    history: [{ slot: 402_112_288, colour: 'red', code: 'sold_in_hour', event: 'trade' }],
  },
  ...{ created_slot: 402_111_975, age_slots: 370, outlook },
  memory: {
    state: { name: 'live', since_slot: 402_111_975, by: [], took_sol: null },
    ...{ rugged: null, drained: null, ...memory, early_sold_pct: 29.1, early_sold_in_hour_pct: 29.1 },
    exits: [{ from_slot: 402_112_125, to_slot: 402_112_499, sold_pct: 29.1 }],
  },
  liquidity: { planned: true, locked_share: 1, pullable_share: 0, withdrawn: null },
  ...{ launch, first_bag: { transaction_pct: 4.4, slot_pct: 29.5 }, money: cohorts, creator_record: null },
  deployer: {
    ...{ wallet: deployer, all: deeds, last_20: deeds, name: null, launched: 12, graduated: 0, actor: actorName },
    ...{ funder: null, holds_pct: 0, peak_pct: 4.4, sold_pct: 4.4, last_sell_slot: 402_112_288 },
    launches: [
      {
        ...{
          mint: EXAMPLES.survivors.data[0]!.mint,
          said_by_deployer: said,
          deployed_at: '2026-10-01T01:23:20.669800Z',
        },
        ...{ drained: false, rugged: false, graduated: false, taken_sol: 2.1, first_sale_slots: 313 },
        ...{ bought_pct: 4.4, bundled_1m_pct: 29.5 },
      },
    ],
  },
  actors: [actorHere],
  groups: [
    {
      ...groupName,
      ...{ aliases: [], confirmed: true, confirmed_slot: 402_111_976, selling: true, has_deployer: true, wallets: 7 },
      ...{ holds_pct: 0.4, peak_pct: 29.5, sold_pct: 29.1 },
      members: [{ ...person, actor: actorName, funder }],
      funders: [
        {
          ...{ wallet: deployer, name: null, exchange: false, is_deployer: true, is_member: true },
          funded: [{ wallet: holder, slot: 402_110_000, age_slots: 1_975, sol: 2.5 }],
        },
      ],
      exit: { slot: 402_112_288, wallets: 7, pct: 29.1, sol: 21.4, transactions: [trade] },
      evidence: [
        {
          wallets: [deployer, holder],
          families: [
            { family: 'funder', slot: 402_111_975, transactions: [], intermediaries: [] },
            { family: 'transfer', slot: 402_112_288, transactions: [trade], intermediaries: [] },
          ],
        },
      ],
      pairs: 21,
    },
  ],
  ...{ classes, first_buyers: firstBuyers },
  holders: {
    ...{ count: 184, owned_pct: 41.27, top_10_pct: 21.56 },
    top: [{ ...person, group: groupName, actor: actorName, funder }],
  },
  coverage: {
    ...{
      launch_seen: true,
      dead: false,
      idle_slots: 2,
      funders_traced_pct: 34.2,
      largest_checked: null,
      history_pct: 61.5,
    },
    ...{ phantom_supply_pct: 0, missing_slots: 0, log_from_slot: 400_000_000, price_known: true },
    ...{ holders_told: 1, groups_left_out: 0, evidence_left_out: 0 },
    unknown: ['funders', 'transfer_transactions', 'funding_transactions'],
  },
}

const check: Check = {
  ...{ mint, said_by_deployer: said, slot: SLOT, colour: 'red' },
  text: `RED: launched 2 min ago. ${headline} hollow-ridge-41 again: 12 launches, 11 drained (9 rugged), usually out after 3 min; holds 0.4% and has sold 29% of supply. Unknown: who funded most holders.`,
}

const edge = {
  ...{ wallets: [deployer, holder], families: ['funder'], slot: 401_000_000, mints: [mint] },
}

const explanation: z.infer<typeof TokenExplanation> = {
  ...{ mint, said_by_deployer: said, slot: SLOT, quote: null },
  score: {
    ...{ value: 2.1, coverage: 0.615 },
    contributions: [
      { what: 'bundle_pct', reading: 0.4, rated: 9.9, weight: 3, points: 1.6 },
      { what: 'cap: sold_in_hour', points: 0.5 },
    ],
    independent: { count: 61, effective: 22.4 },
  },
  life: {
    ...{ dead: false, idle_slots: 2, launch_seen: true, phantom_supply_pct: 0 },
    ...{ drained_slot: null, rugged: null },
  },
  memory,
  who: {
    ...{ classes, first_buyers: firstBuyers, funders_traced_pct: 34.2, largest_checked: null },
    deployer: { wallet: deployer, all: deeds, last_20: deeds },
    launch,
  },
  served: EXAMPLES.snapshot.data.score,
  ratings: EXAMPLES.snapshot.data.ratings,
  shares: Object.fromEntries(
    [
      ...['bundle_pct', 'dirty_pct', 'dumpers_pct', 'chart_nukers_pct', 'jeets_pct'],
      ...['alpha_hands_pct', 'diamond_hands_pct', 'in_profit_pct', 'smart_wallets'],
    ].map((name) => [name, { pct: 0.97, wallets: 1, largest: [{ wallet: holder, pct: 0.97 }] }]),
  ) as z.infer<typeof TokenExplanation>['shares'],
  bundles: [
    {
      ...groupName,
      ...{ aliases: [], confirmed: true, confirmed_slot: 402_111_976, red: true },
      ...{ pct_of_supply: 0.4, peak_pct_of_supply: 29.5, sold_pct_of_supply: 29.1 },
      members: [{ wallet: holder, pct_of_supply: 0.4 }],
      evidence: [
        {
          wallets: [deployer, holder],
          families: [{ family: 'funder', slot: 402_111_975 }],
        },
      ],
    },
  ],
  one_wallet: { busiest: { trades_pct: 12.5, volume_pct: 9.1 }, wash: { trades_pct: 0, volume_pct: 0 } },
  outlook,
  signals: [
    {
      ...{ name: 'net_to_pool_1m', value: 0.14, also: [], pump: true, dump: false },
      edges: { pump: '≥ 0.05', dump: '≤ -0.05' },
    },
  ],
  actors: [{ ...actorHere, members: [deployer, holder], newest_tokens: [mint], evidence: [edge] }],
}

const profile: ActorProfile = {
  ...{ ...actorName, ...record },
  members: [{ wallet: holder, name: null }],
  deployers: [{ wallet: deployer, launches: 12, member: true }],
  recent_tokens: [
    {
      ...{ mint, symbol: 'MOON', name: 'Example Moon', deployed_at: '2026-10-01T01:23:20.669800Z', deployer },
      ...{ launched: true, grouped: true, first_buy_slot: 402_111_975, exit_slot: 402_112_288 },
      ...{ bought_pct: 29.5, sold_pct: 29.1, paid_sol: 9.4, got_sol: 21.4 },
      ...{ drained_slot: null, rugged_slot: null, graduated: false },
    },
  ],
  edges: [edge],
  edges_total: 64,
}

const position: WalletPosition = {
  ...{ mint, name: 'Example Moon', symbol: 'MOON', last_slot: 402_112_399, holds: 3_512_004.118273, worth_sol: 0.82 },
  ...{ ...money, deployed: false, deployed_at: '2026-10-01T01:23:20.669800Z', group: null },
  ...{ mcap: 15_210, graduated: false, drained: false, rugged: false },
}
const summary: WalletSummary = {
  ...{ wallet: trader, name: null, slot: 402_112_399, actor: null, funder: null },
  ...{ mints_bought: 57, known: 20, complete: false },
}

const window = { from_slot: 400_599_000, covered_from_slot: 400_599_000, complete: true }
const traderWindows: TraderWindows = {
  ...{ user_address: trader, name: null },
  windows: [
    { days: 7, ...window, buys: 41, spent_sol: 22.75, pnl_sol: -3.118204 },
    {
      ...{ days: 30, from_slot: 395_631_000, covered_from_slot: 396_004_112, complete: false },
      ...{ buys: 152, spent_sol: 90.1, pnl_sol: 4.02 },
    },
  ],
}
const { summary: launches } = EXAMPLES.deployer
const deployerWindows: DeployerWindows = {
  ...{ user_address: deployer, name: null },
  windows: [
    { days: 7, from_slot: 400_599_000, complete: true, drained: 2, rugged: 1, summary: launches },
    { days: 30, from_slot: 395_631_000, complete: true, drained: 2, rugged: 1, summary: launches },
  ],
}

const page = { limit: 50, returned: 1, next_cursor: null }

/** The body of a 200, by operation. */
export const FURTHER_EXAMPLES = {
  who: { data: who, meta },
  check: { data: check, meta },
  explain: { data: explanation, meta },
  actor: { data: profile, meta },
  positions: { data: [position], summary, meta: { ...meta, page } },
  history: { data: EXAMPLES.trades.data, meta: { ...meta, page: { ...page, next_cursor: '402112001-48213377' } } },
  trader_windows: { data: traderWindows, meta },
  deployer_windows: { data: deployerWindows, meta },
} as const satisfies Record<FurtherOperationId, unknown>

const batch: TokenBatch = {
  tokens: [{ mint, slot: SLOT, snapshot: EXAMPLES.snapshot.data }],
  not_found: [holder],
}

/** Request and answer of operations with a body. */
export const BATCH_EXAMPLES = {
  batch: { asked: { mints: [mint, holder] }, answer: { data: batch, meta } },
} as const satisfies Record<BatchOperationId, unknown>

export const ANSWERS: Readonly<Record<string, object>> = {
  ...{ ...EXAMPLES, ...FURTHER_EXAMPLES, ...FREE_EXAMPLES },
  batch: BATCH_EXAMPLES.batch.answer,
}
