import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateKeyPairSigner } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { associatedTokenAccount } from './token-account.ts'

test('token accounts are where the official client finds them', async () => {
  for (let i = 0; i < 40; i++) {
    const [wallet, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])
    const seeds = { owner: wallet.address, mint: mint.address, tokenProgram: TOKEN_PROGRAM_ADDRESS }
    const [official] = await findAssociatedTokenPda(seeds)
    assert.equal(associatedTokenAccount(wallet.address, mint.address), official)
  }
})
