import { createHash } from 'node:crypto'
import { isOnCurve } from '@ti/core/base/curve.ts'
import { type Key, keyAt } from '@ti/core/base/ids.ts'

/**
 * Public keys of the simulated market, derived from their meaning, so that nothing is stored and slots can be skipped
 * for free.
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

/** Anchor's discriminator of an instruction (`global:name`) or event (`event:Name`): the first 8 bytes of a SHA-256. */
export const markOf = (name: string): Buffer => createHash('sha256').update(name).digest().subarray(0, 8)

export const deriveKey = (seed: number, role: KeyRole, id: number | string): Key =>
  createHash('sha256').update(`${seed}:${role}:${id}`).digest().toString('latin1') as Key

/** A wallet's key: the first of its series that is a point of the curve, as every key that signs is. */
export function deriveWallet(seed: number, id: string): Key {
  for (let i = 0; ; i++) {
    const key = deriveKey(seed, 'wallet', i === 0 ? id : `${id}:${i}`)
    if (isOnCurve(key)) return key
  }
}

/** A wallet's token account of a mint. Not the chain's derivation, but nearly one-to-one and 20 times cheaper. */
export function tokenAccount(wallet: Key, mint: Key): Key {
  let carry = 0x55
  for (let i = 0; i < 32; i++) {
    carry = (carry * 31 + wallet.charCodeAt(i) * 7 + mint.charCodeAt((i * 5) & 31) * 13 + i) & 0xffff
    scratch[i] = carry ^ (carry >> 8)
  }
  return keyAt(scratch, 0)
}

const scratch = Buffer.alloc(32)
