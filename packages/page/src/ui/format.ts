/** Numbers, amounts and times in their one form, and what only the page needs. */

export * from '@ti/core/base/format.ts'

import { count, signed, sol } from '@ti/core/base/format.ts'

export const NONE = '–'

export const usdExact = (value: number): string => `$${count(value)}`
export const signedSol = (value: number): string => signed(value, `${sol(value)} SOL`)

export const toneOf = (value: number): 'good' | 'bad' | undefined =>
  value > 0 ? 'good' : value < 0 ? 'bad' : undefined

/** approximate seconds per slot */
export const SLOT_S = 0.4

let moments: Intl.DateTimeFormat | null = null

/** Local date and time to the second. */
export function moment(at: string | number | Date): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return NONE
  // creating a formatter costs a hundred times its use
  moments ??= new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
  return moments.format(date)
}
