import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { createSolanaRpc } from '../../src/access/solana-rpc.ts'
import { SYSTEM_PROGRAM } from '../../src/sandbox/addresses.ts'

export interface Request {
  readonly payTo: string
  readonly reference: string
}

export interface Payer {
  /** sends what a wallet makes of a Solana Pay request: a transfer whose last account is the reference */
  pay(request: Request, lamports: bigint): Promise<void>
}

/** Somebody with play money on the sandbox chain of a service. */
export async function openPayer(serviceUrl: string, lamports: bigint): Promise<Payer> {
  const { payments } = (await (await fetch(`${serviceUrl}/readyz`)).json()) as { payments: { rpc_url: string } }
  const rpc = createSolanaRpc({ url: payments.rpc_url })
  const payer: KeyPairSigner = await generateKeyPairSigner()
  await rpc('sandbox_faucet', [payer.address, { lamports: lamports.toString() }])
  return {
    async pay({ payTo, reference }, amount) {
      const data = Buffer.alloc(12)
      data.writeUInt32LE(2, 0)
      data.writeBigUInt64LE(amount, 4)
      const { value } = (await rpc('getLatestBlockhash', [])) as {
        value: { blockhash: Blockhash; lastValidBlockHeight: number }
      }
      const lifetime = { ...value, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) }
      const accounts = [
        { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
        { address: payTo as Address, role: AccountRole.WRITABLE },
        { address: reference as Address, role: AccountRole.READONLY },
      ]
      const signed = await signTransactionMessageWithSigners(
        pipe(
          createTransactionMessage({ version: 0 }),
          (message) => setTransactionMessageFeePayerSigner(payer, message),
          (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
          (message) => appendTransactionMessageInstruction({ programAddress: SYSTEM_PROGRAM, accounts, data }, message),
        ),
      )
      await rpc('sendTransaction', [getBase64EncodedWireTransaction(signed), { encoding: 'base64' }])
    },
  }
}
