import { setTimeout as sleep } from 'node:timers/promises'

/** Time as a source sees it; a test brings its own. */
export interface Clock {
  /** milliseconds */
  now(): number
  /** an abort ends it early, without an error */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** setTimeout's longest delay. */
const DELAY_MAX = 2 ** 31 - 1

/** Sleeps; an abort ends it early, without an error. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(milliseconds, DELAY_MAX), undefined, { signal }).catch(() => {})
}

/** Never goes back, from any start: for pauses and budgets. */
export const steadyClock: Clock = { now: () => performance.now(), sleep: pause }

/** Unix milliseconds: where they are compared with the times of blocks. */
export const wallClock: Clock = { now: Date.now, sleep: pause }

/** Milliseconds before attempt `n` (0 is the first repetition): twice as long each time, half of it by chance. */
export const backoff = (n: number, first: number, most: number, random: () => number): number =>
  Math.min(most, first * 2 ** Math.min(n, 30)) * (0.5 + random() / 2)
