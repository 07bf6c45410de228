import { FAMILIES, type Pair } from './bundles.ts'
import type { Reader, Writer } from './bytes.ts'

/** Only the families with evidence are written, behind the bits that name them; few pairs have more than two. */
export function writePair(w: Writer, pair: Pair): void {
  let families = 0
  for (let i = 0; i < FAMILIES.length; i++) if (pair.weights[i]! > 0) families |= 1 << i
  w.num(families)
  w.u8(pair.linked ? 1 : 0)
  w.num(pair.a)
  w.num(pair.b)
  w.num(pair.exits)
  w.num(pair.exitSlot)
  for (let i = 0; i < FAMILIES.length; i++) {
    if ((families & (1 << i)) === 0) continue
    w.num(pair.weights[i]!)
    w.num(pair.slots[i]!)
  }
}

/** `p` is computed by the code that knows the formula. */
export function readPair(r: Reader): Pair {
  const families = r.int()
  const linked = r.bool()
  const [a, b, exits, exitSlot] = [r.num(), r.num(), r.num(), r.num()]
  const weights = FAMILIES.map(() => 0)
  const slots = FAMILIES.map(() => -1)
  for (let i = 0; i < FAMILIES.length; i++) {
    if ((families & (1 << i)) === 0) continue
    weights[i] = r.num()
    slots[i] = r.num()
  }
  return { a, b, weights, slots, exits, exitSlot, linked, p: 0 }
}
