import type { Rent, TransactionTerms } from '../decode/events.ts'
import { MalformedBytes, type Reader, type Writer } from './bytes.ts'
import type { KeyReader, KeyWriter } from './keys.ts'

/** Terms of transactions as bytes, behind the events of their block. The numbers below are part of the log's format. */
const VERSIONS = ['legacy', 0, 1] as const
/** Two bits for the version, then what there is. */
const VERSION_BITS = 3
const HAS_TIP = 4
const HAS_TABLES = 8
const HAS_RENTS = 16

export function writeTerms(w: Writer, keys: KeyWriter, terms: readonly TransactionTerms[]): void {
  w.num(terms.length)
  let before = 0
  for (const { event, version, priorityFee, computeUnitLimit, tip, tables, rents } of terms) {
    w.num(event - before)
    before = event
    w.u8(
      VERSIONS.indexOf(version) |
        (tip === null ? 0 : HAS_TIP) |
        (tables.length === 0 ? 0 : HAS_TABLES) |
        (rents.length === 0 ? 0 : HAS_RENTS),
    )
    w.num(priorityFee)
    w.num(computeUnitLimit)
    if (tip !== null) {
      keys.key(tip.payer)
      w.num(tip.lamports)
      w.num(tip.outer)
      w.num(tip.inner)
    }
    if (tables.length > 0) {
      w.num(tables.length)
      for (const table of tables) keys.key(table)
    }
    if (rents.length > 0) {
      w.num(rents.length)
      for (const { payer, owner, mint } of rents) for (const key of [payer, owner, mint]) keys.key(key)
    }
  }
}

/** `events`: how many the block has. */
export function readTerms(r: Reader, keys: KeyReader, events: number): TransactionTerms[] {
  const terms: TransactionTerms[] = []
  let event = 0
  for (let left = r.count(); left > 0; left--) {
    event += r.int()
    if (!(event >= 0 && event < events)) throw new MalformedBytes(`terms of event ${event}, which is not there`)
    const flags = r.upTo(VERSION_BITS | HAS_TIP | HAS_TABLES | HAS_RENTS)
    const version = VERSIONS[flags & VERSION_BITS]
    if (version === undefined) throw new MalformedBytes('unknown transaction version')
    terms.push({
      event,
      version,
      priorityFee: r.int(),
      computeUnitLimit: r.int(),
      tip: flags & HAS_TIP ? { payer: keys.key(), lamports: r.int(), outer: r.int(), inner: r.int() } : null,
      tables: flags & HAS_TABLES ? readAll(r, () => keys.key()) : [],
      rents: flags & HAS_RENTS ? readAll<Rent>(r, () => readRent(keys)) : [],
    })
  }
  return terms
}

function readAll<T>(r: Reader, read: () => T): T[] {
  const all: T[] = []
  for (let left = r.count(); left > 0; left--) all.push(read())
  return all
}

const readRent = (keys: KeyReader): Rent => ({ payer: keys.key(), owner: keys.key(), mint: keys.key() })
