import type { BlockProducer } from './block-producer.ts'
import { planSell } from './exchange.ts'
import type { Group } from './groups.ts'
import type { People } from './people.ts'
import type { Position } from './tokens.ts'
import type { Wallet } from './traders.ts'
import { noteTrade } from './truth-draft.ts'

/** Share of groups that leave within five minutes (Pine Analytics on same-block snipes: 85% of exits). */
const SOON = { part: 0.85 }
/** Slots until a group begins to sell. Early groups must finish in time; the others are patient. */
const BEGINS = { from: 25, span: 450, patientFrom: 800, patientMean: 2_500 }
/** Slots within which late members follow. */
const SWEEP = 180
/** Kinds of exits: bags go to one wallet first, or each wallet sells, in one block or over several. */
const CONSOLIDATES = 0.3
const ONE_BLOCK = 0.45
/** Whole-curve fleets: slots until their bags move (28 measured on chain: 10 to 46 s), and share that does not. */
const FLEET = { from: 25, span: 90, stays: 0.1 }
/** Share of consolidations with visible transfers; the others are in no block that a source delivers. */
const TRANSFERS_SEEN = 0.6
/** Slots after a group began to sell within which its proceeds count as taken by that sale. */
const TAKEN_SLOTS = 150
/** The price drop from which a sale of insiders counts as a rug. */
const RUG = 0.3

/** Exits of groups. */
export interface Exits {
  /** Plans the exit of a group that entered in `slot`. */
  leave(group: Group, slot: number): void
  /** Begins the exit now. */
  dump(group: Group, slot: number): void
  /** Ends an exit that began in `slot` at the price `before`: others react to what it did to the price. */
  notice(group: Group, before: number, slot: number, until: number): void
}

export function createExits(producer: BlockProducer, people: People): Exits {
  const { random, agenda } = producer

  function sell(position: Position, tokens: number, slot: number): void {
    const action = planSell(position, Math.min(tokens, position.tokens))
    if (action === null) return
    producer.happen(action, slot)
    producer.commit(position.wallet, [action], { tip: random.chance(0.3) ? 300_000 : 0 })
  }

  function dump(group: Group, slot: number): void {
    const { token, bag } = group
    if (token.left) return sellUnseen(group, slot)
    if (token.migrateSlot >= 0 && token.pool === null) {
      agenda.after(slot, 20, (due) => dump(group, due))
      return
    }
    const before = token.price
    const fleet = group.type === 'whole_curve'
    if (bag.length >= 3 && random.chance(fleet ? 1 - FLEET.stays : CONSOLIDATES)) {
      consolidate(group, fleet ? bag.length : 1, slot)
    } else {
      const span = random.chance(ONE_BLOCK) ? 0 : 40
      for (const position of bag)
        producer.soon(slot, random.int(span + 1), (due) => sell(position, position.tokens, due))
    }
    agenda.after(slot, SWEEP, (due) => {
      for (const position of bag) sell(position, position.tokens, due)
    })
    agenda.after(slot, 100, () => notice(group, before, slot, slot + TAKEN_SLOTS))
  }

  /** Sells in a pool that is not followed, which no reader of blocks sees. */
  function sellUnseen({ token, bag }: Group, slot: number): void {
    for (const position of bag) {
      if (position.tokens > 0) noteTrade(token, position.wallet, false, position.tokens * token.price, slot)
      position.tokens = 0
    }
  }

  /** Other traders react: the larger the drop, the fewer stay. */
  function notice({ token, draft }: Group, before: number, slot: number, until: number): void {
    const left = Math.min(1, token.price / before)
    token.heat *= left * left
    if (left > 1 - RUG) return
    token.rugged = true
    if (draft !== null) token.truth?.rugs.push({ bundle: draft, slot, until })
  }

  /** Sends the bags to new wallets, one for all or one each, which sell. */
  function consolidate(group: Group, collectors: number, slot: number): void {
    const to = Array.from({ length: collectors }, () => producer.traders.stranger('crew'))
    const seen = random.chance(TRANSFERS_SEEN)
    const bags = [...group.bag]
    bags.forEach((position, i) => {
      const collector = to[i % to.length]!
      producer.soon(slot, random.int(25), () => receive(group, position, collector, seen))
    })
    for (const collector of to) sellInParts(group, collector, slot)
  }

  function receive({ token, bag, draft }: Group, from: Position, collector: Wallet, seen: boolean): void {
    const passed = people.pass(from, collector, from.tokens)
    if (passed === null) return
    draft?.wallets.add(collector)
    draft?.roles.set(collector, 'collector')
    const received = token.positions.get(collector)!
    if (!bag.includes(received)) bag.push(received)
    if (seen) producer.commit(from.wallet, [passed])
  }

  function sellInParts({ token }: Group, collector: Wallet, slot: number): void {
    const parts = 1 + random.int(4)
    for (let part = 0; part < parts; part++) {
      agenda.after(slot, 30 + 12 * part, (due) => {
        const received = token.positions.get(collector)
        if (received !== undefined) sell(received, Math.ceil(received.tokens / (parts - part)), due)
      })
    }
  }

  return {
    leave(group, slot) {
      if (group.type === 'whole_curve') {
        agenda.after(slot, FLEET.from + random.int(FLEET.span), (due) => dump(group, due))
        return
      }
      const soon = random.chance(SOON.part)
      const delay = soon
        ? BEGINS.from + random.int(BEGINS.span)
        : BEGINS.patientFrom + random.exponential(BEGINS.patientMean)
      agenda.after(slot, delay, (due) => dump(group, due))
    },
    dump,
    notice,
  }
}
