import type { ActorProfile } from '../../../../src/contract/actors.ts'
import { count, duration, SLOT_S, sol } from '../../ui/format.ts'
import type { RatingValue } from '../../ui/rating.tsx'

interface Verdict {
  readonly severity: RatingValue
  readonly text: string
}

type Record = Pick<ActorProfile, 'wallets' | 'tokens' | 'drained' | 'rugged' | 'taken_sol' | 'usual_exit_slots'>

/** An actor in a sentence: red from a third of its tokens drained on. */
export function verdictOf({ wallets, tokens, drained, rugged, taken_sol, usual_exit_slots }: Record): Verdict {
  const bad = Math.max(drained, rugged)
  const severity = bad * 3 >= tokens && bad > 0 ? 'red' : bad > 0 ? 'yellow' : 'neutral'
  const ended =
    bad === 0
      ? 'none of them drained'
      : `${count(drained)} of them drained${rugged > 0 ? `, ${count(rugged)} by their own people` : ''}`
  const took =
    taken_sol > 0 ? ` It took out ${sol(taken_sol)} SOL` : taken_sol < 0 ? ` It lost ${sol(-taken_sol)} SOL` : ''
  const leaves = usual_exit_slots === null ? '' : `usually sells after ${duration(usual_exit_slots * SLOT_S)}`
  const end = [took, leaves].filter((part) => part !== '').join(' and ')
  const last = took === '' && leaves !== '' ? ` It ${leaves}` : end
  return {
    severity,
    text: `${count(wallets)} wallets, seen on ${count(tokens)} ${tokens === 1 ? 'token' : 'tokens'}, ${ended}.${last === '' ? '' : `${last}.`}`,
  }
}

/** Decisive evidence in words; nothing where only common tokens speak. */
export const familiesInWords = (families: readonly string[]): string =>
  families.length === 0 ? '' : `${families.map((family) => family.replaceAll('_', ' ')).join(', ')};`
