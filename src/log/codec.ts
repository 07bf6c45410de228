import type { ChainEvent, Fact, LogEntry } from '../decode/events.ts'
import { createReader, createWriter, MalformedBytes } from './bytes.ts'
import { hasNewQuote, QUOTES, readEvent, writeEvent } from './chain.ts'
import { readFact, writeFact } from './facts.ts'
import { createKeyReader, createKeyWriter } from './keys.ts'
import { readTerms, writeTerms } from './terms.ts'

/**
 * A log entry as bytes: version, kind, body, then the keys and signatures it refers to. The same entry always gives
 * the same bytes. Version 2 is version 3 without the terms of a block's transactions, and is read as well. Version 4 is version 3
 * with events quoted in something else than SOL or USDC: entries without one stay as they were, so that a log which has none
 * can be read by the release before.
 */
const VERSION = 3
const WITHOUT_TERMS = 2
const WITH_QUOTES = 4
const KIND = { block: 0, facts: 1, gap: 2 } as const

/** The entry at `seq` cannot be read: it was not written by this version, or the file is damaged. */
export class BadLogEntry extends Error {
  override readonly name = 'BadLogEntry'
  readonly seq: number

  constructor(seq: number, what: string) {
    super(`log entry ${seq} cannot be read: ${what}`)
    this.seq = seq
  }
}

const writer = createWriter()
const keyWriter = createKeyWriter(writer)
const reader = createReader()
const keyReader = createKeyReader(reader)

/** The bytes are valid until the next call. */
export function encodeEntry(entry: LogEntry): Buffer {
  writer.take()
  keyWriter.reset()
  writer.u8(entry.kind === 'block' && entry.events.some(hasNewQuote) ? WITH_QUOTES : VERSION)
  writer.u8(KIND[entry.kind])
  if (entry.kind === 'block') {
    writer.num(entry.slot)
    writer.num(entry.parent)
    writer.num(entry.time)
    writer.num(entry.events.length)
    for (const event of entry.events) writeEvent(writer, keyWriter, event)
    writeTerms(writer, keyWriter, entry.terms ?? [])
  } else if (entry.kind === 'facts') {
    writer.num(entry.time)
    writer.u8(entry.byOperator ? 1 : 0)
    writer.num(entry.facts.length)
    for (const fact of entry.facts) writeFact(writer, keyWriter, fact)
  } else {
    writer.num(entry.from)
    writer.num(entry.to)
  }
  keyWriter.finish()
  return writer.take()
}

/** Throws `BadLogEntry` where `bytes` are not an entry; nothing in the answer refers to `bytes`. */
export function decodeEntry(seq: number, bytes: Buffer): LogEntry {
  return named(seq, () => {
    const bodyEnd = keyReader.open(bytes, bytes.length)
    const entry = readBody(openBody(bytes, bodyEnd))
    reader.done()
    return entry
  })
}

/** What an entry is, without its events. `slot` of a gap is its last; it is -1 and `time` 0 where the kind has none. */
export interface EntryHead {
  readonly kind: LogEntry['kind']
  readonly slot: number
  readonly time: number
  readonly events: number
  /** facts that the source told in its own order, which its cursor counts */
  readonly ofSource: boolean
}

/** Reads the first few bytes of an entry only. */
export function readHead(seq: number, bytes: Buffer): EntryHead {
  return named(seq, () => {
    openBody(bytes, bytes.length)
    const kind = reader.u8()
    if (kind === KIND.facts) {
      reader.num()
      return { kind: 'facts', slot: -1, time: 0, events: 0, ofSource: !reader.bool() }
    }
    if (kind !== KIND.gap && kind !== KIND.block) throw new MalformedBytes(`unknown entry kind ${kind}`)
    const first = reader.int()
    const second = reader.int()
    if (kind === KIND.gap) return { kind: 'gap', slot: second, time: 0, events: 0, ofSource: true }
    return { kind: 'block', slot: first, time: reader.num(), events: reader.count(), ofSource: true }
  })
}

function named<T>(seq: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedBytes) throw new BadLogEntry(seq, error.message)
    throw error
  }
}

/** The version. */
function openBody(bytes: Buffer, end: number): number {
  reader.open(bytes, 0, end)
  const version = reader.u8()
  if (version < WITHOUT_TERMS || version > WITH_QUOTES)
    throw new MalformedBytes(`version ${version}, this program reads ${WITHOUT_TERMS} to ${WITH_QUOTES}`)
  return version
}

function readBody(version: number): LogEntry {
  const kind = reader.u8()
  switch (kind) {
    case KIND.block: {
      const slot = reader.int()
      const parent = reader.int()
      const time = reader.num()
      const events: ChainEvent[] = []
      const quoteMax = version === WITH_QUOTES ? QUOTES.all : QUOTES.before
      for (let left = reader.count(); left > 0; left--) events.push(readEvent(reader, keyReader, quoteMax))
      if (version === WITH_QUOTES && !events.some(hasNewQuote)) throw new MalformedBytes('no quote of its version')
      const terms = version === WITHOUT_TERMS ? [] : readTerms(reader, keyReader, events.length)
      return { kind: 'block', slot, parent, time, events, ...(terms.length === 0 ? {} : { terms }) }
    }
    case KIND.facts: {
      const time = reader.num()
      const byOperator = reader.bool()
      const facts: Fact[] = []
      for (let left = reader.count(); left > 0; left--) facts.push(readFact(reader, keyReader))
      return { kind: 'facts', time, byOperator, facts }
    }
    case KIND.gap:
      return { kind: 'gap', from: reader.int(), to: reader.int() }
    default:
      throw new MalformedBytes(`unknown entry kind ${kind}`)
  }
}
