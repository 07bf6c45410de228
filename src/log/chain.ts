import type { Key } from '../base/ids.ts'
import type {
  BalanceEvent,
  ChainEvent,
  CompleteEvent,
  CreateEvent,
  Graduate,
  MigrateEvent,
  PoolEvent,
  Position,
  TradeEvent,
} from '../decode/events.ts'
import {
  LAUNCHPAD_MAX,
  type Launchpad,
  QUOTE,
  QUOTE_MAX,
  type Quote,
  type Quoted,
  VENUE_MAX,
  type Venue,
} from '../decode/events.ts'
import { MalformedBytes, type Reader, type Writer } from './bytes.ts'
import type { KeyReader, KeyWriter } from './keys.ts'

/** Chain events as bytes. The numbers below are part of the log's format: never reuse one. */
const KIND = { trade: 0, create: 1, complete: 2, migrate: 3, pool: 4, balance: 5, graduate: 6 } as const

/**
 * Quotes that every version of entries has. An event in another one makes its entry one of version 4, in which such a quote's
 * number is followed by mint and decimals where it has no price.
 */
const QUOTE_MAX_BEFORE = QUOTE.USDC
/** Quotes of the versions before 4, and of 4. */
export const QUOTES = { before: QUOTE_MAX_BEFORE, all: QUOTE_MAX } as const
/** Whether an entry with this event is of version 4. */
export const hasNewQuote = (event: ChainEvent): boolean => quoteOf(event) > QUOTE_MAX_BEFORE

function quoteOf(event: ChainEvent): Quote {
  if (event.kind === 'migrate') return event.token?.quote ?? QUOTE.SOL
  return 'quote' in event ? event.quote : QUOTE.SOL
}

/** Bits of a trade's second byte; the quote takes one bit (0 where the third byte has one) and the venue three. */
const BUY = 1
const MAYHEM = 2
const HAS_POOL = 4
const HAS_CREATOR = 8
const QUOTE_SHIFT = 4
const VENUE_SHIFT = 5
/** Bits of a trade's third byte: most traders pay for themselves, and most quotes are SOL or USDC. */
const HAS_PAYER = 1
const PAYS_SELF = 2
const HAS_TIPPER = 4
const TIPS_SELF = 8
const HAS_QUOTE = 16

export function writeEvent(w: Writer, keys: KeyWriter, event: ChainEvent): void {
  w.u8(event.kind === 'migrate' && event.token !== undefined ? KIND.graduate : KIND[event.kind])
  keys.sig(event.sig)
  w.num(event.txIndex)
  w.num(event.outer)
  w.num(event.inner)
  keys.key(event.mint)
  switch (event.kind) {
    case 'trade':
      return writeTrade(w, keys, event)
    case 'create':
      return writeCreate(w, keys, event)
    case 'complete':
      return
    case 'migrate':
      keys.key(event.pool)
      return event.token === undefined ? undefined : writeGraduate(w, keys, event.token)
    case 'pool':
      keys.key(event.pool)
      writeQuoted(w, keys, event)
      return w.num(event.decimals)
    case 'balance':
      keys.key(event.owner)
      return w.num(event.amount)
  }
}

/** `quoteMax`: of the entry's version. */
export function readEvent(r: Reader, keys: KeyReader, quoteMax: number): ChainEvent {
  const kind = r.u8()
  const position: Position = { sig: keys.sig(), txIndex: r.int(), outer: r.int(), inner: r.int() }
  const mint = keys.key()
  switch (kind) {
    case KIND.trade:
      return readTrade(r, keys, position, mint, quoteMax)
    case KIND.create:
      return readCreate(r, keys, position, mint, quoteMax)
    case KIND.complete:
      return { kind: 'complete', ...position, mint } satisfies CompleteEvent
    case KIND.migrate:
      return { kind: 'migrate', ...position, mint, pool: keys.key() } satisfies MigrateEvent
    case KIND.graduate:
      return {
        kind: 'migrate',
        ...position,
        mint,
        pool: keys.key(),
        token: readGraduate(r, keys, quoteMax),
      } satisfies MigrateEvent
    case KIND.pool: {
      const pool = keys.key()
      return {
        kind: 'pool',
        ...position,
        mint,
        pool,
        ...readQuoted(r, keys, quoteMax),
        decimals: r.int(),
      } satisfies PoolEvent
    }
    case KIND.balance:
      return { kind: 'balance', ...position, mint, owner: keys.key(), amount: r.int() } satisfies BalanceEvent
    default:
      throw new MalformedBytes(`unknown event kind ${kind}`)
  }
}

function writeGraduate(w: Writer, keys: KeyWriter, token: Graduate): void {
  w.u8(token.launchpad)
  writeQuoted(w, keys, token)
  w.num(token.decimals)
  w.num(token.quoteReserve)
  w.num(token.baseReserve)
  w.u8(token.earlier ? 1 : 0)
}

const readGraduate = (r: Reader, keys: KeyReader, quoteMax: number): Graduate => ({
  launchpad: r.upTo(LAUNCHPAD_MAX) as Launchpad,
  ...readQuoted(r, keys, quoteMax),
  decimals: r.int(),
  quoteReserve: r.num(),
  baseReserve: r.num(),
  earlier: r.bool(),
})

function writeQuoted(w: Writer, keys: KeyWriter, { quote, asset }: Quoted): void {
  w.u8(quote)
  if (quote !== QUOTE.other) return
  if (asset === undefined) throw new Error('a quote without a price has no mint')
  keys.key(asset.mint)
  w.num(asset.decimals)
}

function readQuoted(r: Reader, keys: KeyReader, quoteMax: number): Quoted {
  const quote = r.upTo(quoteMax) as Quote
  return quote === QUOTE.other ? { quote, asset: { mint: keys.key(), decimals: r.int() } } : { quote }
}

function writeTrade(w: Writer, keys: KeyWriter, e: TradeEvent): void {
  const isNew = e.quote > QUOTE_MAX_BEFORE
  w.u8(
    (e.isBuy ? BUY : 0) |
      (e.mayhem ? MAYHEM : 0) |
      (e.pool === null ? 0 : HAS_POOL) |
      (e.creator === null ? 0 : HAS_CREATOR) |
      (isNew ? 0 : e.quote << QUOTE_SHIFT) |
      (e.venue << VENUE_SHIFT),
  )
  keys.key(e.user)
  const payer = e.payer === null ? 0 : e.payer === e.user ? PAYS_SELF : HAS_PAYER
  const tipper = e.tipper === null ? 0 : e.tipper === e.user ? TIPS_SELF : HAS_TIPPER
  w.u8(payer | tipper | (isNew ? HAS_QUOTE : 0))
  if (isNew) writeQuoted(w, keys, e)
  if (payer === HAS_PAYER) keys.key(e.payer!)
  if (tipper === HAS_TIPPER) keys.key(e.tipper!)
  if (e.pool !== null) keys.key(e.pool)
  if (e.creator !== null) keys.key(e.creator)
  w.num(e.quoteAmount)
  w.num(e.userQuote)
  w.num(e.tokenAmount)
  w.num(e.quoteReserve)
  w.num(e.baseReserve)
  w.num(e.quoteBefore)
  w.num(e.realToken)
  w.num(e.supply)
  w.num(e.decimals)
  w.num(e.solBefore)
  w.num(e.solAfter)
}

function readTrade(r: Reader, keys: KeyReader, p: Position, mint: Key, quoteMax: number): TradeEvent {
  const flags = r.u8()
  const venue = flags >> VENUE_SHIFT
  if (venue > VENUE_MAX) throw new MalformedBytes(`unknown venue ${venue}`)
  const user = keys.key()
  const mayHaveQuote = quoteMax > QUOTE_MAX_BEFORE ? HAS_QUOTE : 0
  const payers = r.upTo(HAS_PAYER | PAYS_SELF | HAS_TIPPER | TIPS_SELF | mayHaveQuote)
  const quoted = payers & HAS_QUOTE ? readQuoted(r, keys, quoteMax) : null
  const bit = (flags >> QUOTE_SHIFT) & 1
  if (quoted !== null && (bit !== 0 || quoted.quote <= QUOTE_MAX_BEFORE)) throw new MalformedBytes('two quotes')
  const payer = payers & PAYS_SELF ? user : payers & HAS_PAYER ? keys.key() : null
  const tipper = payers & TIPS_SELF ? user : payers & HAS_TIPPER ? keys.key() : null
  const event: TradeEvent = {
    kind: 'trade',
    sig: p.sig,
    txIndex: p.txIndex,
    outer: p.outer,
    inner: p.inner,
    venue: venue as Venue,
    mint,
    pool: flags & HAS_POOL ? keys.key() : null,
    user,
    isBuy: (flags & BUY) !== 0,
    quote: quoted?.quote ?? (bit as Quote),
    creator: flags & HAS_CREATOR ? keys.key() : null,
    quoteAmount: r.int(),
    userQuote: r.int(),
    tokenAmount: r.int(),
    quoteReserve: r.num(),
    baseReserve: r.num(),
    quoteBefore: r.num(),
    realToken: r.num(),
    supply: r.num(),
    decimals: r.int(),
    mayhem: (flags & MAYHEM) !== 0,
    payer,
    tipper,
    solBefore: r.int(),
    solAfter: r.int(),
  }
  return quoted?.asset === undefined ? event : { ...event, asset: quoted.asset }
}

function writeCreate(w: Writer, keys: KeyWriter, e: CreateEvent): void {
  w.u8(e.launchpad)
  writeQuoted(w, keys, e)
  w.u8(e.mayhem ? 1 : 0)
  keys.key(e.pool)
  keys.key(e.creator)
  keys.key(e.user)
  w.text(e.name)
  w.text(e.symbol)
  w.text(e.uri)
  w.text(e.nameNorm)
  w.text(e.symbolNorm)
  w.num(e.supply)
  w.num(e.decimals)
  w.num(e.quoteReserve)
  w.num(e.baseReserve)
}

function readCreate(r: Reader, keys: KeyReader, position: Position, mint: Key, quoteMax: number): CreateEvent {
  return {
    kind: 'create',
    ...position,
    mint,
    launchpad: r.upTo(LAUNCHPAD_MAX) as CreateEvent['launchpad'],
    ...readQuoted(r, keys, quoteMax),
    mayhem: r.bool(),
    pool: keys.key(),
    creator: keys.key(),
    user: keys.key(),
    name: r.text(),
    symbol: r.text(),
    uri: r.text(),
    nameNorm: r.text(),
    symbolNorm: r.text(),
    supply: r.num(),
    decimals: r.int(),
    quoteReserve: r.num(),
    baseReserve: r.num(),
  }
}
