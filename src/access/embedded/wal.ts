import { closeSync, existsSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { outOfRoom } from '../../base/shortage.ts'
import { Damage } from './damage.ts'

/** bytes of a WAL file; positions in the WAL (LSN) are bytes from its beginning, far below 2^53 */
export const SEGMENT_BYTES = 16 << 20

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0')

/** A database of one process never leaves timeline 1. */
export function segmentName(lsn: number): string {
  const number = Math.floor(lsn / SEGMENT_BYTES)
  return `${hex(1)}${hex(Math.floor(number / 256))}${hex(number % 256)}`
}

/** `0/2CA0F58` */
export function parseLsn(text: string): number {
  const [high = '', low = ''] = text.split('/')
  return Number.parseInt(high, 16) * 2 ** 32 + Number.parseInt(low, 16)
}

/** What the control file says of the last checkpoint, at the offsets of PostgreSQL 18; it carries a CRC of its own. */
interface Control {
  readonly system: bigint
  /** closed in order: nothing has to be replayed */
  readonly clean: boolean
  /** where a recovery begins to read the WAL */
  readonly redo: number
}

const DB_SHUTDOWNED = 1

export function readControl(database: string): Control {
  const bytes = readFileSync(join(database, 'global/pg_control'))
  if (bytes.length < 48) throw new Damage('accounts/global/pg_control is too short')
  return {
    system: bytes.readBigUInt64LE(0),
    clean: bytes.readUInt32LE(16) === DB_SHUTDOWNED,
    redo: Number(bytes.readBigUInt64LE(40)),
  }
}

/** The bytes of the WAL in pieces, null where a file of it is missing or too short. */
function* walBytes(database: string, from: number, to: number): Generator<Buffer | null> {
  const buffer = Buffer.allocUnsafe(Math.min(to - from, 1 << 20))
  for (let at = from; at < to; ) {
    const end = Math.min(to, (Math.floor(at / SEGMENT_BYTES) + 1) * SEGMENT_BYTES)
    const path = join(database, 'pg_wal', segmentName(at))
    if (!existsSync(path)) return yield null
    const file = openSync(path, 'r')
    try {
      while (at < end) {
        const got = readSync(file, buffer, 0, Math.min(buffer.length, end - at), at % SEGMENT_BYTES)
        if (got === 0) return yield null
        yield buffer.subarray(0, got)
        at += got
      }
    } finally {
      closeSync(file)
    }
  }
}

/** A stretch of the WAL that was acknowledged, and its CRC-32. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly crc: number
}

/** Notes after each change how far the WAL reaches, before anybody hears that the change is made. */
export interface Witness {
  readonly stretch: Stretch
  advance(to: number): void
  close(): void
}

const SLOT_BYTES = 64
const SLOTS = 2

export function openWitness(path: string, database: string, begin: Stretch): Witness {
  const file = openSync(path, existsSync(path) ? 'r+' : 'w+')
  let stretch = begin
  let turn = 0
  const write = ({ from, to, crc }: Stretch): void => {
    const slot = Buffer.alloc(SLOT_BYTES)
    const line = `${from} ${to} ${crc}`
    slot.write(`${crc32(line).toString(16)} ${line}\n`)
    // two in turn: one that is written when the process dies may be torn, and the other one counts
    const written = writeSync(file, slot, 0, SLOT_BYTES, (turn++ % SLOTS) * SLOT_BYTES)
    if (written < SLOT_BYTES) throw outOfRoom('the witness of the WAL found no room')
  }
  for (let slot = 0; slot < SLOTS; slot++) write(stretch)
  return {
    get stretch() {
      return stretch
    },
    advance(to) {
      if (to <= stretch.to) return
      let { crc } = stretch
      for (const bytes of walBytes(database, stretch.to, to)) {
        if (bytes === null) throw new Damage('a file of accounts/pg_wal is missing')
        crc = crc32(bytes, crc)
      }
      const next = { from: stretch.from, to, crc }
      // what could not be written is written with the next change
      write(next)
      stretch = next
    },
    close: () => closeSync(file),
  }
}

export function readWitness(path: string): Stretch {
  if (!existsSync(path)) throw new Damage('the witness of accounts-seal is missing')
  const bytes = readFileSync(path)
  let best: Stretch | null = null
  for (let slot = 0; slot < SLOTS; slot++) {
    const [, crc, line] = /^([0-9a-f]+) (\d+ \d+ \d+)\n/.exec(bytes.toString('latin1', slot * SLOT_BYTES)) ?? []
    if (line === undefined || crc32(line).toString(16) !== crc) continue
    const [from, to, sum] = line.split(' ').map(Number) as [number, number, number]
    if (best === null || to > best.to) best = { from, to, crc: sum }
  }
  if (best === null) throw new Damage('the witness of accounts-seal is damaged')
  return best
}

/** Damage where what was acknowledged cannot be read back from the WAL and is needed for a recovery. */
export function verifyWal(database: string, { redo }: Control, { from, to, crc }: Stretch): void {
  // a checkpoint past it has brought everything into the files
  if (redo >= to) return
  if (redo < from) throw new Damage('accounts/global/pg_control is older than the rest of the database')
  let sum = 0
  for (const bytes of walBytes(database, from, to)) {
    if (bytes === null) throw new Damage(`accounts/pg_wal ends too early: acknowledged changes are missing`)
    sum = crc32(bytes, sum)
  }
  if (sum !== crc) throw new Damage('accounts/pg_wal is not what was written there: acknowledged changes are missing')
}
