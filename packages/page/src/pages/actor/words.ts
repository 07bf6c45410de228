import type { ActorProfile } from '@ti/core/contract/actors.ts'
import { count, counted, duration, SLOT_S, sol } from '../../ui/format.ts'

type Played = Pick<
  ActorProfile['recent_tokens'][number],
  'bought_pct' | 'exit_slot' | 'drained_slot' | 'paid_sol' | 'got_sol'
>
type Record = Pick<ActorProfile, 'wallets' | 'tokens' | 'drained' | 'rugged' | 'taken_sol' | 'usual_exit_slots'> & {
  readonly recent_tokens: readonly Played[]
}

/** Less than half is sold and the token still has money, so the cost is not lost yet. */
export const stillHolds = ({ bought_pct, exit_slot, drained_slot, paid_sol, got_sol }: Played): boolean =>
  bought_pct > 0 && exit_slot === null && drained_slot === null && got_sol < paid_sol

/** SOL; smaller sums are rounding */
const SMALL_SOL = 0.001

/** Describes the actor's result; the cost of what it still holds counts as invested, not lost. */
function resultInWords({ tokens, taken_sol, recent_tokens }: Record): string {
  if (taken_sol > 0) return `took out ${sol(taken_sol)} SOL`
  if (taken_sol === 0) return ''
  const held = recent_tokens.filter(stillHolds)
  if (held.length === 0) return `lost ${sol(-taken_sol)} SOL`
  const untouched = recent_tokens.every((one) => one.got_sol === 0 && (one.paid_sol === 0 || stillHolds(one)))
  if (untouched && recent_tokens.length === tokens) return `has put in ${sol(-taken_sol)} SOL and sold nothing yet`
  const put = held.reduce((sum, { paid_sol, got_sol }) => sum + paid_sol - got_sol, 0)
  const elsewhere = taken_sol + put
  const rest =
    Math.abs(elsewhere) < SMALL_SOL
      ? ''
      : elsewhere < 0
        ? ` and lost ${sol(-elsewhere)} SOL on others`
        : ` and took ${sol(elsewhere)} SOL out of others`
  return `has put ${sol(put)} SOL into ${held.length === 1 ? 'a token' : `${count(held.length)} tokens`} that it still holds${rest}`
}

const endOfOne = ({ drained, rugged }: Record): string =>
  drained + rugged === 0 ? 'which was not drained' : `which was drained${rugged > 0 ? ' by its own people' : ''}`

const endsOf = ({ drained, rugged }: Record): string =>
  drained + rugged === 0
    ? 'none of them drained'
    : `${count(drained)} of them drained${rugged > 0 ? `, ${count(rugged)} by their own people` : ''}`

/** Describes an actor in a sentence or two. */
export function recordOf(actor: Record): string {
  const { wallets, tokens, usual_exit_slots } = actor
  const ended = tokens === 1 ? endOfOne(actor) : endsOf(actor)
  const result = resultInWords(actor)
  const leaves = usual_exit_slots === null ? '' : `usually sells after ${duration(usual_exit_slots * SLOT_S)}`
  const last = [result, leaves].filter((part) => part !== '').join(result.includes(' and ') ? '; it ' : ' and ')
  return `${counted(wallets, 'wallet')}, seen on ${counted(tokens, 'token')}, ${ended}.${last === '' ? '' : ` It ${last}.`}`
}

/** Names the decisive evidence; empty if only common tokens connect the wallets. */
export const familiesInWords = (families: readonly string[]): string =>
  families.length === 0 ? '' : `${families.map((family) => family.replaceAll('_', ' ')).join(', ')};`
