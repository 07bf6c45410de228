/** A probability that never falls as the predictor rises: steps from pool adjacent violators. */
interface Isotonic {
  /** first and last predictor value and the probability of each step, ascending */
  readonly from: readonly number[]
  readonly to: readonly number[]
  readonly probability: readonly number[]
}

interface Step {
  from: number
  to: number
  n: number
  positives: number
}

/** Least-squares fit among all non-decreasing functions (Ayer et al. 1955). Equal predictions are pooled first. */
export function fitIsotonic(values: readonly number[], positive: Uint8Array): Isotonic {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!)
  const steps: Step[] = []
  for (const i of order) {
    const value = values[i]!
    const last = steps.at(-1)
    if (last !== undefined && last.to === value && last.from === value) {
      last.n++
      last.positives += positive[i]!
    } else {
      pool(steps)
      steps.push({ from: value, to: value, n: 1, positives: positive[i]! })
    }
  }
  pool(steps)
  return {
    from: steps.map((step) => step.from),
    to: steps.map((step) => step.to),
    probability: steps.map((step) => step.positives / step.n),
  }
}

/** Joins the newest step to those below while it does not stand above them. */
function pool(steps: Step[]): void {
  for (;;) {
    const last = steps.at(-1)
    const below = steps.at(-2)
    if (last === undefined || below === undefined) return
    if (below.positives * last.n < last.positives * below.n) return
    below.to = last.to
    below.n += last.n
    below.positives += last.positives
    steps.pop()
  }
}

/** Constant within a step, linear between two, the outermost step's beyond the ends. Without steps: NaN. */
export function predict({ from, to, probability }: Isotonic, value: number): number {
  const last = from.length - 1
  if (last < 0) return Number.NaN
  if (value <= to[0]!) return probability[0]!
  if (value >= from[last]!) return probability[last]!
  let low = 0
  let high = last
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (from[middle]! <= value) low = middle
    else high = middle - 1
  }
  if (value <= to[low]!) return probability[low]!
  const part = (value - to[low]!) / (from[low + 1]! - to[low]!)
  return probability[low]! + (probability[low + 1]! - probability[low]!) * part
}
