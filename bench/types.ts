/** One measured ratio against a baseline of the same run. */
export interface BenchRow {
  readonly name: string
  readonly ratio: number
  /** the value the ratio is held against; null: it is only measured */
  readonly bar: number | null
  readonly pass: boolean
  /** what was measured, with the absolute numbers */
  readonly detail: string
}
