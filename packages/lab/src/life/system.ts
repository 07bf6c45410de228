import { AccountRole, type Address, type Instruction } from '@solana/kit'
import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import { ZERO_KEY } from '@ti/core/base/ids.ts'

/** Instructions of the system program, which the runtime itself carries out. */
const SYSTEM = keyToBase58(ZERO_KEY) as Address
const CREATE_ACCOUNT = 0
const TRANSFER = 2

const call = (from: Address, to: Address, toSigns: boolean, data: Buffer): Instruction => ({
  programAddress: SYSTEM,
  accounts: [
    { address: from, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: toSigns ? AccountRole.WRITABLE_SIGNER : AccountRole.WRITABLE },
  ],
  data,
})

export function createAccount(
  payer: Address,
  made: Address,
  { lamports, bytes, owner }: { lamports: bigint; bytes: number; owner: Address },
): Instruction {
  const data = Buffer.alloc(52)
  data.writeUInt32LE(CREATE_ACCOUNT, 0)
  data.writeBigUInt64LE(lamports, 4)
  data.writeBigUInt64LE(BigInt(bytes), 12)
  data.write(key(owner), 20, 'latin1')
  return call(payer, made, true, data)
}

export function transferLamports(from: Address, to: Address, lamports: bigint): Instruction {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(TRANSFER, 0)
  data.writeBigUInt64LE(lamports, 4)
  return call(from, to, false, data)
}
