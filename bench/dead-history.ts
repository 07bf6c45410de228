import { createHash } from 'node:crypto'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { LAUNCHPAD, QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import type { SourceItem } from '@ti/service/source/source.ts'

/** Launches that a few wallets traded for one minute only, which are most of the chain's history. */
const TRADES = 8
const PER_SLOT = 5

const bytes = (name: string, n: number, size: number): string =>
  createHash('sha512').update(`${name} ${n}`).digest().toString('latin1', 0, size)

export function* deadHistory(tokens: number, firstSlot: number): Generator<SourceItem> {
  for (let n = 0; n < tokens; n += PER_SLOT) {
    const slot = firstSlot + n
    const events = Array.from({ length: Math.min(PER_SLOT, tokens - n) }, (_, i) => launch(n + i)).flat()
    yield { kind: 'decoded', slot, parent: -1, time: slot, events }
  }
}

/** The number of slots that `deadHistory` covers. */
export const deadSlots = (tokens: number): number => tokens + PER_SLOT

function launch(n: number) {
  const mint = bytes('mint', n, 32) as Key
  const pool = bytes('curve', n, 32) as Key
  const creator = bytes('wallet', n * TRADES, 32) as Key
  const at = (inner: number) => ({
    sig: bytes('sig', n * 100 + inner, 64) as Sig,
    txIndex: n % PER_SLOT,
    outer: 0,
    inner,
  })
  const created = {
    kind: 'create' as const,
    ...at(0),
    launchpad: LAUNCHPAD.pumpfun,
    mint,
    pool,
    creator,
    user: creator,
    payer: creator,
    signed: true,
    name: `dead ${n}`,
    symbol: `D${n}`,
    uri: '',
    nameNorm: `dead${n}`,
    symbolNorm: `d${n}`,
    quote: QUOTE.SOL,
    supply: 1e15,
    decimals: 6,
    quoteReserve: 30e9,
    baseReserve: 1_073e12,
    mayhem: false,
  }
  const trades = Array.from({ length: TRADES }, (_, i): TradeEvent => {
    const quoteReserve = 30e9 + (i + 1) * 1e9
    const tokenAmount = 3e13
    return {
      kind: 'trade',
      ...at(i + 1),
      venue: VENUE.pump,
      mint,
      pool,
      user: bytes('wallet', n * TRADES + i, 32) as Key,
      isBuy: true,
      quote: QUOTE.SOL,
      quoteAmount: 1e9,
      userQuote: 1.0125e9,
      tokenAmount,
      quoteReserve,
      baseReserve: 1_073e12 - (i + 1) * tokenAmount,
      quoteBefore: -1,
      realToken: 793.1e12 - (i + 1) * tokenAmount,
      supply: 1e15,
      decimals: 6,
      creator,
      mayhem: false,
      payer: null,
      tipper: null,
      solBefore: 5e9,
      solAfter: 4e9,
      hop: false,
      account: -1,
      held: 0,
    }
  })
  return [created, ...trades]
}
