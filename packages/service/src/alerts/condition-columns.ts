import type { Values } from '@ti/core/contract/filter.ts'
import type { Atom } from './alternatives.ts'

type Value = Values[string]

/**
 * One field of the conditions: for each range of its values, one bit for each alternative whose comparisons with this field
 * may all hold there. Alternatives without one have a bit everywhere.
 */
export interface Column {
  readonly field: string
  /** Takes the bits of an alternative where its comparisons with this field cannot hold. */
  add(alternative: number, atoms: readonly Atom[]): void
  /** The alternatives that this value leaves. The array is valid until the next call. */
  leaves(value: Value): Uint32Array
}

/** Ranges of a column: one in 64 of the comparisons is decided later than it could be. */
const RANGES = 64

/** Alternatives that ask for the same text, from which on they are bits. */
const MANY = 100

export const wordsOf = (bits: number): number => Math.ceil(bits / 32)
export const allOnes = (bits: number): Uint32Array => new Uint32Array(wordsOf(bits)).fill(0xffff_ffff)

function clear(map: Uint32Array, bit: number): void {
  map[bit >>> 5]! &= ~(1 << (bit & 31))
}

/** `all`: the comparisons of each alternative so far, by which the ranges are chosen. */
export function createNumberColumn(field: string, all: Iterable<readonly Atom[]>, capacity: number): Column {
  const edges: number[] = []
  for (const atoms of all) {
    const { low, high } = intervalOf(atoms)
    if (low !== Number.NEGATIVE_INFINITY) edges.push(low)
    if (high !== Number.POSITIVE_INFINITY) edges.push(following(high))
  }
  const sorted = Float64Array.from(edges).sort()
  const step = Math.max(1, sorted.length / RANGES)
  const bounds = new Set<number>()
  for (let at = 0; at < sorted.length; at += step) bounds.add(sorted[Math.floor(at)]!)
  const begins = [...bounds]
  const maps = Array.from({ length: begins.length + 1 }, () => allOnes(capacity))
  const unknown = allOnes(capacity)

  /** The range of a value: 0 before the first bound. */
  function rangeOf(value: number): number {
    let [low, high] = [0, begins.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (begins[middle]! <= value) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    field,
    add(alternative, atoms) {
      const { low, high, isKnown } = intervalOf(atoms)
      const [from, to] = [rangeOf(low), rangeOf(high)]
      for (let range = 0; range < from; range++) clear(maps[range]!, alternative)
      for (let range = to + 1; range < maps.length; range++) clear(maps[range]!, alternative)
      if (isKnown) clear(unknown, alternative)
    },
    leaves: (value) => (value === null ? unknown : maps[rangeOf(Number(value))]!),
  }
}

export function createTextColumn(field: string, capacity: number): Column {
  /** The alternatives that ask for no text in particular, and those that ask for one: as bits where they are many. */
  const any = allOnes(capacity)
  const by = new Map<Value, number[]>()
  const many = new Map<Value, Uint32Array>()
  const scratch = new Uint32Array(any.length)

  function set(map: Uint32Array, alternative: number): void {
    map[alternative >>> 5]! |= 1 << (alternative & 31)
  }

  function ask(text: string, alternative: number): void {
    const own = by.get(text) ?? []
    by.set(text, own)
    own.push(alternative)
    if (own.length < MANY) return
    const bits = many.get(text) ?? new Uint32Array(any.length)
    many.set(text, bits)
    for (const one of own.splice(0)) set(bits, one)
  }

  return {
    field,
    add(alternative, atoms) {
      const first = atoms.find(({ of, negated }) => !negated && of.operator !== '!=')
      if (first === undefined) return
      clear(any, alternative)
      for (const text of [first.of.literal].flat() as string[]) ask(text, alternative)
    },
    leaves(value) {
      const own = by.get(value)
      if (own === undefined) return any
      scratch.set(any)
      const bits = many.get(value)
      for (let word = 0; bits !== undefined && word < bits.length; word++) scratch[word]! |= bits[word]!
      for (const alternative of own) set(scratch, alternative)
      return scratch
    },
  }
}

/** The values between which comparisons of one number or flag may all hold, and whether none holds of an unknown one. */
function intervalOf(atoms: readonly Atom[]) {
  let low = Number.NEGATIVE_INFINITY
  let high = Number.POSITIVE_INFINITY
  for (const { of, negated } of atoms) {
    const at = Number(of.literal)
    const operator = negated ? OPPOSITE[of.operator]! : of.operator
    if (operator === '==') [low, high] = [Math.max(low, at), Math.min(high, at)]
    if (operator === '!=' && typeof of.literal === 'boolean')
      [low, high] = [Math.max(low, 1 - at), Math.min(high, 1 - at)]
    if (operator === '>=') low = Math.max(low, at)
    if (operator === '>') low = Math.max(low, following(at))
    if (operator === '<=') high = Math.min(high, at)
    if (operator === '<') high = Math.min(high, -following(-at))
  }
  return { low, high, isKnown: atoms.some(({ negated }) => !negated) }
}

const OPPOSITE: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
}

const float = new Float64Array(1)
const bits = new BigInt64Array(float.buffer)

/** The smallest number above a finite one. */
function following(x: number): number {
  if (x === 0) return Number.MIN_VALUE
  float[0] = x
  bits[0]! += x > 0 ? 1n : -1n
  return float[0]!
}
