import assert from 'node:assert/strict'
import { test } from 'node:test'
import { address, generateKeyPairSigner } from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { key, keyToBase58 } from '@ti/core/base/base58.ts'
import { associatedTokenAccount, associatedTokenKey } from './token-account.ts'

const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

test('token accounts are where the official client finds them, of both token programs', async () => {
  for (let i = 0; i < 40; i++) {
    const [wallet, mint] = await Promise.all([generateKeyPairSigner(), generateKeyPairSigner()])
    for (const tokenProgram of [TOKEN_PROGRAM_ADDRESS, TOKEN_2022]) {
      const [official] = await findAssociatedTokenPda({ owner: wallet.address, mint: mint.address, tokenProgram })
      const own = associatedTokenKey(key(wallet.address), key(mint.address), key(tokenProgram))
      assert.equal(keyToBase58(own), official)
      if (tokenProgram === TOKEN_PROGRAM_ADDRESS)
        assert.equal(associatedTokenAccount(wallet.address, mint.address), official)
    }
  }
})
