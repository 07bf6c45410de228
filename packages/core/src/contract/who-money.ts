import { z } from 'zod'
import { pct, slot, tally, text } from './scalars.ts'

/** The money of cohorts, the first bag and the state of a token. */

const COHORTS = [
  'own',
  'launcher',
  'first_block',
  'first_3s',
  'kols',
  'known_actors',
  'groups',
  'others',
  'group',
] as const

export const CohortMoney = z
  .object({
    cohort: z
      .enum(COHORTS)
      .describe(
        'own, the inner circle: launcher, insiders, confirmed groups, unknown buyers in the slot of the creation; launcher: with the insiders; others: all but these; a wallet may be in several',
      ),
    group: text().nullable().describe('id of the confirmed group'),
    wallets: tally(),
    paid_sol: z.number().min(0).nullable().describe('over its whole life, fees included; null without a price'),
    got_sol: z.number().min(0).nullable().describe('likewise'),
    result_sol: z.number().nullable().describe('got less paid; what it still holds counts for nothing'),
    peak_pct: pct().describe('most it held together'),
    holds_pct: pct(),
  })
  .meta({ id: 'CohortMoney', description: 'What a cohort of wallets paid and got.' })

export const STATES = ['live', 'drained', 'rugged', 'taken_over', 'dead'] as const

export const StateNow = z.object({
  name: z.enum(STATES),
  since_slot: slot(),
  by: z.array(text()).describe('where rugged: those of its inner circle who took from it'),
  took_sol: z.number().nullable().describe('where rugged: what they got more than they paid'),
})

export const FirstBag = z
  .object({
    transaction_pct: pct().nullable().describe('of supply, in the transaction of the creation'),
    slot_pct: pct().nullable().describe('in its slot'),
  })
  .describe('bought at the creation, by whomever; null where the launch was not seen')
