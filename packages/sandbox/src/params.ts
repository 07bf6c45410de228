import type { Address, Signature } from '@solana/kit'
import { base58DecodeBytes, keyFromBase58, sigFromBase58 } from '@ti/core/base/base58.ts'
import { badParams } from './rpc-error.ts'

/** accounts of one call */
export const ACCOUNTS_PER_CALL = 100

export const FAUCET = {
  /** units of USDC (1,000 dollars) and lamports (100 SOL) of one faucet call */
  usdc: 1_000_000_000,
  lamports: 100_000_000_000,
}

/** The largest transaction in bytes: one packet. */
const WIRE_BYTES_MAX = 1_232

export type Config = Readonly<Record<string, unknown>>

export function addressOf(value: unknown): Address {
  if (typeof value !== 'string' || keyFromBase58(value) === null) throw badParams('expected a base58 address')
  return value as Address
}

export function signatureOf(value: unknown): Signature {
  if (typeof value !== 'string' || sigFromBase58(value) === null) throw badParams('expected a base58 signature')
  return value as Signature
}

/** The last parameter of most methods; absent means empty. */
export function configOf(value: unknown): Config {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'object' || Array.isArray(value)) throw badParams('the configuration must be an object')
  return value as Config
}

export function listOf(value: unknown, max: number): readonly unknown[] {
  if (!Array.isArray(value)) throw badParams('expected a list')
  if (value.length > max) throw badParams(`too many items: at most ${max}`)
  return value
}

/** A whole number from `min` to `max`, also accepted as a string of digits. */
export function wholeOf(value: unknown, min: bigint, max: bigint, name: string): bigint {
  const whole = Number.isSafeInteger(value) || (typeof value === 'string' && /^\d{1,20}$/.test(value))
  const number = whole ? BigInt(value as number | string) : null
  if (number === null || number < min || number > max) throw badParams(`${name} must be from ${min} to ${max}`)
  return number
}

/** Bytes of an encoded transaction or message: base58 unless the configuration says base64, as with nodes. */
export function wireOf(value: unknown, encoding: unknown): Uint8Array {
  if (typeof value !== 'string' || value === '') throw badParams('expected an encoded transaction')
  if (value.length > WIRE_BYTES_MAX * 2) throw badParams(`transaction too large: at most ${WIRE_BYTES_MAX} bytes`)
  const bytes = decode(value, encoding)
  if (bytes === null) throw badParams('the transaction cannot be decoded')
  if (bytes.length > WIRE_BYTES_MAX) throw badParams(`transaction too large: at most ${WIRE_BYTES_MAX} bytes`)
  return bytes
}

function decode(value: string, encoding: unknown): Uint8Array | null {
  if (encoding === undefined || encoding === 'base58') return base58DecodeBytes(value, WIRE_BYTES_MAX)
  if (encoding !== 'base64') throw badParams('unsupported encoding: base58 or base64')
  return /^[A-Za-z0-9+/]+={0,2}$/.test(value) && value.length % 4 === 0 ? Buffer.from(value, 'base64') : null
}
