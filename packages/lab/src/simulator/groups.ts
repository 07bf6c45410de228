import { type BlockProducer, SOL } from './block-producer.ts'
import type { Crews } from './crews.ts'
import type { Exits } from './exits.ts'
import { groupBuy } from './group-buy.ts'
import type { People } from './people.ts'
import type { Action } from './plan.ts'
import type { Position, SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'
import { BUNDLE_TYPES, type BundleType, type GroupType } from './truth.ts'
import type { BundleDraft } from './truth-draft.ts'

type Style = Exclude<BundleType, 'farm'>
const STYLES = BUNDLE_TYPES.filter((type): type is Style => type !== 'farm')
/** The number of owners that fit into one transaction. */
const ATOMIC_MAX = 4
/** Several wallets of one owner on one token. */
export interface Group {
  readonly token: SimToken
  readonly type: GroupType
  readonly wallets: readonly Wallet[]
  /** All positions they got of the token. */
  readonly bag: Position[]
  readonly draft: BundleDraft | null
}

/** Coordinated wallets: the ways each kind enters, hides and leaves. */
export interface Groups {
  /** Lets a group of a random kind join a launch; `deployer`: the deployer, if it is behind the group. */
  join(token: SimToken, deployer: Wallet | null, slot: number): void
  /** Called before a serial rugger's launch. */
  employ: Crews['employ']
  /** Lets a serial rugger's wallets join its own launch. `actions` is the launch transaction, not committed yet. */
  conspire(own: Position, actions: Action[], slot: number): void
}

export function createGroups(producer: BlockProducer, people: People, crews: Crews, exits: Exits): Groups {
  const { random, agenda } = producer

  const tip = () => 100_000 + Math.floor(random.exponential(1_500_000))
  const sizeOf = (token: SimToken) => producer.quoteOf(SOL * Math.min(8, random.lognormal(0.45, 0.8)), token)

  const enter = groupBuy.bind(null, producer)

  function enterAlone(group: Group, wallet: Wallet, quote: number, slot: number, payer = wallet): void {
    const action = enter(group, wallet, quote, slot)
    if (action !== null) producer.commit(payer, [action], { tip: random.chance(0.2) ? tip() : 0 })
  }

  function atomic(group: Group, slot: number): void {
    const { wallets, token } = group
    for (let i = 0; i < wallets.length; i += ATOMIC_MAX) {
      const actions: Action[] = []
      for (const wallet of wallets.slice(i, i + ATOMIC_MAX)) {
        const action = enter(group, wallet, sizeOf(token), slot)
        if (action !== null) actions.push(action)
      }
      if (actions.length > 0) producer.commit(wallets[i]!, actions, { tip: tip(), tipper: wallets[0]! })
    }
  }

  function sideBySide(group: Group, slot: number, oneTipper: boolean): void {
    const { wallets, token } = group
    if (oneTipper) return tippedAtTheEnd(group, slot)
    for (const wallet of wallets) {
      const action = enter(group, wallet, sizeOf(token), slot)
      if (action !== null) producer.commit(wallet, [action], { tip: random.chance(0.4) ? tip() : 0 })
    }
  }

  /** Pays block engines as real bundles do: only the last transaction has the tip, from its own payer. */
  function tippedAtTheEnd(group: Group, slot: number): void {
    const { wallets, token } = group
    const bought: Action[] = []
    for (const wallet of wallets) {
      const action = enter(group, wallet, sizeOf(token), slot)
      if (action !== null) bought.push(action)
    }
    bought.forEach((action, i) => {
      if (action.kind !== 'trade') return
      producer.commit(action.wallet, [action], { tip: i === bought.length - 1 ? tip() : 0, behind: i > 0 })
    })
  }

  function oneByOne(group: Group, slot: number, from: number, span: number, quote?: number, payer?: Wallet): void {
    for (const wallet of group.wallets) {
      producer.soon(slot, from + random.int(span), (due) => {
        // nearly identical if an amount is given: within 0.4%
        const amount = quote === undefined ? sizeOf(group.token) : Math.floor(quote * random.between(0.996, 1.004))
        enterAlone(group, wallet, amount, due, payer ?? wallet)
      })
    }
  }

  /** The buyer passes tokens on beside small further buys, because a source of trades shows no other transfers. */
  function passOn(group: Group, slot: number): void {
    const { token } = group
    const [first, ...others] = group.wallets
    const action = enter(group, first!, 3 * sizeOf(token), slot)
    if (action === null) return
    producer.commit(first!, [action])
    for (const to of others) {
      agenda.after(slot, 1 + random.int(40), (due) => {
        const more = enter(group, first!, producer.quoteOf(SOL * random.between(0.01, 0.1), token), due)
        if (more === null) return
        const from = token.positions.get(first!)!
        const passed = handOver(group, from, to, Math.floor(from.tokens * random.between(0.2, 0.5)), due)
        producer.commit(first!, passed === null ? [more] : [more, passed])
      })
    }
  }

  function handOver(group: Group, from: Position, to: Wallet, tokens: number, slot: number): Action | null {
    const passed = people.pass(from, to, tokens)
    if (passed === null) return null
    group.bag.push(group.token.positions.get(to)!)
    group.draft?.wallets.add(to)
    group.draft?.roles.set(to, 'receiver')
    producer.funding.lookUp(to, slot)
    return passed
  }

  const ENTRIES: Readonly<Record<Style, (group: Group, slot: number) => void>> = {
    same_tx: atomic,
    same_slot: (group, slot) => sideBySide(group, slot, true),
    parallel: (group, slot) => sideBySide(group, slot, false),
    spread: (group, slot) => oneByOne(group, slot, 2, 29),
    funder_chain: (group, slot) => oneByOne(group, slot, 0, random.chance(0.5) ? 40 : 150),
    copied_amounts: (group, slot) => oneByOne(group, slot, 0, 4, sizeOf(group.token)),
    paid_fees: (group, slot) => oneByOne(group, slot, 0, 20, undefined, group.wallets[0]!),
    transfer: passOn,
  }

  return {
    employ: crews.employ,
    join(token, deployer, slot) {
      const type = random.pick(STYLES)
      const { wallets, person } = crews.gather(type, deployer, slot)
      const group: Group = { token, type, wallets, bag: [], draft: producer.truth.group(token, type, person) }
      const own = deployer === null ? undefined : token.positions.get(deployer)
      if (own !== undefined && own.tokens > 0) {
        group.bag.push(own)
        group.draft?.wallets.add(own.wallet)
      }
      ENTRIES[type](group, slot)
      exits.leave(group, slot)
    },
    conspire(own, actions, slot) {
      const { token, wallet: deployer } = own
      const { wallets, person } = crews.helpers(deployer, slot)
      const group: Group = {
        token,
        type: 'farm',
        wallets,
        bag: [own],
        draft: producer.truth.group(token, 'farm', person),
      }
      group.draft?.wallets.add(deployer)
      producer.funding.lookUp(deployer, slot, true)
      const style = random.float()
      for (const wallet of style < 0.3 ? wallets.slice(0, ATOMIC_MAX - 1) : []) {
        const action = enter(group, wallet, sizeOf(token), slot)
        if (action !== null) actions.push(action)
      }
      if (style >= 0.9 && wallets.length > 0) {
        const passed = handOver(group, own, wallets[0]!, Math.floor(own.tokens / 3), slot)
        if (passed !== null) actions.push(passed)
      }
      producer.commit(deployer, actions, { tip: 1_000_000 })
      const rest: Group = style < 0.3 ? { ...group, wallets: wallets.slice(ATOMIC_MAX - 1) } : group
      if (style < 0.6) sideBySide(rest, slot, random.chance(0.6))
      else oneByOne(rest, slot, 0, random.chance(0.5) ? 8 : 40)
      exits.leave(group, slot)
    },
  }
}
