export const REGRESSIONS: readonly {
  readonly file: string
  readonly seed: number
  readonly depth: number
  readonly found: string
}[]
