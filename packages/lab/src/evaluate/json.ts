import type { Report } from './report.ts'

const DIGITS = 6

/** The report as JSON with six significant digits; more would be noise and differ between libraries. */
export const toJson = (report: Report): string =>
  `${JSON.stringify(report, (_, value) => (typeof value === 'number' ? rounded(value) : value), 1)}\n`

/** Values that JSON cannot express become null. Whole numbers are not rounded. */
function rounded(value: number): number | null {
  if (!Number.isFinite(value)) return null
  return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))
}
