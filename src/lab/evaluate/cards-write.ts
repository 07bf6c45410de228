import { createHash } from 'node:crypto'
import type { Card } from '../../engine/outlook/card.ts'
import { QUESTIONS, type Question } from '../../engine/outlook/questions.ts'
import type { CardRow } from './cards-rows.ts'

/** Apart, so that nobody takes the text for this file's own. */
const WORD = { in: 'import', from: 'from', out: 'export' } as const

/** The module that the fold reads its cards from. `sources`: what the rows were collected from. */
export function cardsModule(
  cards: Readonly<Record<Question, Card>>,
  rows: readonly CardRow[],
  sources: readonly string[],
): string {
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
 * Data: ${rows.length} outcomes, SHA-256 ${hashOf(rows)}
${sources.map((source) => ` * ${source}`).join('\n')}
 */
${WORD.out} const CARDS: Readonly<Record<'drain' | 'halving' | 'buyer', Card>> = {
${QUESTIONS.map((question) => `  ${question}: {\n${card(cards[question])}\n  },`).join('\n')}
}
`
}

function hashOf(rows: readonly CardRow[]): string {
  const hash = createHash('sha256')
  for (const { question, ageClass, inputs, hit } of rows)
    hash.update(JSON.stringify([question, ageClass, Object.values(inputs), hit]))
  return hash.digest('hex')
}
