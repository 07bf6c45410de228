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

const rowOf = (constant: Constant, rows: readonly Row[]): Row | undefined =>
  rows.find((row) => row.kind === constant.kind && row.at.some((place) => stands(constant.at, place)))

export const isExempt = ({ at, kind }: Constant, exempt: readonly Exempt[]): boolean =>
  exempt.some((one) => one.kind === kind && stands(at, one.at))

/** What is wrong with the constants by the table; empty when each is what its witnesses say. Pure. */
export function complaints(constants: readonly Constant[], rows: readonly Row[], exempt: readonly Exempt[]): string[] {
  const wrong: string[] = []
  const used = new Map<Row, Constant[]>()
  for (const constant of constants) {
    if (isExempt(constant, exempt)) continue
    const row = rowOf(constant, rows)
    if (row === undefined) {
      wrong.push(`${constant.at}: ${constant.kind} ${constant.value} has no row in the table of outside facts`)
      continue
    }
    used.set(row, [...(used.get(row) ?? []), constant])
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
  for (const one of exempt)
    if (!constants.some((constant) => isExempt(constant, [one]))) wrong.push(`${one.at}: nothing to exempt there`)
  return wrong
}
