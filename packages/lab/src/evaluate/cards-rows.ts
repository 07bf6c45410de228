import { type Card, partsOf, sumOf } from '@ti/core/engine/outlook/card.ts'
import type { Inputs } from '@ti/core/engine/outlook/inputs.ts'
import type { Foretold, OutlookWatcher } from '@ti/core/engine/outlook/outlook.ts'
import type { Question } from '@ti/core/engine/outlook/questions.ts'
import type { Asked } from '@ti/core/model/outlook.ts'

/** One question as asked by the fold, and its outcome. */
export interface CardRow {
  readonly question: Question
  /** Index of the training log. */
  readonly part: number
  readonly ageClass: number
  readonly inputs: Inputs
  /** The served values: the card's points, band from 1, probability 0 to 1. */
  readonly points: number
  readonly band: number
  readonly p: number
  readonly hit: boolean
}

/** The points that a card gives the row. */
export const pointsOf = (card: Card, { inputs }: Pick<CardRow, 'inputs'>): number =>
  sumOf(partsOf(card, (name) => inputs[name]))

/** Collects questions in the order in which they became due; those not due at the end are dropped. */
export function createRowCollector(part: number): { readonly watcher: OutlookWatcher; readonly rows: CardRow[] } {
  const open = new Map<Asked, { readonly foretold: Foretold; readonly inputs: Inputs }>()
  const rows: CardRow[] = []
  return {
    rows,
    watcher: {
      asked: (asked, foretold, inputs) => void open.set(asked, { foretold, inputs }),
      due(asked, hit) {
        const { foretold, inputs } = open.get(asked)!
        open.delete(asked)
        const { question, ageClass, points, band } = foretold
        rows.push({ question, part, ageClass, inputs, points, band, p: foretold.p / 1e6, hit })
      },
    },
  }
}
