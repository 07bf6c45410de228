import { type BlockProducer, SOL } from './block-producer.ts'
import { planBuy } from './exchange.ts'
import type { KindOfLaunch } from './kinds.ts'
import type { People } from './people.ts'
import type { Action } from './plan.ts'
import { drawsFrom } from './ranges.ts'

/** Launchers, how much more the first ones launch, SOL of their own purchase, slots until they sell it. */
const RANGES = { launchers: [3, 60], skew: [1, 3], own: [0.5, 4.5], sells: [30, 85] } as const

/** Launch services: a few wallets that launch without end and sell what they bought half a minute later. */
export function createServices(producer: BlockProducer, people: People): KindOfLaunch {
  const { random, traders, agenda, ranges } = producer
  const { launchers, skew, own, sells } = drawsFrom(ranges, random, RANGES)
  const count = launchers()
  const power = skew()
  const habits = new Map<number, number>()
  return (born, slot) => {
    const n = Math.floor(count * random.float() ** power)
    const deployer = traders.wallet('service', n)
    const token = born.token(deployer, slot)
    const actions: Action[] = [{ kind: 'create', token }]
    // each spends the same every time
    const size = habits.get(n) ?? own()
    habits.set(n, size)
    const buy = planBuy(token, deployer, producer.quoteOf(SOL * size, token))
    if (buy !== null) {
      actions.push(buy)
      const position = producer.happen(buy, slot)
      agenda.after(slot, random.lognormal(sells(), 0.6), (due) => people.leave(position, due))
    }
    producer.commit(deployer, actions)
    producer.funding.lookUp(deployer, slot, true)
    return token
  }
}
