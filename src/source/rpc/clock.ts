import { pause } from '../capture/pace.ts'

/** Time as the source sees it; a test brings its own. */
export interface Clock {
  /** milliseconds that never go back, from any start */
  now(): number
  /** an abort ends it early, without an error */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

export const systemClock: Clock = { now: () => performance.now(), sleep: pause }

/** Milliseconds before attempt `n` (0 is the first repetition): twice as long each time, half of it by chance. */
export const backoff = (n: number, first: number, most: number, random: () => number): number =>
  Math.min(most, first * 2 ** Math.min(n, 30)) * (0.5 + random() / 2)
