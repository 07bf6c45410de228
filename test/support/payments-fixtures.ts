import { randomBytes } from 'node:crypto'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { findAssociatedTokenPda, getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { ASSET, COMPUTE_BUDGET, NETWORK, requirements } from '@ti/service/access/x402/network.ts'
import { readPaymentHeader } from '@ti/service/access/x402/payment.ts'
import type { Client, Payment, PricedCall } from '@ti/service/access/x402/types.ts'

/** Payments as a client makes them, and payments as nobody should: every part can be replaced. */
export const FEE_PAYER = 'EwWqGE4ZFKLofuestmU4LDdK7XM1N4ALgdZccwYugwGd'
export const PAY_TO = '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4'
export const MEMO = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

export interface Transfer {
  readonly buyer?: KeyPairSigner
  readonly feePayer?: string
  readonly payTo?: string
  readonly mint?: string
  readonly amount?: number
  readonly blockhash?: string
  readonly units?: number
  readonly price?: number
  /** in place of the memo */
  readonly rest?: readonly Instruction[]
}

export const anyAddress = (): Address => getAddressDecoder().decode(randomBytes(32))
export const memo = (text = randomBytes(16).toString('hex')): Instruction => ({
  programAddress: MEMO,
  data: new TextEncoder().encode(text),
})

function computeBudget(tag: number, bytes: number, value: number): Instruction {
  const data = Buffer.alloc(1 + bytes)
  data[0] = tag
  data.writeUInt32LE(value, 1)
  return { programAddress: address(COMPUTE_BUDGET), data: new Uint8Array(data) }
}

async function accountOf(owner: string, mint: string): Promise<Address> {
  const seeds = { mint: address(mint), owner: address(owner), tokenProgram: TOKEN_PROGRAM_ADDRESS }
  return (await findAssociatedTokenPda(seeds))[0]
}

/** base64 of a partially signed transfer */
export async function transferTransaction(transfer: Transfer = {}): Promise<string> {
  const buyer = transfer.buyer ?? (await generateKeyPairSigner())
  const mint = transfer.mint ?? ASSET
  const move = getTransferCheckedInstruction({
    source: await accountOf(buyer.address, mint),
    mint: address(mint),
    destination: await accountOf(transfer.payTo ?? PAY_TO, mint),
    authority: buyer,
    amount: transfer.amount ?? 10_000,
    decimals: 6,
  })
  const blockhash = (transfer.blockhash ?? anyAddress()) as string as Blockhash
  const instructions = [
    computeBudget(2, 4, transfer.units ?? 20_000),
    computeBudget(3, 8, transfer.price ?? 1),
    move,
    ...(transfer.rest ?? [memo()]),
  ]
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(address(transfer.feePayer ?? FEE_PAYER), m),
    (m) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 1_000n }, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  )
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message))
}

export const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64')

export const envelopeV1 = (transaction: string): object => ({
  x402Version: 1,
  scheme: 'exact',
  network: 'solana',
  payload: { transaction },
})

export const envelopeV2 = (transaction: string, amount = 10_000, payTo = PAY_TO, feePayer = FEE_PAYER): object => ({
  x402Version: 2,
  accepted: requirements(payTo, feePayer, amount),
  payload: { transaction },
})

/** The payment as the service reads it; throws where it does not. */
export function read(envelope: unknown): Payment {
  const found = readPaymentHeader(encode(envelope))
  if (!found.ok) throw new Error(found.reason)
  return found.payment
}

export const callOf = (request = 'new', amount = 10_000): PricedCall => ({
  operation: amount === 20_000 ? 'snapshot' : 'new',
  request,
  amount,
  resource: `https://api.example.com/v1/tokens/${request}`,
  description: 'New tokens',
})

export const someone: Client = { address: '192.0.2.1', gone: () => false }

/** One signature byte of the wire form changed: 0 is the fee payer's slot. */
export function withSignatureByte(transaction: string, slot: number, value: number): string {
  const bytes = Buffer.from(transaction, 'base64')
  bytes[1 + 64 * slot] = value
  return bytes.toString('base64')
}

export { NETWORK }
