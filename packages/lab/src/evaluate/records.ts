/** Reads untrusted JSON: a field of the wrong type counts as missing. */
export type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

export const row = (value: unknown): Row => (isRow(value) ? value : {})
export const rows = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : [])

export const number = (of: Row, name: string): number | null =>
  typeof of[name] === 'number' && Number.isFinite(of[name]) ? of[name] : null

export const string = (of: Row, name: string): string | null => (typeof of[name] === 'string' ? of[name] : null)

export const flag = (of: Row, name: string): boolean | null => (typeof of[name] === 'boolean' ? of[name] : null)
