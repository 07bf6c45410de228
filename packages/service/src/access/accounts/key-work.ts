import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { base58Encode, keyFromBase58 } from '@ti/core/base/base58.ts'
import { WORK_PARTS } from '@ti/core/contract/account.ts'
import type { Database } from '../sql/database.ts'
import type { AccountRow } from '../sql/schema.ts'
import { sharedSecret } from '../sql/shared-secret.ts'
import { createKeyPlaces, KEY_PLACES, type KeyPlaces } from './key-places.ts'
import type { UsedNonce } from './used-nonces.ts'

export const KEY_WORK = {
  /** parts of the work, and zero bits of each: 524,288 hashes in all, a second or two of a phone's browser. In sixteen parts
   * because one would take five times as long now and then, and so that a page can say how far it is */
  parts: WORK_PARTS,
  bits: 15,
  /** milliseconds a task may take: the hardest one on a slow phone, twice */
  ms: 900_000,
  /** lamports on an account (0.01 SOL) with which its keys take no work: far more than the work is worth */
  depositLamports: 10_000_000,
}

/**
 * Proof of work for keys of accounts that have paid nothing, because wallets are free. A task is a signed nonce with wallet,
 * time and difficulty, so the service stores nothing about it. It counts once, in the same transaction as the key.
 *
 * A wallet history was rejected, because it requires a node query per stranger and old wallets are for sale. A deposit alone
 * was rejected, because a trial should be free. Accounts that have paid do no work.
 */
export type KeyWork = ReturnType<typeof createKeyWork>

/** Requires one number per part, such that the hash of nonce, part and number starts with `bits` zero bits. */
export interface Task {
  readonly nonce: string
  readonly parts: number
  readonly bits: number
  readonly expiresMs: number
}

export interface Work {
  readonly nonce: string
  /** one per part, in order */
  readonly counters: readonly number[]
}

export type Accepted =
  /** `used` is written with the key; null if no work was required */
  | { readonly ok: true; readonly used: UsedNonce | null }
  | { readonly ok: false; readonly reason: 'missing' | 'unknown' | 'expired' | 'little' | 'wrong' }

export type KeyWorkBounds = Readonly<typeof KEY_PLACES & typeof KEY_WORK>

interface KeyWorkOptions {
  /** milliseconds */
  readonly now: () => number
  readonly bounds?: KeyWorkBounds
}

/** Accounts that ever had a subscription, paid or granted, or have a deposit. */
export const hasPaid = (account: AccountRow, least: number = KEY_WORK.depositLamports): boolean =>
  account.granted_pro || account.paid_until !== null || account.balance_lamports >= least

/** wallet, Unix milliseconds, zero bits per part, random bytes, and a MAC of these */
const SIZES = { wallet: 32, time: 6, bits: 1, random: 8, mac: 16 } as const
const SIGNED = SIZES.wallet + SIZES.time + SIZES.bits + SIZES.random
/** characters of a nonce; 63 bytes have one form in base64url */
export const WORK_NONCE_LENGTH = ((SIGNED + SIZES.mac) / 3) * 4
const NONCE = new RegExp(`^[A-Za-z0-9_-]{${WORK_NONCE_LENGTH}}$`)

/** Checks one part: the SHA-256 of this text starts with `bits` zero bits. */
export function isDone(nonce: string, part: number, counter: number, bits: number): boolean {
  const digest = hash('sha256', `${nonce}.${part}.${counter}`, 'buffer')
  return Math.clz32(digest.readUInt32BE(0)) >= bits
}

export function createKeyWork(
  database: Pick<Database, 'sql'>,
  { now, bounds = { ...KEY_PLACES, ...KEY_WORK } }: KeyWorkOptions,
) {
  const places: KeyPlaces = createKeyPlaces(now, bounds)
  let secret: Promise<Uint8Array> | null = null

  /** Reads the secret on first use, and again after a failure. */
  function readSecret(): Promise<Uint8Array> {
    secret ??= sharedSecret(database, 'key-work')
    secret.catch(() => {
      secret = null
    })
    return secret
  }

  const bitsFor = (address: string): number => bounds.bits + places.extraBits(address)

  function judge(account: AccountRow, address: string, work: Work, key: Uint8Array): Accepted {
    const read = readNonce(work.nonce, key)
    if (read === null || read.wallet !== account.wallet) return { ok: false, reason: 'unknown' }
    const expiresMs = read.issuedMs + bounds.ms
    if (expiresMs <= now()) return { ok: false, reason: 'expired' }
    if (read.bits < bitsFor(address)) return { ok: false, reason: 'little' }
    const { nonce, counters } = work
    if (counters.length !== bounds.parts) return { ok: false, reason: 'wrong' }
    if (!counters.every((counter, part) => isDone(nonce, part, counter, read.bits)))
      return { ok: false, reason: 'wrong' }
    return { ok: true, used: { nonce, wallet: read.wallet, message: '', expiresMs } }
  }

  return {
    /** the task before the next key; null: none. `address`: in the form of rate limits */
    async task(account: AccountRow, address: string): Promise<Task | null> {
      if (hasPaid(account, bounds.depositLamports)) return null
      const key = await readSecret()
      const issuedMs = Math.floor(now())
      const bits = bitsFor(address)
      const nonce = makeNonce({ wallet: account.wallet!, issuedMs, bits }, key)
      return { nonce, parts: bounds.parts, bits, expiresMs: issuedMs + bounds.ms }
    },
    /** validates the work and reserves one key slot for the address */
    async accept(account: AccountRow, address: string, work: Work | undefined): Promise<Accepted> {
      const owes = !hasPaid(account, bounds.depositLamports)
      if (owes && work === undefined) return { ok: false, reason: 'missing' }
      const key = owes ? await readSecret() : null
      // judges and counts without an await between, so that concurrent requests see each other
      const judged: Accepted = key === null ? { ok: true, used: null } : judge(account, address, work!, key)
      if (judged.ok && judged.used !== null) places.take(address, 1)
      return judged
    },
    /** releases the slot if no key was made */
    giveBack: (address: string): void => places.take(address, -1),
  }
}

interface Nonce {
  /** base58 */
  readonly wallet: string
  readonly issuedMs: number
  readonly bits: number
}

const macOf = (signed: Buffer, secret: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(signed).digest().subarray(0, SIZES.mac)

function makeNonce({ wallet, issuedMs, bits }: Nonce, secret: Uint8Array): string {
  const head = Buffer.alloc(SIZES.time + SIZES.bits)
  head.writeUIntBE(issuedMs, 0, SIZES.time)
  head.writeUInt8(bits, SIZES.time)
  const signed = Buffer.concat([Buffer.from(keyFromBase58(wallet)!, 'latin1'), head, randomBytes(SIZES.random)])
  return Buffer.concat([signed, macOf(signed, secret)]).toString('base64url')
}

/** Returns null unless this service made the nonce. */
function readNonce(nonce: string, secret: Uint8Array): Nonce | null {
  if (!NONCE.test(nonce)) return null
  const bytes = Buffer.from(nonce, 'base64url')
  const signed = bytes.subarray(0, SIGNED)
  if (!timingSafeEqual(macOf(signed, secret), bytes.subarray(SIGNED))) return null
  return {
    wallet: base58Encode(signed.toString('latin1', 0, SIZES.wallet)),
    issuedMs: signed.readUIntBE(SIZES.wallet, SIZES.time),
    bits: signed.readUInt8(SIZES.wallet + SIZES.time),
  }
}
