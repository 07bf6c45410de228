import type { BlockProducer } from './block-producer.ts'
import type { Honest } from './honest.ts'
import type { KindOfLaunch } from './kinds.ts'
import type { People } from './people.ts'
import { drawsFrom } from './ranges.ts'
import type { Position, SimToken } from './tokens.ts'

/** Strangers, slots within which they come, slots until the moment, slots within which they leave, share that does. */
const RANGES = {
  people: [30, 140],
  span: [60, 2_500],
  size: [0.05, 0.6],
  calm: [40, 2_000],
  rush: [2, 400],
  leaves: [0.6, 0.97],
} as const

/** Launches that most holders leave after one moment, though none of them knows another. */
export function createPanics(producer: BlockProducer, people: People, honest: Honest): KindOfLaunch {
  const { random, agenda } = producer
  const draw = drawsFrom(producer.ranges, random, RANGES)

  function panic(token: SimToken, here: readonly Position[], slot: number): void {
    const rush = draw.rush()
    const leaves = draw.leaves()
    const leaving = here.filter(({ tokens }) => tokens > 0 && random.chance(leaves))
    for (const position of leaving)
      agenda.after(slot, 1 + rush * random.float() ** 2, (due) => people.leave(position, due))
    token.heat *= 0.2
    if (token.truth !== null) token.truth.panic = { slot, wallets: leaving.map(({ wallet }) => wallet) }
  }

  return (born, slot) => {
    // its launcher has no tokens to sell
    const token = born.usual(slot, { buys: false })
    const span = draw.span()
    const arrival = { people: Math.ceil(draw.people()), span, size: draw.size(), stays: random.between(0.6, 1) }
    const here = honest.arrive(token, slot, arrival)
    agenda.after(slot, span + draw.calm(), (due) => panic(token, here, due))
    return token
  }
}
