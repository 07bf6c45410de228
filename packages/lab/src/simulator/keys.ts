import { createHash } from 'node:crypto'
import { type Key, keyAt } from '@ti/core/base/ids.ts'

/**
 * Public keys of the simulated market, derived from what they stand for, so that nothing has to be remembered and
 * skipping ahead costs nothing.
 */
type KeyRole =
  | 'wallet'
  | 'mint'
  | 'curve'
  | 'curve vault'
  | 'curve quote vault'
  | 'pool'
  | 'pool vault'
  | 'pool quote vault'
  | 'creator vault'
  | 'lp mint'
  | 'metadata'
  | 'volume'
  | 'program'

/** Anchor's mark of an instruction (`global:name`) or event (`event:Name`): the first 8 bytes of a SHA-256. */
export const markOf = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, 8)

export const deriveKey = (seed: number, role: KeyRole, id: number | string): Key =>
  createHash('sha256').update(`${seed}:${role}:${id}`).digest().toString('latin1') as Key

/** A wallet's token account of a mint: not the chain's derivation, but as good as one-to-one and 20 times cheaper. */
export function tokenAccount(wallet: Key, mint: Key): Key {
  let carry = 0x55
  for (let i = 0; i < 32; i++) {
    carry = (carry * 31 + wallet.charCodeAt(i) * 7 + mint.charCodeAt((i * 5) & 31) * 13 + i) & 0xffff
    scratch[i] = carry ^ (carry >> 8)
  }
  return keyAt(scratch, 0)
}

const scratch = Buffer.alloc(32)
