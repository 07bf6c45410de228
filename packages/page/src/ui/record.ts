import type { Who } from '@ti/core/contract/who.ts'
import { count, duration, SLOT_S, sol } from './format.ts'

type Deployer = NonNullable<Who['deployer']>

/** "7 other launches: 0 graduated, 3 drained, 1 of them rugged; 0.9 SOL taken out; first sale after 3 min on average." */
export function recordOf(
  { launched, graduated, all }: Pick<Deployer, 'launched' | 'graduated' | 'all'>,
  what: 'launch' | 'other launch',
): string {
  const launches = launched === 1 ? `1 ${what}` : `${count(launched)} ${what}es`
  if (all === null) return `${launches}, ${count(graduated)} graduated.`
  const { drained, rugged, taken_sol, first_sale_slots } = all
  const parts = [
    `${launches}: ${count(graduated)} graduated, ${count(drained)} drained${rugged > 0 ? `, ${count(rugged)} of them rugged` : ''}`,
    ...(taken_sol > 0 ? [`${sol(taken_sol)} SOL taken out`] : []),
    ...(first_sale_slots === null ? [] : [`first sale after ${duration(first_sale_slots * SLOT_S)} on average`]),
  ]
  return `${parts.join('; ')}.`
}
