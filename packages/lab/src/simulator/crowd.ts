import type { Random } from './random.ts'
import type { SimToken } from './tokens.ts'

/** tokens the simulated market keeps trading at once; older ones go quiet first */
const SIMULATOR_TOKENS_MAX = 3_000

/** Attention below which a token is dead. */
export const QUIET = 0.004

/** Distributes the market's attention among live tokens. */
export interface Crowd {
  follow(token: SimToken): void
  /** Runs once per slot: attention cools, and tokens without any leave. */
  weigh(): void
  /** True if no token has attention. */
  readonly idle: boolean
  /** Draws a token by its share as of the last weighing. */
  draw(random: Random): SimToken
}

export function createCrowd(): Crowd {
  /** oldest first; tokens added after the weighing come after index `weighed` */
  let live: SimToken[] = []
  let sums = new Float64Array(64)
  let weighed = 0
  return {
    get idle() {
      return weighed === 0
    },
    follow(token) {
      if (!live.includes(token)) live.push(token)
    },
    weigh() {
      if (live.length > SIMULATOR_TOKENS_MAX) live = live.slice(live.length - SIMULATOR_TOKENS_MAX)
      if (sums.length < live.length) sums = new Float64Array(live.length * 2)
      let sum = 0
      weighed = 0
      for (const token of live) {
        token.heat *= token.cooling
        token.excitement *= 0.965
        const share = (token.heat + token.excitement) * (0.25 + 0.75 * (token.price / token.highPrice))
        if (share < QUIET) continue
        live[weighed] = token
        sum += share
        sums[weighed++] = sum
      }
      live.length = weighed
    },
    draw(random) {
      const x = random.float() * (sums[weighed - 1] ?? 0)
      let low = 0
      let high = weighed - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if (sums[middle]! > x) high = middle
        else low = middle + 1
      }
      return live[low]!
    },
  }
}
