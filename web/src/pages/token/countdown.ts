import { duration, SLOT_S } from '../../ui/format.ts'

/** When a wallet is expected to sell, counted on between two readings of the chain's slot. */

export interface SlotReading {
  readonly slot: number
  /** Unix milliseconds at which it was read */
  readonly at: number
}

/** Without a newer reading the chain is believed to go on for so long; then the count stands still. */
const AHEAD_MAX_MS = 30_000

/** The slot at `now`. */
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

/** Seconds matter while there are few of them. */
const clock = (seconds: number): string => {
  const whole = Math.round(seconds)
  if (whole >= 3600 || whole < 60) return duration(whole)
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}
