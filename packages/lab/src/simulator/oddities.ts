import { createAdversary } from './adversary.ts'
import type { BlockProducer } from './block-producer.ts'
import type { Crews } from './crews.ts'
import type { Exits } from './exits.ts'
import { createFleets } from './fleets.ts'
import type { Group } from './groups.ts'
import type { People } from './people.ts'
import type { SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'

/** Share of launches whose curve sells out in the slot of its creation. */
const WHOLE_CURVE = 0.0035

/** Launches of the harder market that differ from the first transaction on. */
export interface Oddities {
  /** The launch, or null for an ordinary one. */
  launch(born: (deployer: Wallet) => SimToken, slot: number): SimToken | null
}

export function createOddities(producer: BlockProducer, people: People, crews: Crews, exits: Exits): Oddities {
  const { random, rules } = producer
  const fleets = createFleets(producer, people)
  const adversary = createAdversary(producer, people, crews, fleets, exits)

  function wholeCurve(born: (deployer: Wallet) => SimToken, slot: number): SimToken {
    const { deployer, wallets, person } = fleets.muster()
    const token = born(deployer)
    const draft = producer.truth.group(token, 'whole_curve', person)
    const group: Group = { token, type: 'whole_curve', wallets, bag: [], draft }
    fleets.take(group, deployer, [{ kind: 'create', token }], slot)
    exits.leave(group, slot)
    return token
  }

  return {
    launch(born, slot) {
      const what = random.float()
      if (what < WHOLE_CURVE) return wholeCurve(born, slot)
      return what < WHOLE_CURVE + rules.adversary ? adversary.launch(born, slot) : null
    },
  }
}
