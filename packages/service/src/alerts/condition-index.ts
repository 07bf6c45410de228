import { type Fields, holds, type Node, parseFilter, TOKEN_FIELDS, type Values } from '@ti/core/contract/filter.ts'
import { type Atom, alternativesOf } from './alternatives.ts'
import { allOnes, type Column, createNumberColumn, createTextColumn, wordsOf } from './condition-columns.ts'
import type { Watched } from './watch-index.ts'

/**
 * Finds the conditions that a token meets, 32 at a time. A filter is kept as alternatives, each a list of comparisons that all have to
 * hold. The columns of the fields say which alternatives the token's values leave; only those that all columns leave are tested. So
 * the cost hardly depends on what the conditions say.
 */
export type ConditionIndex = ReturnType<typeof createConditionIndex>

/** What a token was reported for: one bit an alternative. */
export type Known = Uint32Array<ArrayBufferLike>

export interface Condition {
  readonly watched: Watched
  readonly fields: readonly string[]
}

interface Entry extends Condition {
  watched: Watched
  readonly node: Node
  /** Its alternatives. */
  readonly from: number
  readonly to: number
}

/** Fields that need all holders of a token: their columns are asked last, and only while an alternative is left. */
const COSTLY: readonly string[] = [
  'holders',
  'kols',
  'score',
  ...['bundled_pct', 'dirty_pct', 'dumpers_pct', 'alpha_hands_pct', 'conviction'],
]

/** Alternatives with comparisons of a field, and these comparisons. */
type ByField = Map<string, { readonly numbers: number[]; readonly comparisons: Atom[][] }>

export function createConditionIndex() {
  const entries = new Map<string, Entry>()
  /** By alternative: its condition, null once that was removed. */
  const owners: (Entry | null)[] = []
  let columns: Column[] = []
  /** The alternatives that columns know, and those by which their ranges were chosen. */
  let built = 0
  let chosenBy = 0
  let capacity = 0
  let live = allOnes(0)
  let rest = allOnes(0)
  let dead = 0

  function createColumn(field: string, all: readonly Atom[][]): Column {
    const isText = (TOKEN_FIELDS as Fields)[field] === 'text'
    return isText ? createTextColumn(field, capacity) : createNumberColumn(field, all, capacity)
  }

  /** New alternatives enter the columns. These are made anew whenever the number of alternatives has doubled. */
  function* build(): Generator<void> {
    if (owners.length > 2 * chosenBy) {
      chosenBy = owners.length
      capacity = 2 * owners.length
      columns = []
      live = allOnes(capacity)
      rest = allOnes(capacity)
      built = 0
    }
    const byField: ByField = new Map()
    for (let n = built; n < owners.length; yield) n = collect(n, byField)
    for (const [field, { numbers, comparisons }] of byField) {
      let column = columns.find((one) => one.field === field)
      if (column === undefined) {
        column = createColumn(field, comparisons)
        columns.push(column)
      }
      for (const [i, n] of numbers.entries()) {
        column.add(n, comparisons[i]!)
        yield
      }
    }
    columns.sort((a, b) => COSTLY.indexOf(a.field) - COSTLY.indexOf(b.field))
    built = owners.length
  }

  function* prepare(): Generator<void> {
    if (built < owners.length) yield* build()
  }

  /** Adds the comparisons of the condition of alternative `n`. Returns the alternative after its last. */
  function collect(n: number, byField: ByField): number {
    const entry = owners[n]!
    if (entry === null) {
      forget(n)
      return n + 1
    }
    for (const [i, atoms] of alternativesOf(entry.node).entries()) {
      for (const atom of atoms) {
        const of = byField.get(atom.of.field) ?? { numbers: [], comparisons: [] }
        byField.set(atom.of.field, of)
        if (of.numbers.at(-1) === n + i) of.comparisons.at(-1)!.push(atom)
        else {
          of.numbers.push(n + i)
          of.comparisons.push([atom])
        }
      }
    }
    return entry.to
  }

  function forget(n: number): void {
    live[n >>> 5]! &= ~(1 << (n & 31))
  }

  /** The conditions of the alternatives that all columns leave. */
  function* left(known: Known, values: Values): Generator<Entry> {
    const words = wordsOf(owners.length)
    for (let word = 0; word < words; word++) rest[word] = live[word]! & ~known[word]!
    for (const { field, leaves } of columns) {
      // no holder is read once nothing is left
      if (COSTLY.includes(field) && isEmpty(rest, words)) return
      keepOnly(rest, leaves(values[field]!), words)
    }
    for (let word = 0; word < words; word++) {
      for (let bits = rest[word]!; bits !== 0; bits &= bits - 1) {
        const entry = owners[32 * word + 31 - Math.clz32(bits & -bits)]
        if (entry) yield entry
      }
    }
  }

  return {
    add(watched: Watched): void {
      const parsed = parseFilter(watched.row.target, TOKEN_FIELDS)
      // A release has removed a field of this filter, so the watch pauses until its owner changes it.
      if (!parsed.ok) return
      const { node, fields } = parsed.filter
      const entry = { watched, node, fields, from: owners.length, to: owners.length + alternativesOf(node).length }
      entries.set(watched.row.id, entry)
      for (let n = entry.from; n < entry.to; n++) owners.push(entry)
    },
    /** Replaces the row of a condition that counts as before. */
    rename(watched: Watched): void {
      const entry = entries.get(watched.row.id)
      if (entry !== undefined) entry.watched = watched
    },
    remove(watch: string): void {
      const entry = entries.get(watch)
      if (entry === undefined) return
      entries.delete(watch)
      for (let n = entry.from; n < entry.to; n++) {
        owners[n] = null
        dead++
        if (n < built) forget(n)
      }
    },
    /** The number of conditions that count. */
    get size(): number {
      return entries.size
    },
    /** Does the work that new conditions make for the next `met`, in small steps: a second in all with 100,000 of them. */
    prepare,
    /** The conditions that count. */
    all: (): readonly Watched[] => [...entries.values()].map(({ watched }) => watched),
    /** True if so many were removed that the index should be built anew. */
    get isWorn(): boolean {
      return dead > 1_000 && dead > owners.length / 2
    },
    /**
     * Returns at most `most` conditions that are true of these values and not in `known`, and the grown `known` with them. `no` is the
     * token's newest trade: conditions that begin after it are left out.
     */
    met(
      before: Known,
      values: Values,
      no: number,
      most: number,
    ): { readonly met: readonly Condition[]; readonly known: Known } {
      for (const _ of prepare());
      const known = grown(before, owners.length)
      const met: Entry[] = []
      for (const entry of left(known, values)) {
        const isKnown = (known[entry.from >>> 5]! & (1 << (entry.from & 31))) !== 0
        if (isKnown || entry.watched.fromTrade > no || !holds(entry.node, values)) continue
        if (met.length === most) break
        for (let n = entry.from; n < entry.to; n++) known[n >>> 5]! |= 1 << (n & 31)
        met.push(entry)
      }
      return { met, known }
    },
  }
}

/** Apart from the rest, because these two loops are most of the work. */
function keepOnly(bits: Uint32Array, others: Uint32Array, words: number): void {
  for (let word = 0; word < words; word++) bits[word]! &= others[word]!
}

function isEmpty(bits: Uint32Array, words: number): boolean {
  for (let word = 0; word < words; word++) if (bits[word] !== 0) return false
  return true
}

function grown(known: Known, alternatives: number): Known {
  const words = wordsOf(alternatives)
  if (known.length >= words) return known
  const more = new Uint32Array(words)
  more.set(known)
  return more
}
