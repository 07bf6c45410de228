import { compact, count, duration, pct, SLOT_S } from '../../ui/format.ts'
import type { Unit } from './metrics.ts'

/** Formats a reading with its unit. */
export function written(unit: Unit, value: number): string {
  switch (unit) {
    case 'score':
      return value.toFixed(1)
    case 'percent':
      return inPercent(value)
    case 'slots':
      return value < 0 ? `overdue ${duration(-value * SLOT_S)}` : duration(value * SLOT_S)
    case 'count':
      return count(value)
    case 'points':
      return compact(value)
  }
}

/** Formats a percentage; a small positive share is not shown as zero. */
export const inPercent = (value: number, digits = 1): string => {
  const least = 10 ** -digits
  return value > 0 && value < least / 2 ? `<${pct(least, digits)}` : pct(value, digits)
}

/** Estimates when a wallet will sell, extrapolating the slot between two readings. */

export interface SlotReading {
  readonly slot: number
  /** time of the reading, Unix milliseconds */
  readonly at: number
}

/** milliseconds for which the slot is extrapolated without a new reading */
const AHEAD_MAX_MS = 30_000

export const slotAt = ({ slot, at }: SlotReading, now: number): number =>
  slot + Math.floor(Math.min(AHEAD_MAX_MS, Math.max(0, now - at)) / (SLOT_S * 1000))

interface Expected {
  readonly state: 'never' | 'ahead' | 'overdue'
  readonly text: string
}

export function expectedSale(slot: number | null, now: number): Expected {
  if (slot === null) return { state: 'never', text: 'no sale on record' }
  const left = slot - now
  if (left <= 0) return { state: 'overdue', text: `overdue by ${duration(-left * SLOT_S)}` }
  return { state: 'ahead', text: `in ${clock(left * SLOT_S)}` }
}

/** Shows seconds below an hour. */
export const clock = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole >= 3600 || whole < 60) return duration(whole)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

/** Builds the window's title from a token's name, which strangers choose: short. */

const LONGEST = 24

interface Named {
  readonly symbol: string | null
  readonly name: string | null
}

export function titleOf(mint: string, meta: Named | null, score: number | null): string {
  const name = meta?.symbol || meta?.name || `${mint.slice(0, 6)}…`
  const letters = [...name]
  const short = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : name
  return `${short}${score === null ? '' : ` ${score.toFixed(1)}`} · Token Intelligence`
}
