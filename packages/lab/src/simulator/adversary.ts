import { createMoves, type Plot } from './adversary-moves.ts'
import type { BlockProducer } from './block-producer.ts'
import type { Crews } from './crews.ts'
import { planBuy } from './exchange.ts'
import type { Exits } from './exits.ts'
import type { Fleets } from './fleets.ts'
import type { Birth } from './kinds.ts'
import type { People } from './people.ts'
import type { Action } from './plan.ts'
import type { SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'
import { ADVERSARY_MOVES, type AdversaryMove } from './truth.ts'
import { noteMove } from './truth-draft.ts'

/** People who know the formulas, and the recurring wallets of each. */
const PEOPLE = 16
const WALLETS = 64
/** Wallets that really buy, and moves per launch. */
const MEMBERS = { least: 4, span: 6 }
const MOVES = { least: 2, span: 4 }
/** Share of launches that take the whole curve, which costs 85 SOL. */
const WHOLE_CURVE = 0.02
/** Share of launches whose wallets are funded by one exchange; the others have a funder each. */
const RINGS = 0.4
/** Slots that sleepers stay: an hour or more. */
const SLEEP = { from: 9_000, mean: 3_000 }
/** Slots after the launch at which late members enter, when the early checks are over. */
const LATE = { from: 200, span: 1_300 }

/** Launches by people who know how tokens are judged. */
interface Adversary {
  launch(born: Birth, slot: number): SimToken
}

export function createAdversary(
  producer: BlockProducer,
  people: People,
  crews: Crews,
  fleets: Fleets,
  exits: Exits,
): Adversary {
  const { random, traders, agenda } = producer
  const moves = createMoves(producer, people)

  function chooseMoves(): Set<AdversaryMove> {
    if (random.chance(WHOLE_CURVE)) return new Set(['whole_curve', 'dust_holders'])
    const chosen = new Set<AdversaryMove>()
    const wanted = MOVES.least + random.int(MOVES.span)
    while (chosen.size < wanted) {
      const move = random.pick(ADVERSARY_MOVES)
      if (move !== 'whole_curve') chosen.add(move)
    }
    return chosen
  }

  function membersOf(person: number, slot: number): Wallet[] {
    const members = Array.from({ length: MEMBERS.least + random.int(MEMBERS.span) }, (_, i) =>
      random.chance(0.5) ? traders.wallet('adversary', person * WALLETS + 1 + i) : traders.stranger('adversary'),
    )
    for (const wallet of members) wallet.hand ??= `adversary:${person}`
    if (random.chance(RINGS)) crews.ring(members, slot)
    return members
  }

  function enter(plot: Plot, slot: number): void {
    const late = plot.moves.has('late_entry')
    for (const wallet of plot.group.wallets) {
      const delay = late ? LATE.from + random.int(LATE.span) : random.int(30)
      producer.soon(slot, delay, (due) => {
        moves.buy(plot, wallet, producer.sizeOf(wallet, plot.token), due)
        if (late) noteMove(plot.token, 'late_entry', due, wallet)
      })
    }
  }

  function leave(plot: Plot, slot: number): void {
    const { group, token } = plot
    const entered = slot + (plot.moves.has('late_entry') ? LATE.from + LATE.span : 30)
    if (plot.moves.has('sleeping_wallets')) {
      for (const wallet of group.wallets) noteMove(token, 'sleeping_wallets', slot, wallet)
      agenda.after(slot, SLEEP.from + random.exponential(SLEEP.mean), (due) => moves.sellOut(plot, exits, due))
    } else agenda.after(entered, 60 + random.int(600), (due) => moves.sellOut(plot, exits, due))
  }

  return {
    launch(born, slot) {
      const n = random.int(PEOPLE)
      const deployer = random.chance(0.5) ? traders.wallet('adversary', n * WALLETS) : traders.stranger('adversary')
      const chosen = chooseMoves()
      const token = born.token(deployer, slot)
      const draft = producer.truth.group(token, 'adversary', `adversary:${n}`)
      const group = { token, type: 'adversary' as const, wallets: membersOf(n, slot), bag: [], draft }
      const plot: Plot = { token, group, deployer, moves: chosen }
      const actions: Action[] = [{ kind: 'create', token }]
      if (chosen.has('whole_curve')) {
        fleets.take(group, deployer, actions, slot)
        for (const wallet of group.draft?.wallets ?? []) noteMove(token, 'whole_curve', slot, wallet)
        moves.begin(plot, slot)
        exits.leave(group, slot)
        return token
      }
      if (chosen.has('copied_image')) {
        token.copiesImage = true
        noteMove(token, 'copied_image', slot, deployer)
      }
      const own = random.chance(0.5) ? planBuy(token, deployer, producer.sizeOf(deployer, token)) : null
      if (own !== null) {
        actions.push(own)
        draft?.wallets.add(deployer)
        plot.group.bag.push(producer.happen(own, slot))
      }
      producer.commit(deployer, actions)
      enter(plot, slot)
      moves.begin(plot, slot)
      leave(plot, slot)
      return token
    },
  }
}
