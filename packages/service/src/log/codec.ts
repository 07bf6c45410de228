import { createReader, createWriter, MalformedBytes, type Reader, readList, type Writer } from '@ti/core/model/bytes.ts'
import type { LogEntry, TransactionTerms } from '@ti/core/model/entries.ts'
import { type ChainEvent, QUOTE_MAX } from '@ti/core/model/events.ts'
import {
  readBlockHead,
  readChainName,
  readFactsHead,
  readGapSlots,
  readTransactionTerms,
  writeBlockHead,
  writeChainName,
  writeFactsHead,
  writeGapSlots,
  writeTransactionTerms,
} from '@ti/core/model/generated/entries.ts'
import { readChainEvent, writeChainEvent } from '@ti/core/model/generated/events.ts'
import { readFact, writeFact } from '@ti/core/model/generated/facts.ts'
import { createKeyReader, createKeyWriter, type KeyReader, type KeyWriter } from '@ti/core/model/keys.ts'
import { EXIT, OperatorError } from '../base/errors.ts'

/**
 * A log entry as bytes: version, kind, body, then the tables of keys and signatures. The same entry always gives the
 * same bytes. Every change of them raises the version; entries of another version are rejected.
 */
const VERSION = 6
const KIND = { block: 0, facts: 1, gap: 2, chain: 3 } as const

/** Thrown if the entry at `seq` has another version or damaged bytes. */
export class BadLogEntry extends OperatorError {
  readonly seq: number

  constructor(seq: number, what: string) {
    super(`log entry ${seq} cannot be read: ${what}`, { exitCode: EXIT.badFile })
    this.seq = seq
  }
}

const writer = createWriter()
const keyWriter = createKeyWriter(writer)
const reader = createReader()
const keyReader = createKeyReader(reader)

export function encodeEntry(entry: LogEntry): Buffer {
  writer.take()
  keyWriter.reset()
  writer.u8(VERSION)
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
  } else if (entry.kind === 'gap') writeGapSlots(writer, entry)
  else writeChainName(writer, entry)
  keyWriter.finish()
  return writer.take()
}

/** Throws `BadLogEntry` if `bytes` are not an entry. The result does not reference `bytes`. */
export function decodeEntry(seq: number, bytes: Buffer): LogEntry {
  return named(seq, () => {
    openBody(bytes, keyReader.open(bytes, bytes.length))
    const entry = readBody()
    reader.done()
    return entry
  })
}

/** An entry without its events. `slot` of a gap is its last one. If the kind has none, `slot` is -1 and `time` 0. */
interface EntryHead {
  readonly kind: LogEntry['kind']
  readonly slot: number
  readonly time: number
  readonly events: number
  /** True for facts that the source reported in its own order, which its cursor counts. */
  readonly ofSource: boolean
  /** The name in a chain entry. */
  readonly chain?: string
}

/** Reads only the first few bytes of an entry. */
export function readHead(seq: number, bytes: Buffer): EntryHead {
  return named(seq, () => {
    openBody(bytes, bytes.length)
    const kind = reader.u8()
    switch (kind) {
      case KIND.facts:
        return { kind: 'facts', slot: -1, time: 0, events: 0, ofSource: !readFactsHead(reader).byOperator }
      case KIND.chain:
        return { kind: 'chain', slot: -1, time: 0, events: 0, ofSource: true, chain: readChainName(reader).name }
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

function openBody(bytes: Buffer, end: number): void {
  reader.open(bytes, 0, end)
  const version = reader.u8()
  if (version === VERSION) return
  throw new MalformedBytes(
    `it has version ${version}, this program reads ${VERSION}. \`serve\` with an empty DATA_DIR begins a log anew`,
  )
}

function readBody(): LogEntry {
  const kind = reader.u8()
  switch (kind) {
    case KIND.block: {
      const { slot, parent, time } = readBlockHead(reader)
      const events: ChainEvent[] = []
      for (let left = reader.count(); left > 0; left--) events.push(readChainEvent(reader, keyReader, QUOTE_MAX))
      const terms = readTerms(reader, keyReader, events.length)
      return { kind: 'block', slot, parent, time, events, ...(terms.length === 0 ? {} : { terms }) }
    }
    case KIND.facts: {
      const { time, byOperator } = readFactsHead(reader)
      return { kind: 'facts', time, byOperator, facts: readList(reader, () => readFact(reader, keyReader)) }
    }
    case KIND.gap:
      return { kind: 'gap', ...readGapSlots(reader) }
    case KIND.chain:
      return { kind: 'chain', ...readChainName(reader) }
    default:
      throw new MalformedBytes(`unknown entry kind ${kind}`)
  }
}

/** Each is preceded by the distance of its event from the previous one's. */
function writeTerms(w: Writer, keys: KeyWriter, terms: readonly TransactionTerms[]): void {
  w.num(terms.length)
  let before = 0
  for (const one of terms) {
    w.num(one.event - before)
    before = one.event
    writeTransactionTerms(w, keys, one)
  }
}

function readTerms(r: Reader, keys: KeyReader, events: number): TransactionTerms[] {
  let event = 0
  return readList(r, () => {
    event += r.int()
    if (!(event >= 0 && event < events)) throw new MalformedBytes(`terms of event ${event}, which is not there`)
    return readTransactionTerms(r, keys, event)
  })
}
