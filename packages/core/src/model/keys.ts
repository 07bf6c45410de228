import { type Key, keyAt, NO_SIG, type Sig, sigAt } from '../base/ids.ts'
import { MalformedBytes, type Reader, type Writer } from './bytes.ts'

/**
 * Tables of the keys and signatures of one entry, written once each after the body and referred to by index. The entry
 * ends with keys · 32 bytes, signatures · 64 bytes and the two counts (u32 each, little endian).
 */
const KEY_BYTES = 32
const SIG_BYTES = 64
const COUNTS_BYTES = 8

export interface KeyWriter {
  key(key: Key): void
  sig(sig: Sig): void
  /** Writes the tables and resets them. */
  finish(): void
  /** Resets the tables after an entry failed half-way. */
  reset(): void
}

export function createKeyWriter(w: Writer): KeyWriter {
  const keys = new Map<Key, number>()
  const sigs: Sig[] = []
  return {
    key(key) {
      let index = keys.get(key)
      if (index === undefined) {
        index = keys.size
        keys.set(key, index)
      }
      w.num(index)
    },
    // events of one transaction are adjacent, so comparing with the last signature finds nearly every repetition
    sig(sig) {
      if (sig !== NO_SIG && sigs[sigs.length - 1] !== sig) sigs.push(sig)
      w.num(sig === NO_SIG ? 0 : sigs.length)
    },
    finish() {
      for (const key of keys.keys()) w.raw(key, KEY_BYTES)
      for (const sig of sigs) w.raw(sig, SIG_BYTES)
      for (const count of [keys.size, sigs.length]) for (let i = 0; i < 32; i += 8) w.u8((count >>> i) & 255)
    },
    reset() {
      keys.clear()
      sigs.length = 0
    },
  }
}

export interface KeyReader {
  /** Reads the tables at the end of `bytes` and returns their offset. */
  open(bytes: Buffer, end: number): number
  key(): Key
  sig(): Sig
}

export function createKeyReader(r: Reader): KeyReader {
  let keys: Key[] = []
  let sigs: Sig[] = []
  return {
    open(bytes, end) {
      if (end < COUNTS_BYTES) throw new MalformedBytes('cut short')
      const keyCount = bytes.readUInt32LE(end - 8)
      const sigCount = bytes.readUInt32LE(end - 4)
      const start = end - COUNTS_BYTES - keyCount * KEY_BYTES - sigCount * SIG_BYTES
      if (start < 0) throw new MalformedBytes('key tables larger than the entry')
      keys = []
      sigs = [NO_SIG]
      let at = start
      for (let i = 0; i < keyCount; i++, at += KEY_BYTES) keys.push(keyAt(bytes, at))
      for (let i = 0; i < sigCount; i++, at += SIG_BYTES) sigs.push(sigAt(bytes, at))
      return start
    },
    key() {
      const key = keys[r.num()]
      if (key === undefined) throw new MalformedBytes('a key outside the table')
      return key
    },
    sig() {
      const sig = sigs[r.num()]
      if (sig === undefined) throw new MalformedBytes('a signature outside the table')
      return sig
    },
  }
}
