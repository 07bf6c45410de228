/**
 * Known moments of the chain: [slot, Unix seconds]. Between two of them time is interpolated; outside, a slot takes 0.4
 * s. Accurate to some minutes, for data with only slot or time.
 */
const ANCHORS: readonly (readonly [number, number])[] = [
  [344556402, 1749038413],
  [356560168, 1753811735],
  [366586929, 1757782395],
  [430584458, 1783107384],
  [435948490, 1785328584],
]
/** seconds of a slot before the first anchor and after the last */
const SLOT_SECONDS = 0.4

/** The estimated slot at a time. */
export const slotAt = (time: number): number => Math.max(0, Math.round(between(1, 0, time, 1 / SLOT_SECONDS)))

/** The estimated Unix seconds of a slot. */
export const timeAt = (slot: number): number => Math.max(0, Math.floor(between(0, 1, slot, SLOT_SECONDS)))

function between(from: 0 | 1, to: 0 | 1, value: number, pace: number): number {
  const first = ANCHORS[0]!
  if (value <= first[from]) return first[to] + (value - first[from]) * pace
  for (let i = 1; i < ANCHORS.length; i++) {
    const left = ANCHORS[i - 1]!
    const right = ANCHORS[i]!
    if (value <= right[from])
      return left[to] + ((value - left[from]) * (right[to] - left[to])) / (right[from] - left[from])
  }
  const last = ANCHORS[ANCHORS.length - 1]!
  return last[to] + (value - last[from]) * pace
}
