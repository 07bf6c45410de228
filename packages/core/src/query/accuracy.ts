import type { Accuracy } from '../contract/accuracy.ts'
import { FORMULAS_VERSION, OUTLOOK } from '../engine/constants.ts'
import { accuracyOf, MILLION, TENTHS } from '../engine/outlook/counts.ts'
import { QUESTIONS } from '../engine/outlook/questions.ts'
import type { Outlook } from '../model/outlook.ts'
import type { Globals } from '../model/state.ts'
import { ratio } from './round.ts'

/** Lifetime figures summed over some places of the lists. */
function sumsOf({ total, totalHits, expected, squared }: Outlook, places: readonly number[]) {
  const sum = (list: readonly number[]): number => places.reduce((all, place) => all + list[place]!, 0)
  const n = sum(total)
  return {
    figures: { n, hits: sum(totalHits), expected: ratio(sum(expected) / MILLION) },
    brier: n === 0 ? null : ratio(sum(squared) / MILLION / n),
  }
}

/** The track record of the predictions (methodology, section 9). */
export function renderAccuracy({ outlook, slot }: Pick<Globals, 'outlook' | 'slot'>): Accuracy {
  const ages = [OUTLOOK.ages[0], ...OUTLOOK.classes]
  const tenths = Array.from({ length: TENTHS }, (_, tenth) => tenth)
  return {
    formulas_version: FORMULAS_VERSION,
    since_slot: outlook.firstSlot < 0 ? null : outlook.firstSlot,
    slot: Math.max(0, slot),
    questions: QUESTIONS.map((question, no) => {
      const placesAt = (age: number): number[] => tenths.map((tenth) => accuracyOf(no, age, tenth))
      const { figures, brier } = sumsOf(
        outlook,
        ages.flatMap((_, age) => placesAt(age)),
      )
      return {
        question,
        ...figures,
        brier,
        ages: ages.map((from, age) => {
          const own = sumsOf(outlook, placesAt(age))
          const { n, hits } = own.figures
          return {
            from_slots: from,
            n,
            hits,
            brier: own.brier,
            bands: placesAt(age).map((place, tenth) => ({ band: tenth + 1, ...sumsOf(outlook, [place]).figures })),
          }
        }),
      }
    }),
  }
}
