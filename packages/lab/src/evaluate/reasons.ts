import { VERDICT_CODES } from '@ti/core/base/verdict-codes.ts'
import { MEASURES } from './colours.ts'
import type { Look, Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { inPercent, NOTHING } from './numbers.ts'

/** Compares the tokens that had a reason of the verdict with all others of the same age. */

/** Fewer cases show no mean. */
const SHOWN = 10

const meanOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length < SHOWN ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Means of the looks with the reason and of those without, each age weighted by its looks with it. */
function compare(looks: readonly Look[], code: string, read: (look: Look) => number | null): string {
  const has = ({ reasons }: Look): boolean => reasons.includes(code)
  const ages = [...new Set(looks.map(({ age }) => age))]
  let [weight, sumWith, sumWithout] = [0, 0, 0]
  for (const age of ages) {
    const of = looks.filter((look) => look.age === age)
    const within = of.filter(has).map(read)
    const [a, b] = [meanOf(within), meanOf(of.filter((look) => !has(look)).map(read))]
    if (a === null || b === null) continue
    const n = within.filter((value) => value !== null).length
    weight += n
    sumWith += n * a
    sumWithout += n * b
  }
  return weight === 0 ? NOTHING : `${inPercent(sumWith / weight)} / ${inPercent(sumWithout / weight)} (${weight})`
}

export function reasonsSection(looks: readonly Look[]): Section {
  const counted = VERDICT_CODES.filter((code) => looks.some(({ reasons }) => reasons.includes(code)))
  return {
    title: 'Reasons',
    lines: [
      'Percent of the tokens with each reason, and of all others of the same age; in brackets those with it at risk.',
      table(
        ['reason', 'looks', ...MEASURES.map(({ name }) => name)],
        counted.map((code) => [
          code,
          `${looks.filter(({ reasons }) => reasons.includes(code)).length}`,
          ...MEASURES.map(({ read }) => compare(looks, code, read)),
        ]),
      ),
    ],
    bars: [],
    figures: {},
  }
}
