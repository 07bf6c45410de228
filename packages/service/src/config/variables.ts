/** One environment variable and its meaning. */
interface Variable<T> {
  readonly name: string
  /** valid values, in words */
  readonly valid: string
  /** undefined: not valid */
  readonly read: (text: string) => T | undefined
  /** the value if the variable is not set */
  readonly otherwise: T
  /** may carry a password or a key: never repeated in a message */
  readonly isSecret: boolean
}

export const variable = <T, D>(
  name: string,
  valid: string,
  read: (text: string) => T | undefined,
  otherwise: D,
): Variable<T | D> => ({ name, valid, read, otherwise, isSecret: false })

export const secret = <T>(one: Variable<T>): Variable<T> => ({ ...one, isSecret: true })

export const text = <D>(name: string, valid: string, check: (text: string) => boolean, otherwise: D) =>
  variable(name, valid, (given) => (check(given) ? given : undefined), otherwise)

/** Any text that a system call takes. */
export const plain = <D>(name: string, valid: string, otherwise: D) =>
  text(name, valid, (given) => !given.includes('\0'), otherwise)

export const oneOf = <const T extends string, const D extends T | null>(
  name: string,
  words: readonly T[],
  otherwise: D,
) => variable<T, D>(name, `one of ${words.join(', ')}`, (given) => words.find((word) => word === given), otherwise)

export const flag = (name: string) =>
  variable(name, '0 or 1', (given) => (given === '0' || given === '1' ? given === '1' : undefined), false)

const within = (value: number, least: number, most: number): number | undefined =>
  value >= least && value <= most ? value : undefined

export const whole = <D extends number | null>(name: string, least: number, most: number, otherwise: D) =>
  variable(
    name,
    `a whole number from ${least} to ${most}`,
    (given) => (/^\d{1,6}$/.test(given) ? within(Number(given), least, most) : undefined),
    otherwise,
  )

export const hours = <D>(name: string, least: number, most: number, otherwise: D) =>
  variable(
    name,
    `hours, ${least} to ${most}, like 6 or 0.5`,
    (given) => (/^\d{1,6}(\.\d{1,6})?$/.test(given) ? within(Number(given), least, most) : undefined),
    otherwise,
  )

export const isHttpUrl = (given: string): boolean => URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)

export const url = <D>(name: string, otherwise: D) => text(name, 'an http or https URL', isHttpUrl, otherwise)

export const withoutSlash = (given: string): string => given.replace(/\/+$/, '')

/** Items between commas, each of them valid. */
export const list = <D>(name: string, valid: string, check: (item: string) => boolean, otherwise: D) =>
  variable(
    name,
    valid,
    (given): readonly string[] | undefined => {
      const items = given.split(',').map((item) => item.trim())
      return items.every(check) ? items : undefined
    },
    otherwise,
  )

/** URLs between commas; empty items do not count. */
export function urlsOf(given: string, least: number, most: number): readonly string[] | undefined {
  const items = given
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
  return items.length >= least && items.length <= most && items.every(isHttpUrl) ? items : undefined
}

export const urls = <D>(name: string, valid: string, otherwise: D) =>
  variable(name, valid, (given) => urlsOf(given, 1, Number.POSITIVE_INFINITY), otherwise)

/** Variables by the names of their options, in groups. */
interface Table {
  readonly [name: string]: Variable<unknown> | Table
}
export type ValuesOf<T> = { readonly [K in keyof T]: T[K] extends Variable<infer V> ? V : ValuesOf<T[K]> }

const isVariable = (entry: Variable<unknown> | Table): entry is Variable<unknown> => typeof entry.read === 'function'

/**
 * The values of a table, and messages about invalid variables by name; those have the value as if not set. An empty variable
 * counts as not set.
 */
export function readTable<T extends Table>(
  table: T,
  env: Readonly<Record<string, string | undefined>>,
): { readonly values: ValuesOf<T>; readonly invalid: ReadonlyMap<string, string> } {
  const invalid = new Map<string, string>()
  function readOne({ name, valid, read, otherwise, isSecret }: Variable<unknown>): unknown {
    const given = env[name]
    if (given === undefined || given === '') return otherwise
    const value = read(given)
    const shown = isSecret ? '' : `=${JSON.stringify(given)}`
    if (value !== undefined) return value
    invalid.set(name, `${name}${shown} is not valid: ${valid}`)
    return otherwise
  }
  const groupOf = (group: Table): object =>
    Object.fromEntries(
      Object.entries(group).map(([name, entry]) => [name, isVariable(entry) ? readOne(entry) : groupOf(entry)]),
    )
  return { values: groupOf(table) as ValuesOf<T>, invalid }
}
