import type { BlockProducer } from './block-producer.ts'
import type { Honest } from './honest.ts'
import type { KindOfLaunch } from './kinds.ts'
import { drawsFrom } from './ranges.ts'

/** Holders, slots within which they come, SOL of each. */
const RANGES = { people: [250, 1_600], span: [1_500, 9_000], size: [0.02, 0.15] } as const

/** Launches that grow to a thousand holders, who mostly stay. */
export function createGrown(producer: BlockProducer, honest: Honest): KindOfLaunch {
  const { random } = producer
  const draw = drawsFrom(producer.ranges, random, RANGES)
  return (born, slot) => {
    const token = born.usual(slot)
    honest.arrive(token, slot, {
      people: draw.people(),
      span: draw.span(),
      size: draw.size(),
      stays: random.between(0.4, 0.9),
    })
    return token
  }
}
