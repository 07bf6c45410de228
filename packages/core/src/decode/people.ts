import { isOnCurve } from '../base/curve.ts'
import type { Key } from '../base/ids.ts'
import type { RawTransaction } from '../model/raw.ts'

/** Each half holds this many answers, some 100 bytes each: the programs' accounts and receivers of hours. */
const KNOWN_MAX = 50_000
let recent = new Map<Key, boolean>()
let older = new Map<Key, boolean>()
/** Places for keys asked about lately: one that is still in its place costs a comparison, a Map also the hash of a new string. */
const PLACES = 1 << 14
const lately: (Key | null)[] = new Array(PLACES).fill(null)
const latelyPrograms = new Uint8Array(PLACES)

/** True if no one can sign with this key: an account of a program, and never a person. */
export function isProgramKey(key: Key): boolean {
  const place = (key.charCodeAt(3) | (key.charCodeAt(4) << 8)) & (PLACES - 1)
  if (lately[place] === key) return latelyPrograms[place] === 1
  const answer = remembered(key)
  lately[place] = key
  latelyPrograms[place] = answer ? 1 : 0
  return answer
}

function remembered(key: Key): boolean {
  const known = recent.get(key) ?? older.get(key)
  if (known !== undefined) return known
  const answer = !isOnCurve(key)
  if (recent.size >= KNOWN_MAX) {
    older = recent
    recent = new Map()
  }
  recent.set(key, answer)
  return answer
}

export function isSigner({ keys, signers }: RawTransaction, key: Key): boolean {
  for (let i = 0; i < signers; i++) if (keys[i] === key) return true
  return false
}

/** True if the key has an owner: it signed, or could. */
export const isPerson = (tx: RawTransaction, key: Key): boolean => isSigner(tx, key) || !isProgramKey(key)
