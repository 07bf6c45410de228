import type { AppDeployer } from '@ti/core/contract/app.ts'
import { count, duration, SLOT_S, sol } from './format.ts'

/**
 * "7 other launches: 3 drained (1 of them rugged), 4 not drained. 2 graduated. It took out 0.9 SOL and first sells after 3 min on
 * average."
 */
export function recordOf(
  { launched, graduated, all }: Pick<AppDeployer, 'launched' | 'graduated' | 'all'>,
  what: 'launch' | 'other launch' | 'earlier launch',
): string {
  const launches = launched === 1 ? `1 ${what}` : `${count(launched)} ${what}es`
  if (all === null) return `${launches}, ${count(graduated)} graduated.`
  const { drained, rugged, taken_sol, first_sale_slots } = all
  const rug = rugged > 0 ? ` (${count(rugged)} of them rugged)` : ''
  const kept = launched > drained && drained > 0 ? `, ${count(launched - drained)} not drained` : ''
  const habits = [
    ...(taken_sol > 0 ? [`took out ${sol(taken_sol)} SOL`] : []),
    ...(first_sale_slots === null ? [] : [`first sells after ${duration(first_sale_slots * SLOT_S)} on average`]),
  ].join(' and ')
  return `${launches}: ${count(drained)} drained${rug}${kept}. ${count(graduated)} graduated.${habits === '' ? '' : ` It ${habits}.`}`
}
