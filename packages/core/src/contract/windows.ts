import { z } from 'zod'
import { DevSummary } from './deployer.ts'
import { address, slot, tally, text } from './scalars.ts'

/** The windows of a wallet's record, in days of 216,000 slots. They begin at a full hour of 9,000 slots. */
export const WINDOW_DAYS = [7, 30] as const
export const DAY_SLOTS = 216_000
export const HOUR_SLOTS = 9_000

const days = () =>
  z
    .int()
    .min(1)
    .describe(`length in days of 216,000 slots: ${WINDOW_DAYS.join(' or ')}`)
const fromSlot = () => slot().describe('first slot of the window; windows begin at a full hour of 9,000 slots')

const TraderWindow = z
  .object({
    days: days(),
    from_slot: fromSlot(),
    covered_from_slot: slot()
      .nullable()
      .describe('every trade from this slot on is covered; null if no trade of the window was found'),
    complete: z.boolean().describe('the whole window is covered'),
    buys: tally().nullable(),
    spent_sol: z.number().min(0).nullable().describe('fees included'),
    pnl_sol: z
      .number()
      .nullable()
      .describe('realised by sales and write-offs since the first trade covered; null as long as nothing was realised'),
  })
  .meta({ id: 'TraderWindow' })

export const TraderWindows = z
  .object({
    user_address: address(),
    name: text().nullable().describe('when tracked'),
    windows: z.array(TraderWindow).length(WINDOW_DAYS.length),
  })
  .meta({ id: 'TraderWindows', description: 'What a wallet did in the last 7 and 30 days.' })
export type TraderWindows = z.infer<typeof TraderWindows>

const DeployerWindow = z
  .object({
    days: days(),
    from_slot: fromSlot(),
    complete: z.boolean().describe('the log covers the whole window'),
    drained: tally().describe('launches of the window whose liquidity was drained'),
    rugged: tally(),
    summary: DevSummary,
  })
  .meta({ id: 'DeployerWindow', description: 'Over the launches of the window.' })

export const DeployerWindows = z
  .object({
    user_address: address(),
    name: text().nullable().describe('when tracked'),
    windows: z.array(DeployerWindow).length(WINDOW_DAYS.length),
  })
  .meta({ id: 'DeployerWindows', description: 'What a deployer launched in the last 7 and 30 days.' })
export type DeployerWindows = z.infer<typeof DeployerWindows>
