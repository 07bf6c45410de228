import { z } from 'zod'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '../base/verdict-codes.ts'
import { ActorHere } from './actors.ts'
import { Outlooks, Remembered } from './explain.ts'
import { address, dateTime, pct, rate, said, slot, tally, text, turnover } from './scalars.ts'
import { Classes, Deeds, FirstBuyers, LargestChecked, LaunchFacts } from './who-classes.ts'
import { CohortMoney, FirstBag, STATES, StateNow } from './who-money.ts'

/** The people behind a token. Percentages are of total supply. */

/** Holders listed individually. */
export const HOLDERS_LISTED = 50

/** Codes of sentences that are no reasons of a verdict. Codes are stable; the words may change. */
const OTHER_CODES = [
  'group_exit',
  'group_selling',
  'creator_named',
  'fees_shared',
  'creator_changed',
  'no_trade',
  'score',
  'no_groups',
  'graduated',
  'taken_over',
] as const

const colour = () => z.enum(COLOURS)

const Sentence = z
  .object({
    code: z.enum([...VERDICT_CODES, ...OTHER_CODES]),
    colour: colour().describe('neutral: a fact that is no reason'),
    text: text().describe('one sentence in English, without a name that strangers chose'),
    numbers: z
      .record(z.string(), z.unknown())
      .describe('what the sentence says, by name: percents of supply, slots, SOL, ids'),
  })
  .meta({ id: 'VerdictSentence' })

const Change = z
  .object({ slot: slot(), colour: colour(), code: z.enum(VERDICT_CODES), event: z.enum(VERDICT_EVENTS) })
  .meta({ id: 'VerdictChange' })

const Verdict = z
  .object({
    state: z.enum(STATES).describe('what happened to it so far'),
    colour: colour().describe('risk for somebody who buys now; neutral: not known to be bad, nor to be good'),
    code: z.enum(VERDICT_CODES).describe('what the colour rests on most'),
    headline: text().describe('the first reason'),
    since_slot: slot().describe('of the last change of colour'),
    event: z.enum(VERDICT_EVENTS).nullable().describe('what led to it; null before the first'),
    reasons: z.array(Sentence).min(1).describe('worst first'),
    history: z.array(Change).max(64).describe('the newest changes of colour, oldest first; the same on every node'),
  })
  .meta({ id: 'Verdict' })

export const TAGS = [
  'deployer',
  'insider',
  'first_block',
  'sniper',
  'fresh',
  'bundled',
  'actor',
  'kol',
  'smart',
  'alpha_hands',
  'agent',
  'jeet',
  'dumper',
  'wash',
  'serial_rugger',
  'exchange',
] as const

const GroupName = z.object({ id: text().describe('`bdl_` and 12 characters'), name: text() })
export const ActorName = z.object({ no: tally(), id: text(), name: text() })

const Funder = z
  .object({
    wallet: address(),
    name: text().nullable(),
    exchange: z.boolean(),
    slot: slot().describe('of the wallet’s first SOL'),
    age_slots: z.int().describe('slots from then to the launch; negative: it came later'),
    sol: z.number().min(0),
  })
  .meta({ id: 'FunderLink' })

const money = {
  holds_pct: pct(),
  peak_pct: pct().describe('most it held since it last had nothing'),
  bought_pct: turnover(),
  sold_pct: turnover(),
  received_pct: turnover().describe('came by transfer'),
  first_buy_slot: slot().nullable(),
  last_sell_slot: slot().nullable(),
  paid_sol: z.number().min(0).describe('since it last had nothing, fees included'),
  got_sol: z.number().min(0).describe('likewise'),
  realised_sol: z
    .number()
    .nullable()
    .describe('result of what was sold; null where tokens were given away or have no price'),
  unrealised_sol: z
    .number()
    .nullable()
    .describe('what the balance is worth at the last price less what it cost; null where either is unknown'),
}

const person = {
  wallet: address(),
  name: text().nullable().describe('of a tracked influencer or agent'),
  tags: z.array(z.enum(TAGS)),
  ...money,
}

const Holder = z
  .object({
    ...person,
    group: GroupName.nullable().describe('confirmed group it belongs to'),
    actor: ActorName.nullable(),
    funder: Funder.nullable().describe('null where it was not traced'),
  })
  .meta({ id: 'WhoHolder' })

const Transaction = z
  .object({
    signature: text(),
    slot: slot(),
    wallet: address(),
    side: z.enum(['buy', 'sell']),
    sol: z.number().min(0),
    pct_of_supply: pct(),
    tokens: z.number().min(0).describe('whole tokens'),
  })
  .meta({ id: 'EvidenceTransaction', description: 'A trade in the log, to be checked on an explorer.' })

const Family = z
  .object({
    family: text().describe('as the methodology calls it'),
    slot: slot().nullable().describe('of the evidence'),
    transactions: z.array(Transaction).describe('it rests on; empty where it rests on transfers, which are not kept'),
    intermediaries: z.array(address()).describe('funders and fee payers between the two'),
  })
  .meta({ id: 'EvidenceFamily' })

const PairEvidence = z
  .object({
    wallets: z.array(address()).length(2),
    families: z.array(Family),
  })
  .meta({ id: 'PairEvidence' })

const Member = z
  .object({ ...person, actor: ActorName.nullable(), funder: Funder.nullable() })
  .meta({ id: 'GroupMember' })

const GroupFunder = z
  .object({
    wallet: address(),
    name: text().nullable(),
    exchange: z.boolean(),
    is_deployer: z.boolean(),
    is_member: z.boolean(),
    funded: z.array(z.object({ wallet: address(), slot: slot(), age_slots: z.int(), sol: z.number().min(0) })),
  })
  .meta({ id: 'GroupFunder', description: 'A branch of the tree: who sent which members their first SOL.' })

const Exit = z
  .object({
    slot: slot(),
    wallets: tally(),
    pct: pct().describe('of supply, sold in this slot'),
    sol: z.number().min(0),
    transactions: z.array(Transaction),
  })
  .describe('the slot of its last sales in which most members sold')

const Group = z
  .object({
    id: text(),
    name: text(),
    aliases: z.array(text()).describe('ids of groups that turned out to be this one'),
    confirmed: z.boolean(),
    confirmed_slot: slot().nullable(),
    selling: z.boolean().describe('heavy net seller'),
    has_deployer: z.boolean(),
    wallets: tally(),
    holds_pct: pct(),
    peak_pct: pct(),
    sold_pct: turnover(),
    members: z.array(Member).describe('largest peak first'),
    funders: z.array(GroupFunder).describe('those of most members first'),
    exit: Exit.nullable().describe('null where it has not sold'),
    evidence: z.array(PairEvidence).describe('of most families first'),
    pairs: tally().describe('linked pairs, of which the strongest are listed'),
  })
  .meta({ id: 'WhoGroup', description: 'Coordinated wallets on this token.' })

export const Launch = z.object({
  mint: address(),
  said_by_deployer: said(),
  deployed_at: dateTime().nullable(),
  drained: z.boolean(),
  rugged: z.boolean(),
  graduated: z.boolean(),
  taken_sol: z.number(),
  first_sale_slots: z.number().nullable(),
  bought_pct: pct().nullable(),
  bundled_1m_pct: pct().nullable(),
})

const Deployer = z
  .object({
    wallet: address(),
    name: text().nullable(),
    launched: tally().describe('other tokens, without this one: 0 for a first launch'),
    graduated: tally().describe('of these'),
    all: Deeds.nullable(),
    last_20: Deeds.nullable(),
    actor: ActorName.nullable().describe('it belongs to or serves'),
    funder: Funder.nullable(),
    holds_pct: pct(),
    peak_pct: pct(),
    sold_pct: turnover(),
    last_sell_slot: slot().nullable(),
    launches: z.array(Launch).max(20).describe('newest first, without this one'),
  })
  .meta({ id: 'WhoDeployer' })

const CreatorRecord = z
  .object({
    wallet: address(),
    name: text().nullable().describe('of a tracked influencer or agent'),
    launched: tally().describe('tokens that it launched itself'),
  })
  .meta({
    id: 'CreatorRecord',
    description:
      'A known wallet that the creation names as its creator without its signature; it may know nothing of it.',
  })

const Memory = z
  .object({
    state: StateNow,
    rugged: z.object({ slot: slot(), ago_slots: tally(), by: z.array(text()) }).nullable(),
    drained: z.object({ slot: slot(), ago_slots: tally() }).nullable(),
    ...Remembered.shape,
    early_sold_pct: pct().describe('after the first minute, by buyers of that minute who sold most of what they had'),
    early_sold_in_hour_pct: pct(),
    exits: z
      .array(z.object({ from_slot: slot(), to_slot: slot(), sold_pct: turnover() }))
      .describe('the same in steps of 375 slots, of the last hour at least, oldest first'),
  })
  .meta({ id: 'WhoMemory', description: 'What happened; it stays visible after the wallets have left.' })

const Liquidity = z
  .object({
    planned: z.boolean().describe('true before the graduation: what the curve’s configuration says about the pool'),
    locked_share: rate().nullable().describe('share of the pool that nobody can ever withdraw; null if unknown'),
    pullable_share: rate().nullable().describe('the rest, which its owners can withdraw, now or after a vesting lock'),
    withdrawn: z
      .object({
        sol: z.number().min(0).nullable().describe('null where the quote has no price'),
        tokens: z.number().min(0).describe('whole tokens'),
        by: address().nullable().describe('wallet that took most; null for an account of a program'),
        slot: slot().describe('of its last withdrawal'),
        signature: text(),
      })
      .nullable()
      .describe('what wallets took out of the pool beyond what they put in after its opening; null if nothing'),
  })
  .meta({ id: 'WhoLiquidity', description: 'Liquidity of the pool where the token trades.' })

const Coverage = z
  .object({
    launch_seen: z.boolean(),
    dead: z.boolean(),
    idle_slots: z.int(),
    funders_traced_pct: pct().describe('of held supply'),
    largest_checked: LargestChecked.nullable(),
    history_pct: pct().describe('of held supply, with wallets that have a track record'),
    phantom_supply_pct: pct().describe('in balances that cannot all be there'),
    missing_slots: tally().describe('that the source could not deliver, since the log began'),
    log_from_slot: slot().describe('nothing earlier is known'),
    price_known: z.boolean(),
    holders_told: tally(),
    groups_left_out: tally().describe('smaller ones'),
    evidence_left_out: tally().describe('pieces of evidence whose trades were not looked up'),
    unknown: z
      .array(
        z.enum([
          'launch',
          'funders',
          'history',
          'price',
          'missing_blocks',
          'transfer_transactions',
          'funding_transactions',
        ]),
      )
      .describe('what this answer does not know; a clean reading with these is not a clean token'),
  })
  .meta({ id: 'WhoCoverage' })

export const Who = z
  .object({
    mint: address(),
    said_by_deployer: said(),
    slot: slot().describe('as of which chain slot'),
    age_slots: tally(),
    created_slot: slot(),
    verdict: Verdict,
    outlook: Outlooks.describe('what became of tokens like it, each a count; null where the question does not arise'),
    memory: Memory,
    liquidity: Liquidity.nullable().describe('null while nothing is known of it'),
    launch: LaunchFacts,
    first_bag: FirstBag,
    money: z.array(CohortMoney).describe('who paid and got what'),
    creator_record: CreatorRecord.nullable(),
    deployer: Deployer.nullable(),
    actors: z.array(ActorHere).describe('known from other tokens'),
    groups: z.array(Group).describe('largest peak first'),
    classes: Classes,
    first_buyers: FirstBuyers.nullable(),
    holders: z.object({
      count: tally(),
      owned_pct: pct().describe('of supply in their hands'),
      top_10_pct: pct(),
      top: z.array(Holder).max(HOLDERS_LISTED).describe('largest first'),
    }),
    coverage: Coverage,
  })
  .meta({ id: 'Who', description: 'Who is behind a token. Percents are of total supply.' })
export type Who = z.infer<typeof Who>

/** characters of the shortest answer's text */
export const CHECK_LENGTH = 600

export const Check = z
  .object({
    mint: address(),
    said_by_deployer: said(),
    slot: slot(),
    colour: colour(),
    text: text().max(CHECK_LENGTH).describe('verdict and age, then what is worst; without a name that strangers chose'),
  })
  .meta({ id: 'Check', description: 'The verdict in a few sentences.' })
export type Check = z.infer<typeof Check>
