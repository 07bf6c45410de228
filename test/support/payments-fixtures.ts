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
import { COMPUTE_BUDGET, MAINNET, NETWORKS, type Network, requirements } from '@ti/service/access/x402/network.ts'
import { readPaymentHeader } from '@ti/service/access/x402/payment.ts'
import type { AnswerForm, Client, Payment, PricedCall } from '@ti/service/access/x402/types.ts'

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
  const mint = transfer.mint ?? MAINNET.asset
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

export const envelopeV1 = (transaction: string, network = MAINNET): object => ({
  x402Version: 1,
  scheme: 'exact',
  network: network.v1,
  payload: { transaction },
})

export const envelopeV2 = (
  transaction: string,
  amount = 10_000,
  payTo = PAY_TO,
  feePayer = FEE_PAYER,
  network = MAINNET,
): object => ({
  x402Version: 2,
  accepted: requirements(payTo, feePayer, amount, network),
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

/** stores an answer that is a text as it is */
export const TEXT: AnswerForm<string> = { pack: (answer) => answer, unpack: (text) => text }

export const someone: Client = { address: '192.0.2.1', gone: () => false }

/** One signature byte of the wire form changed: 0 is the fee payer's slot. */
export function withSignatureByte(transaction: string, slot: number, value: number): string {
  const bytes = Buffer.from(transaction, 'base64')
  bytes[1 + 64 * slot] = value
  return bytes.toString('base64')
}

/** One signed transaction in every form it can be sent in. */
export interface SignedPayment {
  /** base64 of the partially signed transaction */
  readonly transaction: string
  /** hex SHA-256 of the message */
  readonly hash: string
  readonly v1: object
  readonly v2: object
  readonly v1Text: string
  readonly v2Text: string
}

/** Who is paid, and who pays the network's fee. */
export interface Parties {
  readonly payTo: string
  readonly feePayer: string
  /** left out: mainnet */
  readonly network?: Network | undefined
}

export function formsOf(transaction: string, price: number, { payTo, feePayer, network }: Parties): SignedPayment {
  const v1 = envelopeV1(transaction, network)
  const v2 = envelopeV2(transaction, price, payTo, feePayer, network)
  let hash = ''
  try {
    hash = read(v1).hash
  } catch {
    // a transaction nobody should send has no hash of ours
  }
  return { transaction, hash, v1, v2, v1Text: encode(v1), v2Text: encode(v2) }
}

/** Headers of a payment in one version. */
export const inV2 = ({ v2Text }: SignedPayment): Record<string, string> => ({ 'PAYMENT-SIGNATURE': v2Text })
export const inV1 = ({ v1Text }: SignedPayment): Record<string, string> => ({ 'X-PAYMENT': v1Text })

/** A receipt as it is decoded. */
export interface Receipt {
  readonly success: boolean
  readonly transaction: string
  readonly network: string
  readonly payer: string
  readonly errorReason?: string
}

export const decode = <T>(base64: string): T => JSON.parse(Buffer.from(base64, 'base64').toString()) as T

/** The receipt of an answer, whichever header it came in; its network must be written as that version writes it. */
export function receiptIn(headers: ReadonlyMap<string, string>): Receipt | null {
  const [v2, v1] = [headers.get('payment-response'), headers.get('x-payment-response')]
  if (v1 !== undefined && v2 !== undefined) throw new Error('two receipts in one answer')
  const text = v2 ?? v1
  if (text === undefined) return null
  const receipt = decode<Receipt>(text)
  const names = NETWORKS.map((one) => (v2 === undefined ? one.v1 : one.v2))
  if (!names.includes(receipt.network)) throw new Error(`a receipt for ${receipt.network}, not one of ${names}`)
  return receipt
}

/** Every copy of a value in which one leaf, or one branch, is another value. */
export function* mutants(value: unknown, other: unknown): Generator<unknown> {
  yield other
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    for (const changed of mutants(inner, other)) yield { ...value, [name]: changed }
  }
}

/** Asks a node. */
export async function rpc<T>(url: string, method: string, params: readonly unknown[] = []): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { result, error } = (await answer.json()) as { result: T; error?: { message: string } }
  if (error !== undefined) throw new Error(error.message)
  return result
}

/** A payment of a new buyer over no chain. */
export const signPayment = async (amount: number): Promise<SignedPayment> =>
  formsOf(await transferTransaction({ amount }), amount, { payTo: PAY_TO, feePayer: FEE_PAYER })
