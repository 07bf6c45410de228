import { compact, count, duration, pct, SLOT_S } from '../../ui/format.ts'
import type { Unit } from './metrics.ts'

/** A reading with its unit. */
export function written(unit: Unit, value: number): string {
  switch (unit) {
    case 'score':
      return value.toFixed(1)
    case 'percent':
      return inPercent(value)
    case 'slots':
      return `${count(value)} slots`
    case 'count':
      return count(value)
    case 'points':
      return compact(value)
  }
}

/** A share in percent; one that is there is not written as nothing. */
export const inPercent = (value: number, digits = 1): string => {
  const least = 10 ** -digits
  return value > 0 && value < least / 2 ? `<${pct(least, digits)}` : pct(value, digits)
}

/** What a reading means beside its unit: slots are also a time. */
export const inTime = (unit: Unit, value: number): string | null => {
  if (unit !== 'slots') return null
  return value < 0 ? `overdue by ${duration(-value * SLOT_S)}` : `about ${duration(value * SLOT_S)}`
}
