import { createHash } from 'node:crypto'
import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'
import { badParams } from './rpc-error.ts'

export type Message = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime

/** A decoded incoming transaction, of which only the format was checked. */
export interface Decoded {
  /** First signature, base58; 64 zero bytes while the fee payer has not signed. */
  readonly signature: string
  readonly signatures: readonly string[]
  /** Hex SHA-256 of the message, the identity of a transaction. */
  readonly hash: string
  readonly wire: Uint8Array
  readonly transaction: Transaction
  readonly message: Message
  readonly keys: readonly Address[]
  readonly version: 'legacy' | 0
}

export const bytesToBase58 = (bytes: ArrayLike<number>): string =>
  base58Encode(Buffer.from(bytes as Uint8Array).toString('latin1'))

/** First byte of a transaction of version 1 (SIMD-0385), which the decoding package does not support. */
const VERSION_1 = 0x81
const NO_SIGNATURE = new Uint8Array(64)

/** Decodes a wire transaction. Throws an RpcError if a node would reject it before reading any account. */
export function decodeTransaction(wire: Uint8Array): Decoded {
  if (wire[0] === VERSION_1) throw badParams('transactions of version 1 are not known here: send version 0 or legacy')
  const transaction = attempt(() => getTransactionDecoder().decode(wire))
  const message = decodeMessage(transaction.messageBytes as unknown as Uint8Array)
  const again = getTransactionEncoder().encode(transaction)
  if (!Buffer.from(again as Uint8Array).equals(wire)) throw badParams('the transaction has bytes that mean nothing')
  const signatures = Object.values(transaction.signatures).map((bytes) => bytesToBase58(bytes ?? NO_SIGNATURE))
  const [signature] = signatures
  if (signature === undefined || signatures.length !== message.header.numSignerAccounts) {
    throw badParams('the transaction does not have the signatures its message asks for')
  }
  return {
    signature,
    signatures,
    hash: createHash('sha256')
      .update(transaction.messageBytes as unknown as Uint8Array)
      .digest('hex'),
    wire,
    transaction,
    message,
    keys: message.staticAccounts,
    version: message.version as 'legacy' | 0,
  }
}

export function decodeMessage(bytes: Uint8Array): Message {
  const message = attempt(() => getCompiledTransactionMessageDecoder().decode(bytes)) as Message
  const again = getCompiledTransactionMessageEncoder().encode(message) as Uint8Array
  if (!Buffer.from(again).equals(bytes)) throw badParams('the message has bytes that mean nothing')
  if (!isSane(message)) throw badParams('the transaction failed to sanitize accounts offsets correctly')
  return message
}

const attempt = <T>(decode: () => T): T => {
  try {
    return decode()
  } catch {
    throw badParams('the transaction cannot be decoded')
  }
}

/** The network's rules for indexes and the header; valid messages can be passed to the virtual machine. */
function isSane(message: Message): boolean {
  const { header, staticAccounts, instructions, version } = message
  const keys = staticAccounts.length
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  const reach = usesLookups(message) ? 256 : keys
  return (
    (version === 'legacy' || version === 0) &&
    numReadonlySignerAccounts < numSignerAccounts &&
    numSignerAccounts + numReadonlyNonSignerAccounts <= keys &&
    instructions.every(
      ({ programAddressIndex, accountIndices = [] }) =>
        programAddressIndex > 0 && programAddressIndex < keys && accountIndices.every((index) => index < reach),
    )
  )
}

/** True if it uses address lookup tables. */
export const usesLookups = (message: Message): boolean =>
  'addressTableLookups' in message && (message.addressTableLookups ?? []).length > 0

export const isSigner = ({ header }: Message, index: number): boolean => index < header.numSignerAccounts

export function isWritable({ header, staticAccounts }: Message, index: number): boolean {
  if (index < header.numSignerAccounts) return index < header.numSignerAccounts - header.numReadonlySignerAccounts
  return index < staticAccounts.length - header.numReadonlyNonSignerAccounts
}
