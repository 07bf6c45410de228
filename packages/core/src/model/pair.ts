import { FAMILIES, type Family, type Pair } from './bundles.ts'
import type { Reader, Writer } from './bytes.ts'

/** Only families with evidence are stored, in the order of their bits. Few pairs have more than two. */
type Evidence = Pick<Pair, 'families' | 'evidence'>

/** The index of a family's weight, present or not; its slot follows. */
function placeOf(families: number, family: number): number {
  let place = 0
  for (let before = families & ((1 << family) - 1); before !== 0; before &= before - 1) place += 2
  return place
}

/** The weight of a family, 0 if it has no evidence. */
export const weightIn = ({ families, evidence }: Evidence, family: number): number =>
  (families & (1 << family)) === 0 ? 0 : evidence[placeOf(families, family)]!

export const hasFamily = ({ families }: Evidence, family: number): boolean => (families & (1 << family)) !== 0

/** Evidence in the order of FAMILIES. */
export const evidenceOf = ({ families, evidence }: Evidence): { family: Family; weight: number; slot: number }[] =>
  FAMILIES.filter((_, n) => (families & (1 << n)) !== 0).map((family, i) => {
    return { family, weight: evidence[2 * i]!, slot: evidence[2 * i + 1]! }
  })

/** The slot of the earliest evidence; the list must not be empty. */
export function earliestSlot({ evidence }: Evidence): number {
  let slot = evidence[1]!
  for (let i = 3; i < evidence.length; i += 2) slot = Math.min(slot, evidence[i]!)
  return slot
}

/**
 * Sets the evidence of a family; `weight` > 0. The list is copied for each new family: a list that is pushed to
 * reserves room for 17 numbers, and there are tens of thousands.
 */
export function setEvidence(pair: Evidence, family: number, weight: number, slot: number): void {
  const { families, evidence } = pair
  const place = placeOf(families, family)
  if ((families & (1 << family)) !== 0) {
    evidence[place] = weight
    evidence[place + 1] = slot
    return
  }
  pair.families = families | (1 << family)
  if (families === 0) pair.evidence = [weight, slot]
  else pair.evidence = evidence.slice(0, place).concat([weight, slot], evidence.slice(place))
}

export function dropEvidence(pair: Evidence, family: number): void {
  const { families, evidence } = pair
  if ((families & (1 << family)) === 0) return
  const place = placeOf(families, family)
  pair.evidence = evidence.slice(0, place).concat(evidence.slice(place + 2))
  pair.families = families & ~(1 << family)
}

export function writePair(w: Writer, { families, linked, a, b, exits, exitSlot, evidence }: Pair): void {
  w.num(families)
  w.u8(linked ? 1 : 0)
  w.num(a)
  w.num(b)
  w.num(exits)
  w.num(exitSlot)
  for (let i = 0; i < evidence.length; i++) w.num(evidence[i]!)
}

/** Does not set `p`, which the engine computes. */
export function readPair(r: Reader): Pair {
  // bits beyond the known families have no evidence
  const families = r.int() & ((1 << FAMILIES.length) - 1)
  const linked = r.bool()
  const [a, b, exits, exitSlot] = [r.num(), r.num(), r.num(), r.num()]
  let count = 0
  for (let bits = families; bits !== 0; bits &= bits - 1) count += 2
  const evidence: number[] = Array.from({ length: count }, () => r.num())
  return { a, b, families, evidence, exits, exitSlot, linked, p: 0 }
}
