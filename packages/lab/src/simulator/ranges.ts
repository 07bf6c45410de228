import type { Random } from './random.ts'

/** The least and the largest value of a parameter, both above 0. */
export type Range = readonly [number, number]

/** Draws a value of each parameter. */
export type Draws<T> = { readonly [name in keyof T]: () => number }

/**
 * Narrows each range to a part of it and draws from that part. `own` decides on the part once per market or person, so
 * that no rule can know the parameters of the next one; `random` draws.
 */
export function drawsFrom<T extends Readonly<Record<string, Range>>>(own: Random, random: Random, all: T): Draws<T> {
  const draws = Object.entries(all).map(([name, [least, most]]) => {
    const ends = [own.scaled(least, most), own.scaled(least, most)].sort((a, b) => a - b)
    return [name, () => random.scaled(ends[0]!, ends[1]!)] as const
  })
  return Object.fromEntries(draws) as Draws<T>
}
