import type { BlockProducer } from './block-producer.ts'
import type { People } from './people.ts'
import { PROFILES, type Wallet } from './traders.ts'

/** Slots between two purchases of an agent, on average. */
const EVERY = 150
/** Live tokens that the n-th agent compares, so that some are better than others. */
const COMPARES = [1, 1, 2, 3, 5, 8, 12, 20]

/** Wallets that the operator lists as agents: each buys the best of some live tokens now and then. */
export interface Agents {
  /** Called once per slot. */
  act(slot: number): void
}

export function createAgents(producer: BlockProducer, people: People): Agents {
  const { random, traders, crowd } = producer
  const agents = Array.from({ length: PROFILES.agent.wallets }, (_, n): readonly [Wallet, number] => [
    traders.wallet('agent', n),
    COMPARES[n]!,
  ])
  return {
    act(slot) {
      for (const [agent, compares] of crowd.idle ? [] : agents) {
        if (!random.chance(1 / EVERY)) continue
        const seen = Array.from({ length: compares }, () => crowd.draw(random))
        people.buy(
          seen.reduce((best, one) => (one.quality > best.quality ? one : best)),
          agent,
          slot,
        )
      }
    },
  }
}
