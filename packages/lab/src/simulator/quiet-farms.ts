import { type BlockProducer, SOL } from './block-producer.ts'
import type { Crews } from './crews.ts'
import { costOf, planBuy, planSell } from './exchange.ts'
import type { Exits } from './exits.ts'
import { groupBuy } from './group-buy.ts'
import type { Group } from './groups.ts'
import type { Honest } from './honest.ts'
import type { Birth } from './kinds.ts'
import type { Action } from './plan.ts'
import { type Draws, drawsFrom } from './ranges.ts'
import type { Position, SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'

/**
 * Wallets; their share of supply; slots within which they enter; slots until they leave, and within which (a second to 25
 * minutes); sales of each; share of new wallets; share with equal bags; honest holders, and slots within which they come.
 */
const RANGES = {
  wallets: [3, 25],
  supply: [0.06, 0.5],
  entry: [2.5, 3_750],
  wait: [50, 3_000],
  exit: [2.5, 3_750],
  parts: [1, 8],
  fresh: [0.1, 1],
  equal: [0.05, 1],
  crowd: [25, 200],
  span: [100, 4_000],
  size: [0.06, 0.5],
} as const
/** People behind them, and the recurring wallets of each. */
const PEOPLE = 6
const WALLETS = 40
/** How the wallets got their first SOL: jointly, or each on its own. */
const MONEY = ['exchange', 'purse', 'hops', 'apart'] as const
const SUPPLY = 1_000_000_000_000_000
const RETRY = { after: 40, times: 20 }

interface Person {
  readonly name: string
  readonly money: (typeof MONEY)[number]
  readonly draw: Draws<typeof RANGES>
  readonly wallet: (n: number) => Wallet
}

/** A farm on its own launch, from its first purchase to its last sale. */
export interface Farm {
  readonly group: Group
  /** Slot from which on it sells. */
  readonly leaves: number
  readonly wallet: (n: number) => Wallet
}

/** Farms that take their time: they enter and leave over seconds or minutes, among honest holders. */
export interface QuietFarms {
  launch(born: Birth, slot: number): Farm
}

export function createQuietFarms(producer: BlockProducer, crews: Crews, exits: Exits, honest: Honest): QuietFarms {
  const { random, agenda, ranges } = producer
  const persons = Array.from({ length: PEOPLE }, (_, p): Person => {
    const draw = drawsFrom(ranges, random, RANGES)
    const old = (n: number) => producer.traders.wallet('farmer', p * WALLETS + (n % WALLETS))
    const wallet = (n: number) => (random.chance(draw.fresh()) ? producer.traders.stranger('farmer') : old(n))
    return { name: `farmer:${p}`, money: ranges.pick(MONEY), draw, wallet }
  })

  function enter({ wallets, ...group }: Group, { draw }: Person, slot: number): number {
    const { token } = group
    const whole = SUPPLY * draw.supply()
    const entry = draw.entry()
    const isEqual = random.chance(draw.equal())
    const weights = wallets.map(() => (isEqual ? 1 : random.lognormal(1, 0.6)))
    const sum = weights.reduce((a, b) => a + b, 0)
    wallets.forEach((wallet, i) => {
      producer.soon(slot, entry * random.float(), (due) => {
        const quote = costOf(token, Math.floor((whole * weights[i]!) / sum))
        const action = groupBuy(producer, { ...group, wallets }, wallet, quote, due)
        if (action !== null) producer.commit(wallet, [action], { tip: random.chance(0.2) ? 100_000 : 0 })
      })
    })
    return Math.ceil(entry)
  }

  function sell(position: Position, parts: number, slot: number, tries = RETRY.times): void {
    const action = planSell(position, Math.ceil(position.tokens / parts))
    if (action !== null) {
      producer.happen(action, slot)
      producer.commit(position.wallet, [action], { tip: random.chance(0.2) ? 100_000 : 0 })
    } else if (position.tokens > 0 && tries > 0)
      agenda.after(slot, RETRY.after, (due) => sell(position, parts, due, tries - 1))
  }

  function leave(group: Group, { draw }: Person, span: number, slot: number): void {
    const { token } = group
    if (token.left) return exits.dump(group, slot)
    const before = token.price
    const parts = Math.round(draw.parts())
    for (const position of group.bag) {
      const moments = Array.from({ length: parts }, () => span * random.float()).sort((a, b) => a - b)
      moments.forEach((moment, i) => {
        producer.soon(slot, moment, (due) => sell(position, parts - i, due))
      })
    }
    agenda.after(slot, span + 2, (due) => exits.notice(group, before, slot, due))
  }

  function launchOf(token: SimToken, own: number): Action[] {
    const bought = own > 0 ? planBuy(token, token.deployer, producer.quoteOf(SOL * own, token)) : null
    return bought === null ? [{ kind: 'create', token }] : [{ kind: 'create', token }, bought]
  }

  return {
    launch(born, slot) {
      const person = random.pick(persons)
      const { draw, name, money, wallet } = person
      const wallets = [...new Set(Array.from({ length: Math.round(draw.wallets()) }, (_, i) => wallet(1 + i)))]
      const deployer = wallet(0)
      for (const one of [deployer, ...wallets]) one.hand ??= name
      crews.pay([deployer, ...wallets], money, slot)
      const token = born.token(deployer, slot)
      const group: Group = { token, type: 'quiet', wallets, bag: [], draft: producer.truth.group(token, 'quiet', name) }
      const actions = launchOf(token, random.chance(0.7) ? random.lognormal(0.5, 1) : 0)
      for (const action of actions) {
        if (action.kind !== 'trade') continue
        group.draft?.wallets.add(deployer)
        group.bag.push(producer.happen(action, slot))
      }
      producer.commit(deployer, actions)
      producer.funding.lookUp(deployer, slot, true)
      const span = draw.span()
      honest.arrive(token, slot, { people: draw.crowd(), span, size: draw.size(), stays: random.between(0.3, 0.9) })
      const leaves = slot + enter(group, person, slot) + Math.ceil(draw.wait())
      const exit = draw.exit()
      agenda.after(slot, leaves - slot, (due) => leave(group, person, exit, due))
      return { group, leaves, wallet }
    },
  }
}
