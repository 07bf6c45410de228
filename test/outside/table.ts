import type { Constant } from './scan.ts'

/** What one publisher says. */
export interface Said {
  readonly by: string
  readonly values: readonly string[]
}

/**
 * A fact of the outside world: where `src` has it, and what others say it is. `one`: each constant there is the one value
 * of every witness; `all`: the constants there are exactly the values of every witness; `some`: each is among the values.
 */
export interface Row {
  readonly fact: string
  readonly kind: Constant['kind']
  /** the end of `Constant.at`, or a pattern for it */
  readonly at: readonly (string | RegExp)[]
  readonly must: 'one' | 'all' | 'some'
  readonly said: readonly Said[]
  /** of `some`: those that have to be there */
  readonly least?: readonly string[]
}

/** A constant that no witness speaks for, with the reason. */
export interface Exempt {
  readonly at: string | RegExp
  readonly kind: Constant['kind']
  readonly why: string
}

const stands = (at: string, place: string | RegExp): boolean =>
  typeof place === 'string' ? at.endsWith(place) : place.test(at)

export const isExempt = ({ at, kind }: Constant, exempt: readonly Exempt[]): boolean =>
  exempt.some((one) => one.kind === kind && stands(at, one.at))

type Judge = (constants: readonly Constant[]) => string[]

/** Tells what is wrong with constants by the table; nothing when each is what its witnesses say. */
export function judgeOf(rows: readonly Row[], exempt: readonly Exempt[]): Judge {
  // which row and exemptions a constant has depends on where it stands, and not on its value
  const found = new Map<string, Entry>()
  const entryOf = (constant: Constant): Entry => {
    const { kind, at } = constant
    const known = found.get(`${kind} ${at}`)
    if (known !== undefined) return known
    const entry = {
      row: rows.find((row) => row.kind === kind && row.at.some((place) => stands(at, place))),
      exempt: exempt.filter((one) => isExempt(constant, [one])),
    }
    found.set(`${kind} ${at}`, entry)
    return entry
  }
  return (constants) => complaints(constants, rows, exempt, entryOf)
}

interface Entry {
  readonly row: Row | undefined
  readonly exempt: readonly Exempt[]
}

function complaints(
  constants: readonly Constant[],
  rows: readonly Row[],
  exempt: readonly Exempt[],
  entryOf: (constant: Constant) => Entry,
): string[] {
  const wrong: string[] = []
  const used = new Map<Row, Constant[]>()
  const unused = new Set(exempt)
  for (const constant of constants) {
    const { row, exempt } = entryOf(constant)
    for (const one of exempt) unused.delete(one)
    if (exempt.length > 0) continue
    if (row === undefined) {
      wrong.push(`${constant.at}: ${constant.kind} ${constant.value} has no row in the table of outside facts`)
      continue
    }
    const before = used.get(row)
    if (before === undefined) used.set(row, [constant])
    else before.push(constant)
    for (const { by, values } of row.said)
      if (!values.includes(constant.value))
        wrong.push(`${constant.at}: ${row.fact} is ${values.join(' or ')} by ${by}, not ${constant.value}`)
  }
  for (const row of rows) {
    const found = used.get(row)
    if (found === undefined) wrong.push(`${row.fact}: nothing stands at ${row.at.join(', ')} any more`)
    if (row.said.length === 0) wrong.push(`${row.fact}: no witness`)
    if (row.must === 'one' && row.said.some(({ values }) => new Set(values).size !== 1))
      wrong.push(`${row.fact}: a witness with several values`)
    for (const value of row.least ?? [])
      if (found !== undefined && !found.some((constant) => constant.value === value))
        wrong.push(`${row.fact}: ${value} is missing`)
    if (row.must !== 'all' || found === undefined) continue
    for (const { by, values } of row.said)
      for (const value of values)
        if (!found.some((constant) => constant.value === value)) wrong.push(`${row.fact}: ${value} of ${by} is missing`)
  }
  for (const one of unused) wrong.push(`${one.at}: nothing to exempt there`)
  return wrong
}
