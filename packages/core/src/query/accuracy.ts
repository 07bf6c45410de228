import type { Accuracy } from '../contract/accuracy.ts'
import { FORMULAS_VERSION, OUTLOOK } from '../engine/constants.ts'
import { bandCount } from '../engine/outlook/card.ts'
import { CARDS } from '../engine/outlook/cards.ts'
import { cellOf, MILLION, probabilityOf } from '../engine/outlook/counts.ts'
import { QUESTIONS } from '../engine/outlook/questions.ts'
import type { Outlook } from '../model/outlook.ts'
import type { Globals } from '../model/state.ts'
import { ratio } from './round.ts'

/** Lifetime figures summed over some cells. */
function sumsOf({ total, totalHits, expected, squared }: Outlook, cells: readonly number[]) {
  const sum = (list: readonly number[]): number => cells.reduce((all, cell) => all + list[cell]!, 0)
  const n = sum(total)
  return {
    figures: { n, hits: sum(totalHits), expected: ratio(sum(expected) / MILLION) },
    brier: n === 0 ? null : ratio(sum(squared) / MILLION / n),
  }
}

/** The track record of the predictions (methodology, section 9). */
export function renderAccuracy({ outlook, slot }: Pick<Globals, 'outlook' | 'slot'>): Accuracy {
  const ages = [0, ...OUTLOOK.classes]
  return {
    formulas_version: FORMULAS_VERSION,
    since_slot: outlook.firstSlot < 0 ? null : outlook.firstSlot,
    slot: Math.max(0, slot),
    questions: QUESTIONS.map((question, no) => {
      const bands = Array.from({ length: bandCount(CARDS[question]) }, (_, band) => band)
      const cells = ages.flatMap((_, age) => bands.map((band) => cellOf(no, age, band)))
      const { figures, brier } = sumsOf(outlook, cells)
      return {
        question,
        ...figures,
        brier,
        ages: ages.map((from, age) => {
          const own = sumsOf(
            outlook,
            bands.map((band) => cellOf(no, age, band)),
          )
          const { n, hits } = own.figures
          return {
            from_slots: age === 0 ? OUTLOOK.ages[0] : from,
            n,
            hits,
            brier: own.brier,
            bands: bands.map((band) => ({
              band: band + 1,
              ...sumsOf(outlook, [cellOf(no, age, band)]).figures,
              probability: ratio(probabilityOf(outlook, no, age, band) / MILLION),
            })),
          }
        }),
      }
    }),
  }
}
