import { lost } from '@ti/core/base/record.ts'
import type { ActorProfile } from '@ti/core/contract/actors.ts'
import { count, counted, duration, SLOT_S, sol } from '../../ui/format.ts'

type Played = Pick<
  ActorProfile['recent_tokens'][number],
  'bought_pct' | 'exit_slot' | 'drained_slot' | 'paid_sol' | 'got_sol'
>
type Record = Pick<
  ActorProfile,
  'wallets' | 'tokens' | 'launched' | 'drained' | 'rugged' | 'taken_sol' | 'usual_exit_slots'
>

/** Less than half is sold and the token still has money, so the cost is not lost yet. */
export const stillHolds = ({ bought_pct, exit_slot, drained_slot, paid_sol, got_sol }: Played): boolean =>
  bought_pct > 0 && exit_slot === null && drained_slot === null && got_sol < paid_sol

/** Tokens it still holds count for nothing. */
function resultInWords({ taken_sol: taken }: Record): string {
  if (taken === 0) return ''
  return taken > 0
    ? `took ${sol(taken)} SOL out of its launches`
    : `has put ${sol(-taken)} SOL more into its launches than it took out`
}

/** Its launches that were drained while it gained: others of its tokens may be drained too, to its loss. */
const deedsOf = ({ launched, drained, rugged }: Record): string =>
  `launched ${count(launched)}${drained + rugged === 0 ? '' : `: ${lost(drained, rugged)} while it gained`}`

/** Describes an actor in a sentence or two. */
export function recordOf(actor: Record): string {
  const { wallets, tokens, usual_exit_slots } = actor
  const leaves = usual_exit_slots === null ? '' : `usually sells after ${duration(usual_exit_slots * SLOT_S)}`
  const last = [resultInWords(actor), leaves].filter((part) => part !== '').join(' and ')
  return `${counted(wallets, 'wallet')}, seen on ${counted(tokens, 'token')}, ${deedsOf(actor)}.${last === '' ? '' : ` It ${last}.`}`
}

interface Step {
  /** Unix milliseconds of the launch */
  readonly at: number
  readonly name: string
  readonly made: number
  /** running total */
  readonly value: number
}

/** Its result token by token, at their launches; without those it still holds. */
export function resultSteps(tokens: ActorProfile['recent_tokens']): Step[] {
  let value = 0
  return tokens
    .filter((token) => token.deployed_at !== null && !stillHolds(token))
    .map(({ deployed_at, symbol, name, mint, got_sol, paid_sol }) => ({
      ...{ at: Date.parse(deployed_at ?? ''), name: symbol || name || mint, made: got_sol - paid_sol },
    }))
    .sort((a, b) => a.at - b.at)
    .map((step) => {
      value += step.made
      return { ...step, value }
    })
}

/** Names the decisive evidence; empty if only common tokens connect the wallets. */
export const familiesInWords = (families: readonly string[]): string =>
  families.length === 0 ? '' : `${families.map((family) => family.replaceAll('_', ' ')).join(', ')};`
