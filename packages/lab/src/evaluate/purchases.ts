import { paperBuy, paperSell } from '@ti/core/engine/agents/paper.ts'
import { AGENTS } from '@ti/core/engine/constants.ts'
import { priceOf } from '@ti/core/engine/tokens.ts'
import type { Token } from '@ti/core/model/state.ts'
import type { Agenda } from './agenda.ts'
import { HOUR, type Outcome, QUARTER, STANDARD } from './looks.ts'

/** An outcome that is followed from the moment of asking to the end of the hour. */
interface Open {
  readonly outcome: Outcome
  readonly price: number
  readonly reserve: number
  /** Base units bought for the stake, 0 if nothing could be bought. */
  readonly bag: number
  drained: boolean
  halved: boolean
  /** The sale at the double or at 0.6; null before. */
  sale: { readonly result: number; readonly isGain: boolean } | null
}

const UNKNOWN: Outcome = { drained: null, halved: null, gained: null, quick: null, hour: null, hold: null }

/** Follows tokens after looks and purchases, block by block, with the quotes of the engine's paper trades. */
export interface Purchases {
  /** Fills in `into` as soon as the answers are due. */
  buy<T extends object>(token: Token, slot: number, into: T): T & Outcome
  /** The token has traded in the block that was just folded. */
  traded(token: Token): void
}

export function createPurchases(
  agenda: Agenda,
  tokenOf: (id: number) => Token,
  market: { readonly solUsd: number },
): Purchases {
  const { buyer, drain, halving } = STANDARD
  const open = new Map<number, Set<Open>>()

  function resultOf(token: Token, { bag }: Open): number | null {
    return bag === 0 ? null : paperSell(token, bag, market.solUsd) / AGENTS.stakeLamports - 1
  }

  function settleQuarter(id: number, one: Open): void {
    const token = tokenOf(id)
    const kept = (1 - buyer.fee) ** 2
    one.outcome.gained = one.sale === null ? priceOf(token) * kept > one.price : one.sale.isGain
    one.outcome.quick = one.sale?.result ?? resultOf(token, one)
  }

  function settleHour(id: number, one: Open): void {
    const { outcome, sale, drained, halved } = one
    outcome.hold = resultOf(tokenOf(id), one)
    outcome.hour = sale?.result ?? outcome.hold
    outcome.drained = drained
    outcome.halved = halved
    const all = open.get(id)!
    all.delete(one)
    if (all.size === 0) open.delete(id)
  }

  return {
    buy(token, slot, into) {
      const outcome = Object.assign(into, UNKNOWN)
      const one: Open = {
        outcome,
        price: priceOf(token),
        reserve: token.realQuote,
        bag: paperBuy(token, market.solUsd),
        drained: false,
        halved: false,
        sale: null,
      }
      const { id } = token
      open.set(id, (open.get(id) ?? new Set()).add(one))
      agenda.at(slot + QUARTER, () => settleQuarter(id, one))
      agenda.at(slot + HOUR, () => settleHour(id, one))
      return outcome
    },
    traded(token) {
      const price = priceOf(token)
      for (const one of open.get(token.id) ?? []) {
        if (token.realQuote <= one.reserve * drain.left) one.drained = true
        if (price <= one.price * halving.left) one.halved = true
        const isGain = price >= one.price * buyer.take
        if (one.sale !== null || one.bag === 0 || (!isGain && price > one.price * buyer.stop)) continue
        one.sale = { result: resultOf(token, one)!, isGain }
      }
    },
  }
}
