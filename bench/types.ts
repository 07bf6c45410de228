/** One measured ratio against a baseline of the same run. */
export interface BenchRow {
  readonly name: string
  readonly ratio: number
  /** The required value; null if it is only measured. */
  readonly bar: number | null
  readonly pass: boolean
  /** The measurement with its absolute numbers. */
  readonly detail: string
}
