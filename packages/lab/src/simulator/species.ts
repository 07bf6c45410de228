import { type BlockProducer, SOL } from './block-producer.ts'
import { QUIET } from './crowd.ts'
import { planBuy, planSell } from './exchange.ts'
import type { People } from './people.ts'
import type { Action } from './plan.ts'
import type { SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'

/** Bots that hold almost nothing of everything: share of launches, bots, wallets each, lamports of a buy. */
const DUST = { part: 0.1, bots: 12, wallets: 64, least: 1_000, most: 60_000 }
/** The number of gifts that fit into one transaction. */
const GIFTS = 4
/** Trades after which a dominated token's busiest wallet appears, and its probability to answer another trade. */
const DOMINATOR = { after: 12, answers: 0.97, sells: 0.5 }

/** Participants that are neither people nor groups. */
export interface Species {
  /** Called after a launch. */
  launched(token: SimToken, slot: number): void
  /** Called after a trade. */
  traded(token: SimToken, wallet: Wallet, slot: number): void
}

export function createSpecies(producer: BlockProducer, people: People): Species {
  const { random, traders, agenda } = producer

  function buyDust(token: SimToken, wallet: Wallet, slot: number): void {
    const lamports = DUST.least + random.int(DUST.most - DUST.least)
    const action = planBuy(token, wallet, Math.max(1, producer.quoteOf(lamports, token)))
    if (action === null) return
    producer.happen(action, slot)
    producer.commit(wallet, [action])
    token.truth?.dusters.add(wallet)
  }

  /** One of the bot's wallets buys, and sends a token or two to many others. */
  function giveAway(token: SimToken, wallet: Wallet, slot: number): void {
    const action = planBuy(token, wallet, producer.quoteOf(SOL / 500, token))
    if (action === null) return
    const from = producer.happen(action, slot)
    producer.commit(wallet, [action])
    token.truth?.dusters.add(wallet)
    for (let n = 2 + random.int(6); n > 0; n--) {
      agenda.after(slot, 1 + random.int(100), () => {
        const gifts: Action[] = []
        for (let i = 0; i < GIFTS; i++) {
          const to = traders.pick('regular', random)
          if (gifts.some((gift) => gift.kind === 'transfer' && gift.to === to)) continue
          const gift = people.pass(from, to, (1 + random.int(2)) * 1_000_000)
          if (gift !== null) gifts.push(gift)
        }
        if (gifts.length > 0) producer.commit(wallet, gifts)
      })
    }
  }

  function answer(token: SimToken, wallet: Wallet, slot: number): void {
    if (token.heat + token.excitement < QUIET) return
    const position = token.positions.get(wallet)
    const sells = position !== undefined && position.tokens > 0 && random.chance(DOMINATOR.sells)
    const action = sells ? planSell(position, position.tokens) : planBuy(token, wallet, producer.sizeOf(wallet, token))
    if (action === null) return
    producer.happen(action, slot)
    producer.commit(wallet, [action])
  }

  return {
    launched(token, slot) {
      if (!random.chance(DUST.part)) return
      const first = random.int(DUST.bots) * DUST.wallets
      const wallet = (n: number) => traders.wallet('duster', first + n)
      if (random.chance(0.3)) {
        producer.soon(slot, 1 + random.int(100), (due) => giveAway(token, wallet(0), due))
        return
      }
      for (let n = 3 + random.int(14); n > 0; n--)
        agenda.after(slot, 1 + random.int(150), (due) => buyDust(token, wallet(n), due))
    },
    traded(token, wallet, slot) {
      if (!token.dominated || token.trades < DOMINATOR.after || wallet === token.dominator) return
      token.dominator ??= traders.stranger('dominator')
      const { dominator } = token
      if (random.chance(DOMINATOR.answers))
        agenda.after(slot, 1 + random.int(5), (due) => answer(token, dominator, due))
    },
  }
}
