import { randomBytes } from 'node:crypto'
import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createNoopSigner,
  createTransactionMessage,
  generateKeyPairSigner,
  getAddressDecoder,
  getBase64EncodedWireTransaction,
  type Instruction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { findAssociatedTokenPda, getTransferCheckedInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'

/** Payments as clients sign them, over no chain: what is told about the chain is invented. */
export const OFFER = {
  scheme: 'exact',
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  payTo: '2wKupLR9q6wXYppw8Gr2NvWxKBUqm4PPJKkQfoxHDBg4',
  maxTimeoutSeconds: 60,
  extra: { feePayer: 'EwWqGE4ZFKLofuestmU4LDdK7XM1N4ALgdZccwYugwGd' },
} as const

const COMPUTE_BUDGET = address('ComputeBudget111111111111111111111111111111')

function computeBudget(tag: number, bytes: number, value: number): Instruction {
  const data = Buffer.alloc(1 + bytes)
  data[0] = tag
  data.writeUInt32LE(value, 1)
  return { programAddress: COMPUTE_BUDGET, data: new Uint8Array(data) }
}

const anyAddress = (): Address => getAddressDecoder().decode(randomBytes(32))

/** base64 of a partially signed transfer of `amount` units */
async function transaction(amount: number): Promise<string> {
  const buyer = await generateKeyPairSigner()
  const mint = address(OFFER.asset)
  const account = async (owner: Address): Promise<Address> =>
    (await findAssociatedTokenPda({ mint, owner, tokenProgram: TOKEN_PROGRAM_ADDRESS }))[0]
  const transfer = getTransferCheckedInstruction({
    source: await account(buyer.address),
    mint,
    destination: await account(address(OFFER.payTo)),
    authority: buyer,
    amount,
    decimals: 6,
  })
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (m) => setTransactionMessageFeePayer(createNoopSigner(address(OFFER.extra.feePayer)).address, m),
    (m) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: anyAddress() as string as Blockhash, lastValidBlockHeight: 1_000n },
        m,
      ),
    (m) => appendTransactionMessageInstructions([computeBudget(2, 4, 20_000), computeBudget(3, 8, 1), transfer], m),
  )
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message))
}

/** One signed payment in every form it can be sent in. */
export interface SignedPayment {
  readonly v2: object
  readonly v1: object
  readonly v2Text: string
  readonly v1Text: string
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')

export async function signPayment(amount: number): Promise<SignedPayment> {
  const payload = { transaction: await transaction(amount) }
  const v2 = { x402Version: 2, accepted: { ...OFFER, amount: String(amount) }, payload }
  const v1 = { x402Version: 1, scheme: 'exact', network: 'solana', payload }
  return { v1, v2, v1Text: base64(v1), v2Text: base64(v2) }
}
