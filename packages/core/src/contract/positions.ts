import { z } from 'zod'
import { address, dateTime, pct, slot, tally, text, turnover, usd } from './scalars.ts'

/** One token of a wallet. Amounts are since the position was last empty. */
const WalletPosition = z
  .object({
    mint: address(),
    name: text(),
    symbol: text(),
    last_slot: slot().describe('of the wallet’s last trade of it'),
    holds: z.number().min(0).describe('whole tokens'),
    holds_pct: pct().describe('percent of supply'),
    peak_pct: pct(),
    bought_pct: turnover(),
    sold_pct: turnover(),
    received_pct: turnover().describe('came by transfer'),
    first_buy_slot: slot().nullable(),
    last_sell_slot: slot().nullable(),
    paid_sol: z.number().min(0),
    got_sol: z.number().min(0),
    worth_sol: z.number().min(0).nullable().describe('of the balance at the last price; null without a price'),
    realised_sol: z.number().nullable().describe('null where tokens were given away or have no price'),
    unrealised_sol: z.number().nullable().describe('null where cost or price is unknown'),
    deployed: z.boolean().describe('by this wallet'),
    deployed_at: dateTime().nullable(),
    group: z.object({ id: text(), name: text() }).nullable().describe('confirmed group of it there'),
    mcap: usd(),
    graduated: z.boolean(),
    drained: z.boolean(),
    rugged: z.boolean(),
  })
  .meta({ id: 'WalletPosition' })

export const WalletPositions = z.array(WalletPosition).max(100)
export type WalletPosition = z.infer<typeof WalletPosition>

export const WalletSummary = z
  .object({
    wallet: address(),
    name: text().nullable(),
    slot: slot().describe('as of which chain slot'),
    actor: z.object({ no: tally(), id: text(), name: text() }).nullable().describe('it belongs to or serves'),
    funder: z.object({ wallet: address(), slot: slot(), sol: z.number().min(0) }).nullable(),
    mints_bought: tally(),
    known: tally().describe(
      'tokens this answer pages through: the last 20 traded, the newest 100 launched, and those of groups',
    ),
    complete: z.boolean().describe('these are all tokens the wallet ever traded'),
  })
  .meta({ id: 'WalletSummary' })
export type WalletSummary = z.infer<typeof WalletSummary>

export const CursorPage = z
  .object({
    limit: z.int().min(1).describe('page size applied after clamping to the maximum'),
    returned: tally(),
    next_cursor: text().nullable().describe('for the next page; null at the end'),
  })
  .meta({ id: 'CursorPage' })
