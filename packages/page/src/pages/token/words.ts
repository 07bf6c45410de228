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
      return value < 0 ? `overdue ${duration(-value * SLOT_S)}` : duration(value * SLOT_S)
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

/** What the window is called: a stranger's words, short, on one line, and unable to turn the rest around. */

const LONGEST = 24
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu

interface Named {
  readonly symbol: string | null
  readonly name: string | null
}

export function titleOf(mint: string, meta: Named | null, score: number | null): string {
  const words = [meta?.symbol, meta?.name].map((text) => (text ?? '').replace(INVISIBLE, ' ').trim())
  const name = words.find((text) => text !== '') ?? `${mint.slice(0, 6)}…`
  const letters = [...name]
  const short = letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join('')}…` : name
  return `${short}${score === null ? '' : ` ${score.toFixed(1)}`} · Token Intelligence`
}
