/** Interpolates positions, so that the eye can follow movements. */

interface Spot {
  readonly x: number
  readonly y: number
  readonly r: number
  readonly part: number
}

/** Ease-out curve. */
export const eased = (t: number): number => 1 - (1 - Math.min(1, Math.max(0, t))) ** 3

/** Interpolates each spot; a new one grows in place. */
export function between(from: ReadonlyMap<string, Spot>, to: ReadonlyMap<string, Spot>, t: number): Map<string, Spot> {
  const at = eased(t)
  const mix = (a: number, b: number): number => a + (b - a) * at
  return new Map(
    [...to].map(([id, goal]) => {
      const start = from.get(id) ?? { ...goal, part: 0 }
      return [
        id,
        {
          x: mix(start.x, goal.x),
          y: mix(start.y, goal.y),
          r: mix(start.r, goal.r),
          part: mix(start.part, goal.part),
        },
      ] as const
    }),
  )
}
