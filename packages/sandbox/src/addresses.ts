import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Address } from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'

export const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
export const COMPUTE_BUDGET_PROGRAM = 'ComputeBudget111111111111111111111111111111' as Address
/** USDC on mainnet, whose address a sandbox borrows unless it is given another */
export const USDC_MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
export const USDC_DECIMALS = 6

/** Differs from every real network's, so that callers can check whether real money moves. */
export const SANDBOX_GENESIS_HASH = base58Encode(
  createHash('sha256').update('token intelligence sandbox').digest().toString('latin1'),
)

/** A wallet of the sandbox. */
export interface Wallet {
  readonly address: Address
  /** 32 bytes of seed, 32 of public key. */
  readonly secret: Uint8Array
  readonly key: KeyObject
}

/** DER of an Ed25519 private key up to its seed (RFC 8410) */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Opens a wallet from the usual 64 bytes, or creates one. Throws if the two halves do not match. */
export function openWallet(secret?: Uint8Array): Wallet {
  const key =
    secret === undefined
      ? generateKeyPairSync('ed25519').privateKey
      : createPrivateKey({
          key: Buffer.concat([PKCS8_HEAD, secret.subarray(0, 32)]),
          format: 'der',
          type: 'pkcs8',
        })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  const { d } = key.export({ format: 'jwk' })
  const made = Buffer.concat([Buffer.from(d!, 'base64url'), Buffer.from(x!, 'base64url')])
  if (secret !== undefined && !made.equals(secret)) throw new Error('not a keypair of 64 bytes')
  return { address: base58Encode(made.toString('latin1', 32)) as Address, secret: new Uint8Array(made), key }
}
