import { hash } from 'node:crypto'
import type { Key } from './ids.ts'

/**
 * Addresses that a program derives from seeds: SHA-256 of the seeds, a bump byte, the program's id and this text, for the
 * highest bump whose hash is not a point of the curve (Solana documentation, "Program derived addresses").
 */
const MARKER = 'ProgramDerivedAddress'
/** Half of all hashes are points, so an address needs more bumps than this once in 2^20. */
const BUMPS = 20
const BUMP_MAX = 255

const derive = (seeds: string, bump: number, program: Key): Key =>
  hash('sha256', Buffer.from(seeds + String.fromCharCode(bump) + program + MARKER, 'latin1'), 'binary') as Key

/**
 * The addresses that `seeds` (joined, bytes as latin-1) give, the likeliest first. Whether one is off the curve is not
 * examined: a caller compares with an address that exists, and two that are equal cannot be so by chance.
 */
export function* candidates(seeds: string, program: Key): Generator<Key> {
  for (let bump = BUMP_MAX; bump > BUMP_MAX - BUMPS; bump--) yield derive(seeds, bump, program)
}

/** Whether `program` derives `address` from `seeds`. */
export function isDerived(address: Key, seeds: string, program: Key): boolean {
  for (const candidate of candidates(seeds, program)) if (candidate === address) return true
  return false
}
