import { createHash } from 'node:crypto'
import type { Address, ReadonlyUint8Array } from '@solana/kit'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import { base64Decode } from '@ti/core/base/base64.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { isSignatureOf } from '../../base/ed25519.ts'
import { readWire, TRANSACTION_BYTES, type WireInstruction, type WireTransaction } from './message.ts'
import { COMPUTE_BUDGET, type Requirements } from './network.ts'

export const TRANSACTION_COST = {
  /** the fee payer's cost for one transaction: two signatures of 5,000 lamports, and up to 60 lamports for compute units.
   * The official clients request 20,000 units at a price of 1; the rest is headroom for what wallets add */
  computeUnits: 60_000,
  microLamports: 1_000,
  signatures: 2,
  lamports: 10_060,
}

/** Contents of a payment's transaction; its shape is checked, but nothing against the chain. */
export interface TransactionFacts {
  /** hex SHA-256 of the message bytes: signatures can be altered, the message cannot */
  readonly hash: string
  readonly message: ReadonlyUint8Array
  readonly feePayer: Address
  /** owner of the transferred tokens */
  readonly payer: Address
  readonly payerSignature: ReadonlyUint8Array | null
  readonly mint: string
  /** paying token account */
  readonly source: string
  /** receiving token account */
  readonly destination: string
  /** smallest units */
  readonly amount: bigint
  readonly blockhash: string
  readonly computeUnits: number
  readonly microLamports: bigint
  /** required signatures, including the fee payer's */
  readonly signers: number
}

type TransactionRead =
  | { readonly ok: true; readonly facts: TransactionFacts }
  | { readonly ok: false; readonly reason: string }

const TRANSFER_CHECKED = 12
const SET_UNIT_LIMIT = 2
const SET_UNIT_PRICE = 3

/** First byte of a version 1 transaction, which starts with its message (SIMD-0385). */
const VERSION_1 = 0x81

const refuse = (reason: string): TransactionRead => ({ ok: false, reason })

/** Decodes a partially signed transaction in base64 and checks its shape. Never throws. */
export function readTransaction(base64: string): TransactionRead {
  // the Solana packages read no newer version, which may be larger, so its first byte identifies it
  if (base64Decode(base64.slice(0, 4))?.[0] === VERSION_1)
    return refuse('the transaction is of version 1: payments are accepted in version 0 and legacy transactions')
  if (base64.length > Math.ceil(TRANSACTION_BYTES / 3) * 4) return refuse('the transaction is too large')
  const bytes = base64Decode(base64)
  if (bytes === null || base64 === '') return refuse('the transaction is not strict base64')
  if (bytes.length > TRANSACTION_BYTES) return refuse('the transaction is too large')
  const wire = readWire(bytes)
  // any other encoding of the same message would not be the same to the chain
  if (wire === 'not canonical') return refuse('the transaction is not encoded canonically')
  return wire === 'undecodable' ? refuse('the transaction cannot be decoded') : readTransfer(wire)
}

const COMPUTE_BUDGET_KEY = keyFromBase58(COMPUTE_BUDGET)!
const TOKEN_PROGRAM_KEY = keyFromBase58(TOKEN_PROGRAM_ADDRESS)!

function readTransfer({ signatures, message, accounts, blockhash, instructions, tables }: WireTransaction) {
  if (accounts[0] === undefined) return refuse('the transaction names no fee payer')
  if (new Set(accounts).size !== accounts.length) return refuse('the transaction names an account twice')
  if (tables > 0) return refuse('the transaction uses address lookup tables')
  if (instructions.length < 3 || instructions.length > 7) {
    return refuse(`the transaction has ${instructions.length} instructions, 3 to 7 are accepted`)
  }
  if (instructions.some((one) => one.program === 0 || one.accounts.includes(0))) {
    return refuse('the fee payer is used inside an instruction')
  }
  const [limit, price, transfer] = instructions as [WireInstruction, WireInstruction, WireInstruction]
  const is = ({ program, data }: WireInstruction, key: Key, length: number, kind: number): boolean =>
    accounts[program] === key && data.length === length && data[0] === kind
  if (!is(limit, COMPUTE_BUDGET_KEY, 5, SET_UNIT_LIMIT))
    return refuse('the first instruction is not SetComputeUnitLimit')
  if (!is(price, COMPUTE_BUDGET_KEY, 9, SET_UNIT_PRICE))
    return refuse('the second instruction is not SetComputeUnitPrice')
  if (!is(transfer, TOKEN_PROGRAM_KEY, 10, TRANSFER_CHECKED))
    return refuse('the third instruction is not TransferChecked of the SPL Token program')
  const [source, mint, destination, owner] = [...transfer.accounts].map((index) => accounts[index])
  if (source === undefined || mint === undefined || destination === undefined || owner === undefined) {
    return refuse('the transfer does not name its accounts')
  }
  const signature = signatures[accounts.indexOf(owner)]
  if (signature === undefined) return refuse('the payer is not a signer of the transaction')
  const facts: TransactionFacts = {
    hash: createHash('sha256').update(message).digest('hex'),
    message,
    feePayer: keyToBase58(accounts[0]) as Address,
    payer: keyToBase58(owner) as Address,
    payerSignature: signature.every((byte) => byte === 0) ? null : signature,
    mint: keyToBase58(mint),
    source: keyToBase58(source),
    destination: keyToBase58(destination),
    amount: transfer.data.readBigUInt64LE(1),
    blockhash: keyToBase58(blockhash),
    computeUnits: limit.data.readUInt32LE(1),
    microLamports: price.data.readBigUInt64LE(1),
    signers: signatures.length,
  }
  return { ok: true, facts } as const
}

/** network fee per signature, lamports */
const SIGNATURE_LAMPORTS = 5_000

/**
 * Lamports that the fee payer loses if the transaction gets into a block, even if it fails: base fee plus priority fee (compute
 * unit limit times price, rounded up).
 */
export const feeOf = ({ signers, computeUnits, microLamports }: TransactionFacts): number =>
  signers * SIGNATURE_LAMPORTS + Number((BigInt(computeUnits) * microLamports + 999_999n) / 1_000_000n)

/** Verifies that `signature` is `signer`'s signature of the message. */
export function isSignedBy(
  signer: Address,
  signature: ReadonlyUint8Array | null,
  message: ReadonlyUint8Array,
): boolean {
  const key = keyFromBase58(signer)
  if (signature === null || key === null) return false
  return isSignatureOf(Buffer.from(key, 'latin1'), message as Uint8Array, signature as Uint8Array)
}

/**
 * Returns the difference between a transaction and the requirements, before anything is written or sent; null: none. The text
 * ends with x402's reason. `destination` is the token account of `wanted.payTo`.
 */
export function mismatch(facts: TransactionFacts, wanted: Requirements, destination: string): string | null {
  const payload = (text: string, code: string): string => `${text} (invalid_exact_svm_payload_${code})`
  const { feePayer } = wanted.extra
  if (facts.feePayer !== feePayer) {
    return `the fee payer has to be ${feePayer}, the transaction names ${facts.feePayer} (invalid_exact_svm_fee_payer_mismatch)`
  }
  if (facts.mint !== wanted.asset) return payload(`the transfer is not of ${wanted.asset}`, 'mint_mismatch')
  if (facts.destination !== destination)
    return payload(`the transfer does not go to ${wanted.payTo}`, 'recipient_mismatch')
  if (facts.amount !== BigInt(wanted.amount)) {
    return payload(`the transfer is of ${facts.amount} units, the price is ${wanted.amount}`, 'amount_mismatch')
  }
  const [units, price] = [TRANSACTION_COST.computeUnits, TRANSACTION_COST.microLamports]
  const instruction = 'transaction_instructions_compute'
  if (facts.computeUnits > units) {
    return payload(`at most ${units} compute units are accepted`, `${instruction}_limit_instruction_too_high`)
  }
  if (facts.microLamports > BigInt(price)) {
    return payload(`at most ${price} micro-lamports a unit are accepted`, `${instruction}_price_instruction_too_high`)
  }
  if (facts.signers > TRANSACTION_COST.signatures) {
    return payload(`at most ${TRANSACTION_COST.signatures} signatures are accepted`, 'excessive_signers')
  }
  return null
}
