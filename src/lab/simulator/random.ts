/**
 * A seeded generator (sfc32, Chris Doty-Humphrey's small fast counter): the same seed gives the same numbers on every
 * machine. Nothing here reads a clock or Math.random.
 */
export interface Random {
  /** starts anew, as if just created */
  reseed(a: number, b: number, c: number): void
  /** [0, 2^32) */
  uint32(): number
  /** [0, 1), 32 bits */
  float(): number
  /** [0, n), whole */
  int(n: number): number
  chance(p: number): boolean
  /** [low, high) */
  between(low: number, high: number): number
  /** e^(mu + sigma·z): median `median`, spread `sigma` */
  lognormal(median: number, sigma: number): number
  exponential(mean: number): number
  /** Knuth below 30, normal approximation above */
  poisson(mean: number): number
  pick<T>(items: readonly T[]): T
}

export function createRandom(a: number, b: number, c: number): Random {
  let x = 0
  let y = 0
  let z = 0
  let counter = 0
  const uint32 = () => {
    const t = (x + y + counter) | 0
    counter = (counter + 1) | 0
    x = y ^ (y >>> 9)
    y = (z + (z << 3)) | 0
    z = (z << 21) | (z >>> 11)
    z = (z + t) | 0
    return t >>> 0
  }
  const reseed = (a: number, b: number, c: number) => {
    x = a | 0
    y = b | 0
    z = c | 0
    counter = 1
    // the first outputs of similar seeds resemble each other
    for (let i = 0; i < 12; i++) uint32()
  }
  const float = () => uint32() / 4_294_967_296
  const normal = () => Math.sqrt(-2 * Math.log(1 - float())) * Math.cos(2 * Math.PI * float())
  reseed(a, b, c)
  return {
    reseed,
    uint32,
    float,
    int: (n) => Math.floor(float() * n),
    chance: (p) => float() < p,
    between: (low, high) => low + (high - low) * float(),
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
