import { type BlockProducer, SOL } from './block-producer.ts'
import { planBuy, planSell } from './exchange.ts'
import type { Exits } from './exits.ts'
import type { Group } from './groups.ts'
import type { People } from './people.ts'
import type { Position, SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'
import type { AdversaryMove } from './truth.ts'
import { noteMove } from './truth-draft.ts'

/** Dozens of wallets with a token or two; this many base units of the quote buy about one token at launch. */
const DUST = { least: 24, span: 57, quote: 28 }
/** Round trips of a wash, and slots within one and between two. */
const WASH = { least: 10, span: 50, within: 15, between: 40 }
/** The default tip of most bundle bots, lamports. */
const COMMON_TIP = 100_000
/** Slots after entry within which later moves begin. */
const SOON = { from: 40, span: 500 }

/** One launch of an adversary who knows the formulas. */
export interface Plot {
  readonly token: SimToken
  readonly group: Group & { readonly bag: Position[] }
  readonly deployer: Wallet
  readonly moves: ReadonlySet<AdversaryMove>
}

/** The adversary's actions. Each move is recorded in the truth when it is made. */
interface Moves {
  /** Lets a member buy, hidden as the plot requires. */
  buy(plot: Plot, wallet: Wallet, quote: number, slot: number): void
  /** Schedules the moves that follow the launch. */
  begin(plot: Plot, slot: number): void
  /** Sells all bags. */
  sellOut(plot: Plot, exits: Exits, slot: number): void
}

export function createMoves(producer: BlockProducer, people: People): Moves {
  const { random, traders, agenda } = producer

  function bought(plot: Plot, wallet: Wallet, quote: number, slot: number) {
    const action = planBuy(plot.token, wallet, quote)
    if (action === null) return null
    const position = producer.happen(action, slot)
    if (!plot.group.bag.includes(position)) plot.group.bag.push(position)
    plot.group.draft?.wallets.add(wallet)
    producer.funding.lookUp(wallet, slot)
    return action
  }

  function buy(plot: Plot, wallet: Wallet, quote: number, slot: number): void {
    const { token, moves } = plot
    const action = bought(plot, wallet, quote, slot)
    if (action === null) return
    const payer = moves.has('borrowed_payers') ? traders.pick('regular', random) : wallet
    const tip = moves.has('false_tips') ? COMMON_TIP : 0
    if (payer !== wallet) noteMove(token, 'borrowed_payers', slot, wallet)
    if (tip > 0) noteMove(token, 'false_tips', slot, wallet, tip)
    producer.commit(payer, [action], { tip, tipper: wallet })
  }

  function sell({ token }: Plot, position: Position, tokens: number, slot: number): number {
    const action = planSell(position, tokens)
    if (action === null || token.left) return 0
    producer.happen(action, slot)
    producer.commit(position.wallet, [action])
    return action.userQuote
  }

  /** A random non-empty bag, or none. */
  const bagOf = ({ group }: Plot): Position | undefined => {
    const held = group.bag.filter(({ tokens }) => tokens > 0)
    return held.length === 0 ? undefined : random.pick(held)
  }

  const MOVES: Partial<Record<AdversaryMove, (plot: Plot, slot: number) => void>> = {
    dust_holders({ token }, slot) {
      for (let n = DUST.least + random.int(DUST.span); n > 0; n--) {
        const wallet = traders.stranger('adversary')
        agenda.after(slot, 5 + random.int(600), (due) => {
          const action = planBuy(token, wallet, DUST.quote * (1 + random.int(2)))
          if (action === null) return
          producer.happen(action, due)
          producer.commit(wallet, [action])
          noteMove(token, 'dust_holders', due, wallet, action.userQuote)
        })
      }
    },
    split_bags(plot, slot) {
      for (const wallet of plot.group.wallets) {
        agenda.after(slot, SOON.from + random.int(SOON.span), (due) => {
          const from = plot.token.positions.get(wallet)
          if (from === undefined) return
          for (let parts = 2; parts > 0; parts--) give(plot, 'split_bags', from, 1 / (parts + 1), due)
        })
      }
    },
    wash_volume(plot, slot) {
      const wallet = traders.stranger('adversary')
      const rounds = WASH.least + random.int(WASH.span)
      agenda.after(slot, 10 + random.int(200), (due) => wash(plot, wallet, rounds, due))
    },
    sell_and_rebuy(plot, slot) {
      agenda.after(slot, SOON.from + random.int(SOON.span), (due) => {
        const position = bagOf(plot)
        if (position === undefined) return
        const got = sell(plot, position, position.tokens, due)
        if (got > 0) agenda.after(due, 1 + random.int(8), (later) => rebuy(plot, position.wallet, got, later))
      })
    },
  }

  function rebuy(plot: Plot, seller: Wallet, quote: number, slot: number): void {
    const wallet = traders.stranger('adversary')
    const action = bought(plot, wallet, Math.max(1, Math.floor(quote * 0.97)), slot)
    if (action === null) return
    plot.group.draft?.roles.set(wallet, 'rebuyer')
    producer.commit(wallet, [action])
    noteMove(plot.token, 'sell_and_rebuy', slot, seller)
    noteMove(plot.token, 'sell_and_rebuy', slot, wallet, quote - quote * 0.97)
  }

  function wash(plot: Plot, wallet: Wallet, rounds: number, slot: number): void {
    const { token } = plot
    const action = rounds > 0 && !token.left ? planBuy(token, wallet, producer.quoteOf(SOL / 20, token)) : null
    if (action === null) return
    const position = producer.happen(action, slot)
    producer.commit(wallet, [action])
    agenda.after(slot, 1 + random.int(WASH.within), (due) => {
      const got = sell(plot, position, position.tokens, due)
      if (got === 0) return
      noteMove(token, 'wash_volume', due, wallet, Math.max(0, action.userQuote - got))
      agenda.after(due, 1 + random.int(WASH.between), (next) => wash(plot, wallet, rounds - 1, next))
    })
  }

  /** Sends part or all of a bag to an unknown wallet. */
  function give(plot: Plot, move: AdversaryMove, from: Position, part: number, slot: number): Position | null {
    const { token, group } = plot
    const to = traders.stranger('adversary')
    const passed = people.pass(from, to, Math.floor(from.tokens * part))
    if (passed === null) return null
    const received = token.positions.get(to)!
    group.bag.push(received)
    group.draft?.wallets.add(to)
    group.draft?.roles.set(to, 'receiver')
    producer.commit(from.wallet, [passed])
    noteMove(token, move, slot, from.wallet)
    noteMove(token, move, slot, to)
    return received
  }

  return {
    buy,
    begin(plot, slot) {
      for (const move of plot.moves) MOVES[move]?.(plot, slot)
    },
    sellOut(plot, exits, slot) {
      if (!plot.moves.has('transfer_before_sale')) return exits.dump(plot.group, slot)
      for (const from of [...plot.group.bag]) {
        agenda.after(slot, 1 + random.int(40), (due) => void give(plot, 'transfer_before_sale', from, 1, due))
      }
      agenda.after(slot, 60 + random.int(60), (due) => exits.dump(plot.group, due))
    },
  }
}
