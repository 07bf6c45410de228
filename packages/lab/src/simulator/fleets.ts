import { type BlockProducer, SOL } from './block-producer.ts'
import type { Exits } from './exits.ts'
import { groupBuy } from './group-buy.ts'
import type { Group } from './groups.ts'
import type { Birth } from './kinds.ts'
import type { People } from './people.ts'
import type { Action } from './plan.ts'
import type { SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'

/** Wallets per fleet, and fleets: on chain, four or five took 79% of supply in 42 creation slots. */
const FLEET = { wallets: 8, least: 4, fleets: 6 }
/** More than a curve costs; the purchase is limited to what is left. */
const EVERYTHING = 200 * SOL
/** SOL for a whole curve, bought in shares by the wallets. */
const CURVE_SOL = 85.3
/** Share of whole-curve launches in which the deployer alone buys, in the launch transaction. */
const ALONE = 0.4

/** Whole-curve launches: the curve sells out in the slot of its creation. */
export interface Fleets {
  launch(born: Birth, exits: Exits, slot: number): SimToken
  /** Buys the token's whole curve for these wallets. `actions` is the launch transaction, not committed yet. */
  take(group: Group, deployer: Wallet, actions: Action[], slot: number): void
}

export function createFleets(producer: BlockProducer, people: People): Fleets {
  const { random, traders } = producer

  const buy = (group: Group, wallet: Wallet, lamports: number, slot: number): Action | null =>
    groupBuy(producer, group, wallet, producer.quoteOf(lamports, group.token), slot)

  function take(group: Group, deployer: Wallet, actions: Action[], slot: number): void {
    const alone = random.chance(ALONE)
    const own = buy(group, deployer, alone ? EVERYTHING : SOL * random.between(1, 4), slot)
    if (own !== null) actions.push(own)
    producer.commit(deployer, actions, { tip: alone ? 2_000_000 : 0 })
    const others = group.wallets.filter((wallet) => wallet !== deployer)
    if (alone) return shareOut(group, deployer, others, slot)
    const bought: Action[] = []
    others.forEach((wallet, i) => {
      const isLast = i === others.length - 1
      const part = (CURVE_SOL / others.length) * random.between(0.85, 1)
      const action = buy(group, wallet, isLast ? EVERYTHING : SOL * part, slot)
      if (action !== null) bought.push(action)
    })
    bought.forEach((action, i) => {
      if (action.kind === 'trade')
        producer.commit(action.wallet, [action], { tip: i === bought.length - 1 ? 2_000_000 : 0, behind: true })
    })
  }

  return {
    take,
    launch(born, exits, slot) {
      const n = Math.floor(FLEET.fleets * random.float() ** 1.5)
      const size = FLEET.least + random.int(2)
      const wallets = Array.from({ length: size }, (_, i) => traders.wallet('fleet', n * FLEET.wallets + i))
      const person = `fleet:${n}`
      for (const wallet of wallets) wallet.hand ??= person
      const deployer = random.chance(0.5) ? wallets[0]! : traders.stranger('deployer')
      const token = born.token(deployer, slot)
      const draft = producer.truth.group(token, 'whole_curve', person)
      const group: Group = { token, type: 'whole_curve', wallets, bag: [], draft }
      take(group, deployer, [{ kind: 'create', token }], slot)
      exits.leave(group, slot)
      return token
    },
  }

  /** After one wallet bought everything, passes shares to the others some blocks later. */
  function shareOut(group: Group, deployer: Wallet, others: readonly Wallet[], slot: number): void {
    for (const to of others) {
      producer.agenda.after(slot, 1 + random.int(20), (due) => {
        const from = group.token.positions.get(deployer)
        if (from === undefined) return
        const part = Math.floor(from.tokens * random.between(0.15, 0.35))
        const passed = people.pass(from, to, part)
        if (passed === null) return
        group.bag.push(group.token.positions.get(to)!)
        group.draft?.wallets.add(to)
        group.draft?.roles.set(to, 'receiver')
        producer.commit(deployer, [passed])
        producer.funding.lookUp(to, due)
      })
    }
  }
}
