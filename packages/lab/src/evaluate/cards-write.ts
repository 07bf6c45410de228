import { createHash } from 'node:crypto'
import type { Card } from '@ti/core/engine/outlook/card.ts'
import { QUESTIONS, type Question } from '@ti/core/engine/outlook/questions.ts'
import type { Summed } from './cards-fit.ts'
import type { CardRow } from './cards-rows.ts'

/** Separate words, so that tools do not take the generated text for code of this file. */
const WORD = { in: 'import', from: 'from', out: 'export' } as const

/** The source of the current cards' points, because bands can be fitted without them. */
const POINTS_OF =
  '203006 outcomes of seeds 600 to 607, 610 to 617, 620 to 627, SHA-256 67b38989d778ef357ac9b6d17ed99cf2bf63b12d9ac859ece4fa0e625550234d'

interface Data {
  readonly rows: readonly (Summed & Pick<CardRow, 'question'>)[]
  /** The logs that the rows come from. */
  readonly sources: readonly string[]
}

/** The module with the fold's cards. `points`: the data behind the points; null if they are unchanged. */
export function cardsModule(cards: Readonly<Record<Question, Card>>, points: Data | null, bands: Data): string {
  const list = (values: readonly number[]): string => `[${values.join(', ')}]`
  const card = ({ inputs, bands, table }: Card): string =>
    [
      '    inputs: [',
      ...inputs.map(
        ({ input, edges, points, unknown }) =>
          `      { input: '${input}', edges: ${list(edges)}, points: ${list(points)}, unknown: ${unknown} },`,
      ),
      '    ],',
      `    bands: ${list(bands)},`,
      '    table: [',
      ...table.map((ofClass) => `      ${list(ofClass)},`),
      '    ],',
    ].join('\n')
  return `${WORD.in} type { Card } ${WORD.from} './card.ts'

/**
 * Written by \`evaluate --fit-cards\`: change the fit, not this file. Points by bin of a reading, lowest sums of the bands above the
 * first, and the probability by age class and band in millionths.
 *
 * Points: ${points === null ? POINTS_OF : describe(points)}
 * Bands: ${describe(bands)}
 */
${WORD.out} const CARDS: Readonly<Record<'drain' | 'halving' | 'buyer', Card>> = {
${QUESTIONS.map((question) => `  ${question}: {\n${card(cards[question])}\n  },`).join('\n')}
}
`
}

function describe({ rows, sources }: Data): string {
  const hash = createHash('sha256')
  for (const { question, ageClass, points, hit } of rows) hash.update(JSON.stringify([question, ageClass, points, hit]))
  return `${[`${rows.length} outcomes, SHA-256 ${hash.digest('hex')}`, ...sources].join('\n *   ')}`
}
