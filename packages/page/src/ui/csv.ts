/** Writes CSV by RFC 4180, without cells that a spreadsheet would run as a formula. */

export type CsvValue = string | number | boolean | null

/** first characters of a formula */
const FORMULA = /^[=+\-@\t\r]/

function field(value: CsvValue): string {
  if (value === null) return ''
  if (typeof value !== 'string') return String(value)
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The first row decides the columns. */
export function csvOf(rows: readonly Readonly<Record<string, CsvValue>>[]): string {
  const columns = Object.keys(rows[0] ?? {})
  const lines = [columns.map(field), ...rows.map((row) => columns.map((column) => field(row[column] ?? null)))]
  return lines.map((line) => `${line.join(',')}\r\n`).join('')
}
