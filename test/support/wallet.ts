import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { base58Encode } from '@ti/core/base/base58.ts'

/** A Solana wallet of a test. */
export interface Wallet {
  /** base58 */
  readonly address: string
  readonly key: KeyObject
}

export function wallet(): Wallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
  return { address: base58Encode(raw.toString('latin1')), key: privateKey }
}
