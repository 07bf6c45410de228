import type { AppLife } from '@ti/core/contract/app.ts'
import { duration, usd } from './format.ts'

/** The drawing of a launch's life, the same everywhere: a place is the same time and the same market cap in all of them. */

export const LIFE = { width: 150, height: 32 } as const
/** px around it, for the marks */
const EDGE = 4
/** seconds at the end of the axis, and at its middle */
const [LAST_S, MIDDLE_S] = [86_400, 290]
/** USD at the bottom and at the top */
const [LEAST, MOST] = [3_000, 300_000]

const within = (share: number): number => Math.min(1, Math.max(0, share))
const bend = (LAST_S - 2 * MIDDLE_S) / MIDDLE_S ** 2

/** Logarithmic, from the launch to a day after it. */
export const across = (s: number): number =>
  EDGE + (LIFE.width - 2 * EDGE) * within(Math.log1p(s * bend) / Math.log1p(LAST_S * bend))

export const down = (mcap: number): number =>
  LIFE.height -
  EDGE -
  (LIFE.height - 2 * EDGE) * within(Math.log(Math.max(mcap, LEAST) / LEAST) / Math.log(MOST / LEAST))

type Point = readonly [x: number, y: number]

/** From the launch over the peak to now; what was drained has fallen by then. */
export function lineOf({ peak, mcap, drained_s, age_s }: AppLife): readonly Point[] {
  const top = peak === null ? [] : [[across(peak.s), down(peak.mcap)] as const]
  const fall = drained_s === null || drained_s < (peak?.s ?? 0) ? [] : [[across(drained_s), down(mcap)] as const]
  return [[across(0), down(LEAST)], ...top, ...fall, [across(age_s), down(mcap)]]
}

/** Height of the line at x. */
export function heightAt(line: readonly Point[], x: number): number {
  const next = line.findIndex(([at]) => at >= x)
  const [to, from] = [line.at(next), line[Math.max(0, next - 1)]]
  if (to === undefined || from === undefined) return LIFE.height / 2
  return to[0] === from[0] ? to[1] : from[1] + ((to[1] - from[1]) * (x - from[0])) / (to[0] - from[0])
}

const STATE = {
  ...{ live: 'still trading', dead: 'no longer trading', taken_over: 'drained once, then taken over by others' },
  ...{ drained: 'drained', rugged: 'rugged' },
} as const

/** "graduated after 22 s, rugged after 3 min" */
export function fateOf({
  state,
  graduated_s,
  drained_s,
}: Pick<AppLife, 'state' | 'graduated_s' | 'drained_s'>): string {
  const end = drained_s === null ? STATE[state] : `${STATE[state]} after ${duration(drained_s)}`
  return graduated_s === null ? end : `graduated after ${duration(graduated_s)}, ${end}`
}

export const lifeInWords = (life: AppLife): string =>
  `${life.peak === null ? '' : `peaked at ${usd(life.peak.mcap)} after ${duration(life.peak.s)}, `}${fateOf(life)}`
