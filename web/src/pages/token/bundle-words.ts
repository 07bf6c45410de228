import type { AppExplain } from '../../../../src/contract/app.ts'

/** What ties a group of wallets, in words and in figures for the picture. */

export type Bundle = AppExplain['bundles'][number]
export type Evidence = Bundle['evidence'][number]

interface Family {
  readonly label: string
  /** one sentence about two wallets */
  readonly means: string
}

const FAMILY: Record<string, Family> = {
  atomic: { label: 'one transaction', means: 'They traded in the same transaction.' },
  jito: {
    label: 'one bundle',
    means: 'Their transactions stand side by side and the last one pays the tip, or have the same tip payer.',
  },
  payer: { label: 'fees paid', means: 'One paid the other’s network fees, or a third wallet paid for both.' },
  transfer: { label: 'tokens moved', means: 'Tokens of this mint moved from one to the other.' },
  funder: {
    label: 'same funder',
    means: 'Both received their first SOL from the same wallet within a day, or one funded the other.',
  },
  timing: {
    label: 'same moment',
    means: 'Both bought or both sold in the same slot, at most four transactions apart.',
  },
  size: { label: 'same size', means: 'They traded amounts within 2% of each other.' },
  history: {
    label: 'earlier tokens',
    means: 'They bought the same earlier tokens within moments of each other, more often than by chance.',
  },
  exits: { label: 'sold together', means: 'They sold within two slots of each other, at least twice.' },
  block_entry: {
    label: 'bought at once',
    means: 'They bought within a few transactions of one slot, with others, and took a good part of supply together.',
  },
  block_exit: {
    label: 'left at once',
    means: 'They sold nearly all they had within two slots, with others and a good part of supply.',
  },
  exodus: {
    label: 'left together',
    means: 'They came together, stayed, and were out within a minute, with others and a good part of supply.',
  },
  consolidation: { label: 'bags sent on', means: 'Their whole bags went to one wallet, or one of them received them.' },
  handover: {
    label: 'handed over',
    means: 'One bought and gave to the other in one transaction: two wallets of one owner, no bundle.',
  },
  budget: {
    label: 'same settings',
    means: 'Their transactions offered the same priority fee and compute limit, which few others use.',
  },
  actor: { label: 'same actor', means: 'They acted together on other tokens before.' },
}

export const familyOf = (name: string): Family => FAMILY[name] ?? { label: name.replaceAll('_', ' '), means: '' }

/** Strongest first. */
export const strongestFirst = ({ families }: Pick<Evidence, 'families'>): Evidence['families'] =>
  [...families].sort((a, b) => b.weight - a.weight)

export type GroupState = 'selling' | 'confirmed' | 'suspected'

export const stateOf = ({ confirmed, red }: Pick<Bundle, 'confirmed' | 'red'>): GroupState =>
  confirmed ? (red ? 'selling' : 'confirmed') : 'suspected'

export const STATE_WORDS: Record<GroupState, readonly [label: string, means: string]> = {
  selling: ['Selling heavily', 'A confirmed group that has sold much more than it bought in the last five minutes.'],
  confirmed: ['Confirmed', 'At least two linked wallets that together held half a percent of supply at some moment.'],
  suspected: [
    'Not confirmed',
    'Linked wallets that never held half a percent of supply together. They do not count in any number.',
  ],
}

/** The families that tie a group, with how many pairs of wallets each ties; the most telling first. */
export function familiesOf(bundle: Pick<Bundle, 'evidence'>): { family: string; pairs: number; weight: number }[] {
  const found = new Map<string, { family: string; pairs: number; weight: number }>()
  for (const { families } of bundle.evidence) {
    for (const { family, weight } of families) {
      const known = found.get(family)
      if (known === undefined) found.set(family, { family, pairs: 1, weight })
      else found.set(family, { family, pairs: known.pairs + 1, weight: Math.max(known.weight, weight) })
    }
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight || b.pairs - a.pairs)
}

/** What speaks for one wallet being part of its group, the surest partner first. */
export const evidenceOf = (bundle: Pick<Bundle, 'evidence'>, wallet: string): Evidence[] =>
  bundle.evidence.filter(({ wallets }) => wallets.includes(wallet)).sort((a, b) => b.probability - a.probability)

export const partnerOf = ({ wallets }: Pick<Evidence, 'wallets'>, wallet: string): string =>
  (wallets[0] === wallet ? wallets[1] : wallets[0]) ?? ''

/** Groups that the picture shows: what is confirmed and still holds comes before what is only suspected or sold. */
export const forPicture = (bundles: readonly Bundle[], max: number): Bundle[] =>
  [...bundles]
    .sort((a, b) => Number(b.confirmed) - Number(a.confirmed) || b.pct_of_supply - a.pct_of_supply)
    .slice(0, max)
