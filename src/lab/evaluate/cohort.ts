import { SLOTS } from '../../engine/constants.ts'
import type { Decision, Evaluation, Label, Sample } from './sample.ts'

export const DECISIONS: readonly Decision[] = ['t60', 't300', 't900', 'migration']
export const LABELS: readonly Label[] = ['graduated_24h', 'survives_3h', 'rugged_1h', 'falls_20m']

/** Whether the label names a good outcome: a high score should mean more of it. */
export const IS_GOOD: Readonly<Record<Label, boolean>> = {
  graduated_24h: true,
  survives_3h: true,
  rugged_1h: false,
  falls_20m: false,
}

/** Slots after the decision by which the label is known either way; 20 minutes are a third of an hour. */
const HORIZON_SLOTS: Readonly<Record<Label, number>> = {
  graduated_24h: SLOTS.day,
  survives_3h: 3 * SLOTS.hour,
  rugged_1h: SLOTS.hour,
  falls_20m: SLOTS.hour / 3,
}

/** The samples a decision and a label can be judged on. */
export interface Cohort {
  readonly decision: Decision
  readonly label: Label
  readonly samples: readonly Sample[]
  /** 1 where the label came true */
  readonly positive: Uint8Array
  readonly positives: number
  /** left out: the label is unknown */
  readonly unknown: number
  /** left out: the log ends within the label's time. A good end may be known early and a bad one not; keeping such
   * samples would keep the early ones only */
  readonly censored: number
  /** left out: already graduated at the decision, nothing is left to foresee */
  readonly settled: number
}

export function cohortOf(evaluation: Evaluation, decision: Decision, label: Label): Cohort {
  const migratedAt = new Map<string, number>()
  for (const sample of evaluation.samples) {
    if (sample.decision === 'migration') migratedAt.set(sample.mint, sample.slot)
  }
  const lastSlot = evaluation.source.slots[1]
  const left = { unknown: 0, censored: 0, settled: 0 }
  const samples = evaluation.samples.filter((sample) => {
    if (sample.decision !== decision) return false
    if (label === 'graduated_24h' && (migratedAt.get(sample.mint) ?? Number.POSITIVE_INFINITY) <= sample.slot) {
      left.settled++
    } else if (sample.labels[label] === null) left.unknown++
    else if (sample.slot + HORIZON_SLOTS[label] > lastSlot) left.censored++
    else return true
    return false
  })
  const positive = Uint8Array.from(samples, (sample) => (sample.labels[label] ? 1 : 0))
  return { decision, label, samples, positive, positives: positive.reduce((sum, one) => sum + one, 0), ...left }
}
