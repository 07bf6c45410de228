import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { keyFromBase58 } from '@ti/core/base/base58.ts'
import { createDemoWallet } from './demo-wallet.ts'
import { usableWallets } from './features.ts'
import { connect, prove } from './sign-in.ts'

test('the demo wallet signs in like any other, each with an address of its own', async () => {
  const addresses = new Set<string>()
  for (let i = 0; i < 2; i++) {
    const wallet = await createDemoWallet()
    assert.deepEqual(usableWallets([wallet]), [wallet])
    const account = await connect(wallet)
    addresses.add(account.address)
    const raw = Buffer.from(keyFromBase58(account.address)!, 'latin1')
    assert.deepEqual(raw, Buffer.from(account.publicKey))
    const challenge = { nonce: 'n', message: `sign in ${i}`, fields: {}, expires_at: '' }
    const signature = Buffer.from(await prove(wallet, account, challenge), 'base64')
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
      format: 'jwk',
    })
    assert.ok(verify(null, Buffer.from(challenge.message), key, signature))
  }
  assert.equal(addresses.size, 2)
})
