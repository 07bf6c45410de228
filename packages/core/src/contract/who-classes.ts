import { z } from 'zod'
import { address, pct, slot, tally, text, turnover } from './scalars.ts'

/** Sums of the ownership of a token. */

const Sums = z
  .object({
    wallets: tally().nullable().describe('ever in it; null where they are not counted'),
    held_pct: pct(),
    peak_pct: pct(),
    sold_pct: turnover(),
  })
  .describe('percent of supply: now, the most they ever had together, and what they sold')

export const Deeds = z
  .object({
    launches: tally(),
    drained: tally().describe('of these: lost 80% of their money within minutes'),
    rugged: tally().describe('of these: drained by their inner circle'),
    sold: tally().describe('of these: the deployer sold its own'),
    taken_sol: z.number().describe('what its sales brought less what its buys cost, SOL; negative when it put in more'),
    first_sale_slots: z.number().nullable().describe('slots from the creation to its first sale; null without one'),
    bought_pct: pct().nullable().describe('of supply, bought by it at the creation; null where never seen'),
    bundled_1m_pct: pct().nullable().describe('of supply, with confirmed groups after a minute; null where never seen'),
  })
  .meta({ id: 'Deeds', description: 'What a deployer did with launches of its own; percents and slots are means.' })

const DeployerRecord = z
  .object({ wallet: address(), all: Deeds.nullable(), last_20: Deeds.nullable() })
  .describe('its record without this token')

export const Classes = z
  .object({
    deployer: Sums.nullable(),
    insiders: Sums.nullable().describe(
      'the deployer, wallets it funded or paid for, and those that passed on what they were given',
    ),
    first_block: Sums.nullable().describe('bought in the slot of the creation'),
    first_3s: Sums.nullable().describe('bought within 7 slots of it: snipers'),
    fresh: Sums.nullable().describe('first seen less than an hour before they bought'),
    bundled: Sums.nullable().describe('members of confirmed groups'),
    kols: Sums.nullable(),
  })
  .describe('a wallet may be in several; null where it cannot be known')

export const FirstBuyers = z
  .object({
    count: tally().describe('at most 70'),
    buyers: tally().describe('wallets that ever bought, of which these were the first'),
    holding: tally().describe('have more than 1% of what they bought and received'),
    gain: tally().describe('sold for more than they had paid'),
    loss: tally().describe('sold for what they had paid, or less'),
    moved: tally().describe('sent on more than they sold'),
    unpriced: tally().describe('sold for something of unknown price'),
    bought_pct: turnover(),
    held_pct: pct(),
    sold_pct: turnover(),
    moved_pct: turnover().describe('sent on, beyond what they received'),
    paid_sol: z.number().describe('by those who sold at a gain or a loss, the last time they bought in'),
    got_sol: z.number().describe('by the same, for it'),
  })
  .describe('what became of the first buyers')

export const LargestChecked = z
  .object({ slot: slot(), corrected_pct: pct() })
  .describe(
    'slot of the largest balances that a node last reported, and how much of supply they corrected; null if no node was asked',
  )

const CHANGES = [
  'created',
  'traded',
  'set_creator',
  'metadata',
  'sharing',
  'takeover',
  'holder_rewards',
  'transferred',
  'shares_set',
  'shares_updated',
  'shares_reset',
] as const

export const LaunchFacts = z
  .object({
    launcher: address()
      .nullable()
      .describe('signed the creation; null where that was not seen, or a program or the launchpad’s server signed'),
    fee_payer: address().nullable().describe('paid the creation’s network fee'),
    slot: slot().nullable().describe('of the creation'),
    signature: text().nullable().describe('of the creation'),
    creator: address().nullable().describe('gets the creator’s fees now; anybody can be named'),
    creator_kind: z
      .enum(['wallet', 'holder_rewards', 'fee_sharing', 'program'])
      .nullable()
      .describe('fees go to this wallet, to the holders, to the fee owners, or to another program’s account'),
    named: z
      .object({
        wallet: address(),
        signed: z.boolean().describe('known to have signed the creation'),
      })
      .nullable()
      .describe('creator that the creation named'),
    fee_owners: z.array(z.object({ address: address(), share_pct: pct() })).max(10),
    changes: z
      .array(
        z.object({
          what: z.enum(CHANGES),
          address: address().nullable().describe('creator from then on'),
          slot: z.int().describe('-1 where it is not known'),
          signature: text().nullable(),
        }),
      )
      .max(16)
      .describe('of the creator and the fee owners, oldest first; empty while the named creator is the creator'),
  })
  .meta({ id: 'LaunchFacts', description: 'Who launched the token, and who gets its creator’s fees.' })

export const WhoClasses = z.object({
  classes: Classes,
  first_buyers: FirstBuyers.nullable(),
  funders_traced_pct: pct().describe('of held supply, whose funders are known'),
  largest_checked: LargestChecked.nullable(),
  deployer: DeployerRecord.nullable(),
  launch: LaunchFacts,
})
