import type { Key } from '../base/ids.ts'
import { ROLE, roleOf } from '../model/programs.ts'

/** A transaction addresses keys with one byte. */
const KEYS_MAX = 256

/** Roles of one transaction's keys by index, reused; reading is synchronous. */
export const roles = new Uint8Array(KEYS_MAX)
/** The number of keys whose roles are set. */
let noted = 0

/** Bits: the keys include a program whose events are read, or a tip account. */
export const FOUND = { program: 1, tip: 2 } as const

/** Sets the role of every key. Returns bits of `FOUND`. */
export function noteRoles(keys: readonly Key[]): number {
  const length = Math.min(keys.length, KEYS_MAX)
  let found = 0
  for (let i = 0; i < length; i++) {
    const role = roleOf(keys[i]!)
    roles[i] = role
    if (role === ROLE.none) continue
    if (role <= ROLE.mayhem) found |= FOUND.program
    else if (role === ROLE.tip) found |= FOUND.tip
  }
  for (let i = length; i < noted; i++) roles[i] = ROLE.none
  noted = length
  return found
}
