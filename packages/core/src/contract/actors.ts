import { z } from 'zod'
import { address, dateTime, pct, slot, tally, text, turnover } from './scalars.ts'

/** Actors: the same people across tokens (methodology, section 10). */

const record = {
  no: tally().describe('its number; accepted in place of the id'),
  id: text().describe('stable: `act_` and 12 characters'),
  name: text().describe('adjective-noun-number'),
  wallets: tally(),
  tokens: tally().describe('on which it was seen, the newest 128'),
  launched: tally().describe('of these: launched by it or for it within 90 days'),
  drained: tally().describe('of these: lost 80% of their money within minutes, while it gained'),
  rugged: tally().describe('of these: rugged, while it gained'),
  taken_sol: z.number().describe('SOL received less SOL paid, on the launched ones'),
  usual_exit_slots: z
    .number()
    .nullable()
    .describe('slots from its first purchase until half was sold, median; null when it never left a token'),
  first_slot: slot().describe('of the first evidence'),
  last_slot: slot().describe('of its last trade or evidence'),
}

/** The reason why an actor is known on a token. */
export const INVOLVEMENTS = ['deployed', 'bought_early', 'traded', 'group'] as const

/** An actor on one token. */
export const ActorHere = z
  .object({
    ...record,
    known_here: z.object({
      slot: slot().describe('since when it is known to be here'),
      by: z.enum(INVOLVEMENTS),
    }),
    wallets_here: tally().describe('of its wallets, those that ever had this token'),
    holds_pct: pct().describe('percent of supply'),
    sold_pct: turnover().describe('percent of supply'),
  })
  .meta({ id: 'ActorHere', description: 'People known from other tokens, on this one.' })
export type ActorHere = z.infer<typeof ActorHere>

export const ActorEdge = z
  .object({
    wallets: z.array(address()).length(2),
    families: z.array(text()).describe('a shared funder or fee payer; empty if the edge rests on the tokens only'),
    slot: slot().describe('of the first evidence'),
    mints: z.array(address()).describe('tokens on which both were in one confirmed group, the first 8'),
  })
  .meta({ id: 'ActorEdge', description: 'Why two wallets of an actor belong together.' })

const ActorToken = z
  .object({
    mint: address(),
    symbol: text(),
    name: text(),
    deployed_at: dateTime().nullable(),
    deployer: address().nullable(),
    launched: z.boolean().describe('by one of its wallets, or by a deployer that serves it'),
    grouped: z.boolean().describe('its wallets were a confirmed group there'),
    first_buy_slot: slot().nullable(),
    exit_slot: slot().nullable().describe('when half of what it had bought was sold'),
    bought_pct: turnover().describe('percent of supply'),
    sold_pct: turnover().describe('percent of supply'),
    paid_sol: z.number().min(0),
    got_sol: z.number().min(0),
    drained_slot: slot().nullable(),
    rugged_slot: slot().nullable(),
    graduated: z.boolean(),
  })
  .meta({ id: 'ActorToken' })

export const ActorProfile = z
  .object({
    ...record,
    members: z
      .array(z.object({ wallet: address(), name: text().nullable() }))
      .describe('in order of joining, at most 256'),
    deployers: z
      .array(z.object({ wallet: address(), launches: tally().describe('of the tokens below'), member: z.boolean() }))
      .describe('its own deployers and those that serve it, most launches first'),
    recent_tokens: z.array(ActorToken).max(128).describe('newest first'),
    edges: z.array(ActorEdge).describe('the oldest evidence first'),
    edges_total: tally().describe('all of them; the list may be shorter'),
  })
  .meta({ id: 'ActorProfile', description: 'Everything known of an actor, with the evidence for it.' })
export type ActorProfile = z.infer<typeof ActorProfile>
