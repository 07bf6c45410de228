import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { readTransaction } from '@ti/service/access/x402/transaction.ts'
import type { Payment } from '@ti/service/access/x402/types.ts'
import type { Scene } from '../properties/payments-sandbox-scene.ts'
import { blockhashOf } from '../support/payment-world.ts'
import { envelopeV2, read, type Transfer, transferTransaction } from '../support/payments-fixtures.ts'

/** units of USDC of an ordinary call */
export const PRICE = 10_000
/** lamports that a payment of the official clients costs our fee payer */
export const FEE = 10_001

/** Signs payments as the official client does, without asking the chain for each. */
export async function byHand({ chain }: Scene) {
  const { seller: payTo, feePayer, rpcUrl } = chain
  const blockhash = await blockhashOf(rpcUrl)
  return async (buyer: KeyPairSigner, transfer: Transfer = {}): Promise<Payment> => {
    const transaction = await transferTransaction({ buyer, payTo, feePayer, blockhash, ...transfer })
    return read(envelopeV2(transaction, PRICE, payTo, feePayer))
  }
}

/** Wallets that empty themselves in the moment between the simulation and the landing of their own payment. */
export function racers({ chain }: Scene, wallets: ReadonlySet<string>): void {
  chain.knobs.before = (method, [transaction]) => {
    if (method !== 'sendTransaction') return
    const read = readTransaction(String(transaction))
    if (read.ok && wallets.has(read.facts.payer)) chain.drain(read.facts.payer)
  }
}

export const walletsOf = (count: number): Promise<KeyPairSigner[]> =>
  Promise.all(Array.from({ length: count }, () => generateKeyPairSigner()))

/** lamports that the fee payer has lost since the scene began */
export const feesOf = ({ chain }: Scene): number => Number(10_000_000_000n - chain.lamports(chain.feePayer))
