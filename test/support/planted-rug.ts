import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { Block } from '@ti/core/model/entries.ts'
import { type ChainEvent, type CreateEvent, LAUNCHPAD, QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import {
  createCurve,
  feeOf,
  quoteBuy,
  quoteSell,
  START_VIRTUAL_SOL,
  START_VIRTUAL_TOKEN,
  TOTAL_SUPPLY,
} from '@ti/lab/simulator/curve.ts'

export const keyOf = (name: string): Key => name.padEnd(32, '.') as Key

/** Who launches it, and those that belong to it. */
export const CREW = ['deployer', 'crew-1', 'crew-2', 'crew-3'].map(keyOf)
export const OTHERS = Array.from({ length: 40 }, (_, n) => keyOf(`other-${n}`))

/** One token's trades, made one after the other on a curve. */
export function createTape(mint: Key) {
  const curve = createCurve(START_VIRTUAL_SOL)
  const held = new Map<Key, number>()
  let sigs = 0
  const head = (txIndex: number) => ({
    ...{ txIndex, outer: 0, inner: 0, mint },
    sig: `${mint.slice(0, 8)}-${sigs++}`.padEnd(64, '.') as Sig,
  })

  function trade(user: Key, isBuy: boolean, amount: number, txIndex: number): TradeEvent {
    const { quote, tokens } = isBuy ? quoteBuy(curve, amount) : quoteSell(curve, amount)
    const sign = isBuy ? 1 : -1
    curve.virtualQuote += sign * quote
    curve.virtualToken -= sign * tokens
    curve.realQuote += sign * quote
    curve.realToken -= sign * tokens
    held.set(user, (held.get(user) ?? 0) + sign * tokens)
    return {
      ...{ kind: 'trade', ...head(txIndex), venue: VENUE.pump, user, payer: user, tipper: null, isBuy, mayhem: false },
      ...{ quote: QUOTE.SOL, pool: keyOf(`curve of ${mint.slice(0, 8)}`), creator: CREW[0]!, quoteBefore: -1 },
      ...{ supply: -1, decimals: 6, solBefore: 10_000_000_000, solAfter: 9_000_000_000 },
      ...{ quoteAmount: quote, tokenAmount: tokens, userQuote: quote + sign * (feeOf(quote, 95) + feeOf(quote, 30)) },
      ...{ quoteReserve: curve.virtualQuote, baseReserve: curve.virtualToken, realToken: curve.realToken },
      ...{ hop: false, account: -1, held: 0 },
    }
  }

  return {
    create: (): CreateEvent => ({
      ...{ kind: 'create', ...head(0), launchpad: LAUNCHPAD.pumpfun, quote: QUOTE.SOL, mayhem: false },
      ...{
        pool: keyOf(`curve of ${mint.slice(0, 8)}`),
        creator: CREW[0]!,
        user: CREW[0]!,
        uri: '',
        payer: null,
        signed: true,
      },
      ...{ name: mint, symbol: mint, nameNorm: mint, symbolNorm: mint, supply: TOTAL_SUPPLY, decimals: 6 },
      ...{ quoteReserve: START_VIRTUAL_SOL, baseReserve: START_VIRTUAL_TOKEN },
    }),
    buy: (user: Key, lamports: number, txIndex = 0) => trade(user, true, lamports, txIndex),
    /** all it has */
    sell: (user: Key, txIndex = 0) => trade(user, false, held.get(user) ?? 0, txIndex),
    held: (user: Key): number => held.get(user) ?? 0,
  }
}

export const blockAt = (slot: number, events: readonly ChainEvent[]): Block => ({
  ...{ kind: 'block', slot, parent: slot - 1, time: 1_000 + Math.floor(slot * 0.4), events },
})

/** A launch, a crew that enters with it for so much each, forty others, and the crew's exit in one block 400 slots later. */
export function plantedRug(
  mint: Key,
  created: number,
  lamports: { readonly crew: number; readonly other: number },
): Block[] {
  const tape = createTape(mint)
  return [
    blockAt(created, [tape.create(), ...CREW.map((user, i) => tape.buy(user, lamports.crew, 1 + i))]),
    ...OTHERS.map((user, n) => blockAt(created + 5 + n * 9, [tape.buy(user, lamports.other)])),
    blockAt(
      created + 400,
      CREW.map((user, i) => tape.sell(user, i)),
    ),
  ]
}
