/** One measured ratio against a baseline of the same run. */
export interface BenchRow {
  readonly name: string
  readonly ratio: number
  /** the value the ratio is held against */
  readonly bar: number
  readonly pass: boolean
  /** what was measured, with the absolute numbers */
  readonly detail: string
}
