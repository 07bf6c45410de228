import { COMPUTE_BUDGET_PROGRAM } from './addresses.ts'
import type { Message } from './transactions.ts'

/** As on the network: lamports of a signature, compute units of an instruction without a limit, and of a transaction at most. */
const LAMPORTS_PER_SIGNATURE = 5_000
const UNITS_PER_INSTRUCTION = 200_000
const UNITS_MAX = 1_400_000

/** Lamports of a message: its signatures, and its compute units at the price it bids. */
export function feeOf({ header, instructions, staticAccounts }: Message): number {
  let units: number | null = null
  let microLamports = 0n
  let others = 0
  for (const { programAddressIndex, data } of instructions) {
    if (staticAccounts[programAddressIndex] !== COMPUTE_BUDGET_PROGRAM) others++
    else {
      const bytes = Buffer.from(new Uint8Array(data ?? []))
      if (bytes[0] === 2 && bytes.length === 5) units = bytes.readUInt32LE(1)
      if (bytes[0] === 3 && bytes.length === 9) microLamports = bytes.readBigUInt64LE(1)
    }
  }
  const limit = Math.min(units ?? others * UNITS_PER_INSTRUCTION, UNITS_MAX)
  const priority = (microLamports * BigInt(limit) + 999_999n) / 1_000_000n
  return header.numSignerAccounts * LAMPORTS_PER_SIGNATURE + Number(priority)
}
