import type { Launch, Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { part } from './numbers.ts'

/** Real tokens that people called a rug or not, with every trade. They judge, they do not teach. */

const BARS = { found: 0.8, accused: 1 }

export interface Label {
  readonly mint: string
  readonly name: string
  readonly isRug: boolean
}

/** Rows of `labels.csv`: mint, name, rug (0 or 1). */
export function readLabels(text: string): Label[] {
  const [, ...lines] = text.split('\n').filter(Boolean)
  return lines.map((line) => {
    const [mint, name, rug] = line.split(',')
    return { mint: mint!, name: name!, isRug: rug === '1' }
  })
}

export function labelsSection(launches: readonly Launch[], labels: readonly Label[], firstSlot: number): Section {
  const known = new Map(labels.map((label) => [label.mint, label]))
  const found = launches.flatMap((launch) => {
    const label = known.get(launch.mint)
    return label === undefined ? [] : [{ launch, label, isFound: launch.ruggedSlot >= 0 }]
  })
  const rugs = found.filter(({ label }) => label.isRug)
  const others = found.filter(({ label }) => !label.isRug)
  const right = rugs.filter(({ isFound }) => isFound).length
  const accused = others.filter(({ isFound }) => isFound).length
  const after = ({ ruggedSlot, createdSlot }: Launch): string => `${Math.round((ruggedSlot - createdSlot) / 150)} min`
  return {
    title: 'Labelled tokens',
    lines: [
      `${found.length} of ${labels.length} labelled tokens are in the material, whose first slot is ${firstSlot}. They were chosen to be about half rugs: no rate is a base rate.`,
      table(
        ['token', 'label', 'found rugged', 'colours at the looks'],
        found.map(({ launch, label, isFound }) => [
          label.name.replaceAll('|', ' '),
          label.isRug ? 'rug' : 'no rug',
          isFound ? `after ${after(launch)}` : 'no',
          launch.samples
            .map(({ colour }) => colour)
            .filter((colour, i, all) => colour !== all[i - 1])
            .slice(0, 8)
            .join(', '),
        ]),
        '---',
      ),
    ],
    bars: [
      {
        bar: `labelled: ${100 * BARS.found}% of the rugs are found`,
        passed: rugs.length === 0 ? null : right >= BARS.found * rugs.length,
        detail: part(right, rugs.length),
      },
      {
        bar: `labelled: at most ${BARS.accused} other token is found rugged`,
        passed: others.length === 0 ? null : accused <= BARS.accused,
        detail: part(accused, others.length),
      },
    ],
    figures: { 'labelled rugs found': part(right, rugs.length), 'labelled accused': part(accused, others.length) },
  }
}
