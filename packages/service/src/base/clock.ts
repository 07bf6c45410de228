import { setTimeout as sleep } from 'node:timers/promises'

/** The clock of a source; tests replace it. */
export interface Clock {
  /** milliseconds */
  now(): number
  /** an abort ends it early, without an error */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** The longest delay that setTimeout accepts. */
const DELAY_MAX = 2 ** 31 - 1

/** Sleeps; an abort ends it early, without an error. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.min(milliseconds, DELAY_MAX), undefined, { signal }).catch(() => {})
}

/** Monotonic milliseconds from an arbitrary start: for pauses and budgets. */
export const steadyClock: Clock = { now: () => performance.now(), sleep: pause }

/** Unix milliseconds, comparable with block times. */
export const wallClock: Clock = { now: Date.now, sleep: pause }

/** Milliseconds before retry `n` (from 0): the delay doubles each time, with random jitter of up to half of it. */
export const backoff = (n: number, first: number, most: number, random: () => number): number =>
  Math.min(most, first * 2 ** Math.min(n, 30)) * (0.5 + random() / 2)
