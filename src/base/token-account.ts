import { createHash } from 'node:crypto'
import { type Address, isOffCurveAddress } from '@solana/kit'
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { base58Encode, keyFromBase58 } from './base58.ts'

const raw = (address: string): Buffer => Buffer.from(keyFromBase58(address)!, 'latin1')
const [TOKEN_PROGRAM, ASSOCIATED_PROGRAM] = [raw(TOKEN_PROGRAM_ADDRESS), raw(ASSOCIATED_TOKEN_PROGRAM_ADDRESS)]

/**
 * The associated token account of a wallet for a mint of the SPL Token program; both as base58. Same rule as the program's;
 * the packages' own is asynchronous, and waits for a thread to hash a hundred bytes.
 */
export function associatedTokenAccount(wallet: string, mint: string): Address {
  const seeds = Buffer.concat([raw(wallet), TOKEN_PROGRAM, raw(mint)])
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256').update(seeds).update(Buffer.of(bump)).update(ASSOCIATED_PROGRAM)
    const address = base58Encode(hash.update('ProgramDerivedAddress').digest().toString('latin1')) as Address
    if (isOffCurveAddress(address)) return address
  }
  throw new Error('no bump leads off the curve')
}
