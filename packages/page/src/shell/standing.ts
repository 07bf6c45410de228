import type { AppStatus } from '@ti/core/contract/app.ts'
import { duration, SLOT_S } from '../ui/format.ts'

interface Lag {
  readonly word: string
  readonly rating: 'green' | 'yellow' | 'red' | 'neutral'
  readonly meaning: string
}

/** thresholds in slots behind the chain */
const LATE = { some: 10, much: 150 }

/** Describes how far the data are behind the chain; null if unknown. */
export function lagOf(
  status: Pick<AppStatus, 'ready' | 'reason' | 'lag_slots'> | null,
  problem: string | null,
): Lag | null {
  if (problem !== null) return { word: 'no answer', rating: 'red', meaning: problem }
  if (status === null) return null
  if (!status.ready) return { word: 'not ready', rating: 'red', meaning: status.reason ?? 'the service is starting' }
  const { lag_slots: slots } = status
  if (slots === null)
    return { word: 'lag unknown', rating: 'neutral', meaning: 'the source does not report the head of the chain' }
  const rating = slots < LATE.some ? 'green' : slots < LATE.much ? 'yellow' : 'red'
  const seconds = slots * SLOT_S
  const word = rating === 'green' ? 'up to date' : `${duration(seconds)} behind`
  return { word, rating, meaning: `${slots} slots (about ${seconds.toFixed(1)} s) behind the chain` }
}
