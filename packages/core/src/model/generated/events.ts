// Made by `npm run model` of the tables in packages/core/src/model: change those.
import type { Key, Sig } from '../../base/ids.ts'
import { MalformedBytes, type Reader, type Writer } from '../bytes.ts'
import {
  assetOf,
  type BalanceEvent,
  type ChainEvent,
  type CreateEvent,
  type Graduate,
  type MigrateEvent,
  type PoolEvent,
  type Quote,
  type QuoteAsset,
  type TradeEvent,
} from '../events.ts'
import type { KeyReader, KeyWriter } from '../keys.ts'

function writeQuoteAsset(w: Writer, keys: KeyWriter, v: QuoteAsset): void {
  keys.key(v.mint)
  w.num(v.decimals)
}

function readQuoteAsset(r: Reader, keys: KeyReader): QuoteAsset {
  return {
    mint: keys.key(),
    decimals: r.int(),
  }
}

function writeGraduate(w: Writer, keys: KeyWriter, v: Graduate): void {
  w.u8(v.launchpad)
  w.u8(v.quote)
  if (v.quote === 3) writeQuoteAsset(w, keys, assetOf(v))
  w.num(v.decimals)
  w.num(v.quoteReserve)
  w.num(v.baseReserve)
  w.u8(v.earlier ? 1 : 0)
}

function readGraduate(r: Reader, keys: KeyReader, quoteMax: number): Graduate {
  const launchpad = r.upTo(8) as Graduate['launchpad']
  const quote = r.upTo(quoteMax) as Quote
  const asset = quote === 3 ? readQuoteAsset(r, keys) : undefined
  const v: Graduate = {
    launchpad,
    quote,
    decimals: r.int(),
    quoteReserve: r.num(),
    baseReserve: r.num(),
    earlier: r.bool(),
  }
  return asset === undefined ? v : { ...v, asset }
}

function writeTradeEvent(w: Writer, keys: KeyWriter, v: TradeEvent): void {
  w.u8(
    (v.isBuy ? 1 : 0) |
      (v.mayhem ? 2 : 0) |
      (v.venue << 5) |
      (v.quote > 1 ? 0 : v.quote << 4) |
      (v.pool === null ? 0 : 4) |
      (v.creator === null ? 0 : 8),
  )
  keys.key(v.user)
  const payer = v.payer === null ? 0 : v.payer === v.user ? 2 : 1
  const tipper = v.tipper === null ? 0 : v.tipper === v.user ? 8 : 4
  w.u8((v.quote > 1 ? 16 : 0) | payer | tipper)
  if (v.quote > 1) w.u8(v.quote)
  if (v.quote === 3) writeQuoteAsset(w, keys, assetOf(v))
  if (payer === 1) keys.key(v.payer!)
  if (tipper === 4) keys.key(v.tipper!)
  if (v.pool !== null) keys.key(v.pool)
  if (v.creator !== null) keys.key(v.creator)
  w.num(v.quoteAmount)
  w.num(v.userQuote)
  w.num(v.tokenAmount)
  w.num(v.quoteReserve)
  w.num(v.baseReserve)
  w.num(v.quoteBefore)
  w.num(v.realToken)
  w.num(v.supply)
  w.num(v.decimals)
  w.num(v.solBefore)
  w.num(v.solAfter)
}

function readTradeEvent(
  r: Reader,
  keys: KeyReader,
  quoteMax: number,
  sig: Sig,
  txIndex: number,
  outer: number,
  inner: number,
  mint: Key,
): ChainEvent {
  const flags = r.u8()
  const venue = (flags >> 5) & 7
  if (venue > 4) throw new MalformedBytes(`unknown venue ${venue}`)
  const user = keys.key()
  const flags2 = r.upTo(quoteMax > 1 ? 31 : 15)
  const stated = (flags2 & 16) !== 0
  const quote = (stated ? r.upTo(quoteMax) : (flags >> 4) & 1) as Quote
  if (stated && (flags & 16 || quote <= 1)) throw new MalformedBytes('two quotes')
  const asset = quote === 3 ? readQuoteAsset(r, keys) : undefined
  const v: TradeEvent = {
    kind: 'trade',
    sig,
    txIndex,
    outer,
    inner,
    mint,
    isBuy: (flags & 1) !== 0,
    mayhem: (flags & 2) !== 0,
    venue: venue as TradeEvent['venue'],
    user,
    quote,
    payer: flags2 & 2 ? user : flags2 & 1 ? keys.key() : null,
    tipper: flags2 & 8 ? user : flags2 & 4 ? keys.key() : null,
    pool: flags & 4 ? keys.key() : null,
    creator: flags & 8 ? keys.key() : null,
    quoteAmount: r.int(),
    userQuote: r.int(),
    tokenAmount: r.int(),
    quoteReserve: r.num(),
    baseReserve: r.num(),
    quoteBefore: r.num(),
    realToken: r.num(),
    supply: r.num(),
    decimals: r.int(),
    solBefore: r.int(),
    solAfter: r.int(),
  }
  return asset === undefined ? v : { ...v, asset }
}

function writeCreateEvent(w: Writer, keys: KeyWriter, v: CreateEvent): void {
  w.u8(v.launchpad)
  w.u8(v.quote)
  if (v.quote === 3) writeQuoteAsset(w, keys, assetOf(v))
  w.u8(v.mayhem ? 1 : 0)
  keys.key(v.pool)
  keys.key(v.creator)
  keys.key(v.user)
  w.text(v.name)
  w.text(v.symbol)
  w.text(v.uri)
  w.text(v.nameNorm)
  w.text(v.symbolNorm)
  w.num(v.supply)
  w.num(v.decimals)
  w.num(v.quoteReserve)
  w.num(v.baseReserve)
}

function readCreateEvent(
  r: Reader,
  keys: KeyReader,
  quoteMax: number,
  sig: Sig,
  txIndex: number,
  outer: number,
  inner: number,
  mint: Key,
): ChainEvent {
  const launchpad = r.upTo(8) as CreateEvent['launchpad']
  const quote = r.upTo(quoteMax) as Quote
  const asset = quote === 3 ? readQuoteAsset(r, keys) : undefined
  const v: CreateEvent = {
    kind: 'create',
    sig,
    txIndex,
    outer,
    inner,
    mint,
    launchpad,
    quote,
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
  return asset === undefined ? v : { ...v, asset }
}

function writeMigrateEvent(keys: KeyWriter, v: MigrateEvent): void {
  keys.key(v.pool)
}

function readMigrateEvent(
  keys: KeyReader,
  sig: Sig,
  txIndex: number,
  outer: number,
  inner: number,
  mint: Key,
): ChainEvent {
  return {
    kind: 'migrate',
    sig,
    txIndex,
    outer,
    inner,
    mint,
    pool: keys.key(),
  }
}

function writePoolEvent(w: Writer, keys: KeyWriter, v: PoolEvent): void {
  keys.key(v.pool)
  w.u8(v.quote)
  if (v.quote === 3) writeQuoteAsset(w, keys, assetOf(v))
  w.num(v.decimals)
}

function readPoolEvent(
  r: Reader,
  keys: KeyReader,
  quoteMax: number,
  sig: Sig,
  txIndex: number,
  outer: number,
  inner: number,
  mint: Key,
): ChainEvent {
  const pool = keys.key()
  const quote = r.upTo(quoteMax) as Quote
  const asset = quote === 3 ? readQuoteAsset(r, keys) : undefined
  const v: PoolEvent = {
    kind: 'pool',
    sig,
    txIndex,
    outer,
    inner,
    mint,
    pool,
    quote,
    decimals: r.int(),
  }
  return asset === undefined ? v : { ...v, asset }
}

function writeBalanceEvent(w: Writer, keys: KeyWriter, v: BalanceEvent): void {
  keys.key(v.owner)
  w.num(v.amount)
}

function readBalanceEvent(
  r: Reader,
  keys: KeyReader,
  sig: Sig,
  txIndex: number,
  outer: number,
  inner: number,
  mint: Key,
): ChainEvent {
  return {
    kind: 'balance',
    sig,
    txIndex,
    outer,
    inner,
    mint,
    owner: keys.key(),
    amount: r.int(),
  }
}

const CHAIN_EVENT_KIND = { trade: 0, create: 1, complete: 2, migrate: 3, pool: 4, balance: 5 } as const

export function writeChainEvent(w: Writer, keys: KeyWriter, v: ChainEvent): void {
  w.u8(v.kind === 'migrate' && v.token !== undefined ? 6 : CHAIN_EVENT_KIND[v.kind])
  keys.sig(v.sig)
  w.num(v.txIndex)
  w.num(v.outer)
  w.num(v.inner)
  keys.key(v.mint)
  switch (v.kind) {
    case 'trade':
      return writeTradeEvent(w, keys, v)
    case 'create':
      return writeCreateEvent(w, keys, v)
    case 'complete':
      return
    case 'migrate':
      writeMigrateEvent(keys, v)
      if (v.token !== undefined) writeGraduate(w, keys, v.token)
      return
    case 'pool':
      return writePoolEvent(w, keys, v)
    case 'balance':
      return writeBalanceEvent(w, keys, v)
  }
}

export function readChainEvent(r: Reader, keys: KeyReader, quoteMax: number): ChainEvent {
  const kind = r.u8()
  const sig = keys.sig()
  const txIndex = r.int()
  const outer = r.int()
  const inner = r.int()
  const mint = keys.key()
  switch (kind) {
    case 0:
      return readTradeEvent(r, keys, quoteMax, sig, txIndex, outer, inner, mint)
    case 1:
      return readCreateEvent(r, keys, quoteMax, sig, txIndex, outer, inner, mint)
    case 2:
      return { kind: 'complete', sig, txIndex, outer, inner, mint }
    case 3:
      return readMigrateEvent(keys, sig, txIndex, outer, inner, mint)
    case 4:
      return readPoolEvent(r, keys, quoteMax, sig, txIndex, outer, inner, mint)
    case 5:
      return readBalanceEvent(r, keys, sig, txIndex, outer, inner, mint)
    case 6: {
      const migrate = readMigrateEvent(keys, sig, txIndex, outer, inner, mint) as MigrateEvent
      return { ...migrate, token: readGraduate(r, keys, quoteMax) }
    }
    default:
      throw new MalformedBytes(`unknown kind ${kind}`)
  }
}
