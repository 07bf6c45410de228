import type { Report } from './report.ts'

const DIGITS = 6

/** The whole report with six digits that count: more would be noise, and would differ between libraries. */
export const toJson = (report: Report): string =>
  `${JSON.stringify(report, (_, value) => (typeof value === 'number' ? rounded(value) : value), 1)}\n`

/** What JSON has no word for is null. Whole numbers stay as they are. */
function rounded(value: number): number | null {
  if (!Number.isFinite(value)) return null
  return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))
}
