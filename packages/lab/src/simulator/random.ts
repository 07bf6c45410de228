import { createSfc32, type Sfc32 } from '@ti/core/base/sfc32.ts'

/** Random numbers of the simulated market, which never depend on a clock or Math.random. */
export interface Random extends Sfc32 {
  chance(p: number): boolean
  /** [low, high). */
  between(low: number, high: number): number
  /** [low, high), every factor equally likely; both above 0. */
  scaled(low: number, high: number): number
  /** e^(mu + sigma·z): median `median`, spread `sigma`. */
  lognormal(median: number, sigma: number): number
  exponential(mean: number): number
  /** Knuth's method below 30, normal approximation above. */
  poisson(mean: number): number
  pick<T>(items: readonly T[]): T
}

export function createRandom(a: number, b: number, c: number): Random {
  const sfc32 = createSfc32(a, b, c, 12)
  const { float } = sfc32
  const normal = () => Math.sqrt(-2 * Math.log(1 - float())) * Math.cos(2 * Math.PI * float())
  return {
    ...sfc32,
    chance: (p) => float() < p,
    between: (low, high) => low + (high - low) * float(),
    scaled: (low, high) => low * (high / low) ** float(),
    lognormal: (median, sigma) => median * Math.exp(sigma * normal()),
    exponential: (mean) => -mean * Math.log(1 - float()),
    poisson(mean) {
      if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()))
      const limit = Math.exp(-mean)
      let n = 0
      for (let p = float(); p > limit; p *= float()) n++
      return n
    },
    pick: (items) => items[Math.floor(float() * items.length)]!,
  }
}
