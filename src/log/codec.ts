import { createReader, createWriter, MalformedBytes, type Reader, readList, type Writer } from '../model/bytes.ts'
import type { LogEntry, TransactionTerms } from '../model/entries.ts'
import { type ChainEvent, QUOTE, QUOTE_MAX, QUOTE_MAX_BEFORE } from '../model/events.ts'
import {
  readBlockHead,
  readFactsHead,
  readGapSlots,
  readTransactionTerms,
  writeBlockHead,
  writeFactsHead,
  writeGapSlots,
  writeTransactionTerms,
} from '../model/generated/entries.ts'
import { readChainEvent, writeChainEvent } from '../model/generated/events.ts'
import { readFact, writeFact } from '../model/generated/facts.ts'
import { createKeyReader, createKeyWriter, type KeyReader, type KeyWriter } from '../model/keys.ts'

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

/** In such a quote's place stand mint and decimals too where it has no price. */
const hasNewQuote = (event: ChainEvent): boolean => quoteOf(event) > QUOTE_MAX_BEFORE

function quoteOf(event: ChainEvent): number {
  if (event.kind === 'migrate') return event.token?.quote ?? QUOTE.SOL
  return 'quote' in event ? event.quote : QUOTE.SOL
}

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
    writeBlockHead(writer, entry)
    writer.num(entry.events.length)
    for (const event of entry.events) writeChainEvent(writer, keyWriter, event)
    writeTerms(writer, keyWriter, entry.terms ?? [])
  } else if (entry.kind === 'facts') {
    writeFactsHead(writer, entry)
    writer.num(entry.facts.length)
    for (const fact of entry.facts) writeFact(writer, keyWriter, fact)
  } else writeGapSlots(writer, entry)
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
interface EntryHead {
  readonly kind: LogEntry['kind']
  readonly slot: number
  readonly time: number
  readonly events: number
  /** facts that the source reported in its own order, which its cursor counts */
  readonly ofSource: boolean
}

/** Reads the first few bytes of an entry only. */
export function readHead(seq: number, bytes: Buffer): EntryHead {
  return named(seq, () => {
    openBody(bytes, bytes.length)
    const kind = reader.u8()
    switch (kind) {
      case KIND.facts:
        return { kind: 'facts', slot: -1, time: 0, events: 0, ofSource: !readFactsHead(reader).byOperator }
      case KIND.gap:
        return { kind: 'gap', slot: readGapSlots(reader).to, time: 0, events: 0, ofSource: true }
      case KIND.block: {
        const { slot, time } = readBlockHead(reader)
        return { kind: 'block', slot, time, events: reader.count(), ofSource: true }
      }
      default:
        throw new MalformedBytes(`unknown entry kind ${kind}`)
    }
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
      const { slot, parent, time } = readBlockHead(reader)
      const quoteMax = version === WITH_QUOTES ? QUOTE_MAX : QUOTE_MAX_BEFORE
      const events: ChainEvent[] = []
      for (let left = reader.count(); left > 0; left--) events.push(readChainEvent(reader, keyReader, quoteMax))
      if (version === WITH_QUOTES && !events.some(hasNewQuote)) throw new MalformedBytes('no quote of its version')
      const terms = version === WITHOUT_TERMS ? [] : readTerms(reader, keyReader, events.length)
      return { kind: 'block', slot, parent, time, events, ...(terms.length === 0 ? {} : { terms }) }
    }
    case KIND.facts: {
      const { time, byOperator } = readFactsHead(reader)
      return { kind: 'facts', time, byOperator, facts: readList(reader, () => readFact(reader, keyReader)) }
    }
    case KIND.gap:
      return { kind: 'gap', ...readGapSlots(reader) }
    default:
      throw new MalformedBytes(`unknown entry kind ${kind}`)
  }
}

/** Each behind how far its event is from that of the one before. */
function writeTerms(w: Writer, keys: KeyWriter, terms: readonly TransactionTerms[]): void {
  w.num(terms.length)
  let before = 0
  for (const one of terms) {
    w.num(one.event - before)
    before = one.event
    writeTransactionTerms(w, keys, one)
  }
}

/** `events`: how many the block has. */
function readTerms(r: Reader, keys: KeyReader, events: number): TransactionTerms[] {
  let event = 0
  return readList(r, () => {
    event += r.int()
    if (!(event >= 0 && event < events)) throw new MalformedBytes(`terms of event ${event}, which is not there`)
    return readTransactionTerms(r, keys, event)
  })
}
