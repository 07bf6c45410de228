import { FAMILIES, type Family, type Pair } from './bundles.ts'

/** The evidence of a pair. Only families with evidence have a slot, in the order of their bits. */
type Evidence = Pick<Pair, 'families' | 'slots'>

/** Evidence in the order of FAMILIES. */
export const evidenceOf = ({ families, slots }: Evidence): { family: Family; slot: number }[] =>
  FAMILIES.filter((_, n) => (families & (1 << n)) !== 0).map((family, i) => ({ family, slot: slots[i] ?? -1 }))

/** Adds those of the families that are new; `slot`: when they were found. */
export function addFamilies(pair: Evidence, families: number, slot: number): void {
  const known = pair.families
  pair.families |= families
  let before = 0
  pair.slots = FAMILIES.flatMap((_, n) => {
    const bit = 1 << n
    if ((known & bit) !== 0) return [pair.slots[before++]!]
    return (families & bit) !== 0 ? [slot] : []
  })
}
