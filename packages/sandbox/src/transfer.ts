import { randomBytes, sign } from 'node:crypto'
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  getTransactionEncoder,
  pipe,
  type SignatureBytes,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit'
import { SYSTEM_PROGRAM, type Wallet } from './addresses.ts'
import { bytesToBase58, type Decoded, decodeTransaction } from './transactions.ts'

/**
 * A signed transfer of lamports, like any other transaction. It names one more account, by default a random one, so
 * that two equal transfers with the same blockhash differ.
 */
export function signedTransfer(
  from: Wallet,
  to: Address,
  lamports: bigint,
  blockhash: string,
  reference: Address = bytesToBase58(randomBytes(32)) as Address,
): Decoded {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(lamports, 4)
  const transaction = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(from.address, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash(
        { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
        message,
      ),
    (message) =>
      appendTransactionMessageInstruction(
        {
          programAddress: SYSTEM_PROGRAM,
          accounts: [
            { address: from.address, role: AccountRole.WRITABLE_SIGNER },
            { address: to, role: AccountRole.WRITABLE },
            { address: reference, role: AccountRole.READONLY },
          ],
          data,
        },
        message,
      ),
    compileTransaction,
  )
  const signature = sign(null, transaction.messageBytes as unknown as Uint8Array, from.key) as unknown
  const signed = { ...transaction, signatures: { [from.address]: signature as SignatureBytes } }
  return decodeTransaction(new Uint8Array(getTransactionEncoder().encode(signed)))
}
