import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explorerOf } from './explorer.ts'

test('mints, wallets and transactions have an address at the explorer of the main network, and nowhere else', () => {
  assert.equal(explorerOf('mainnet', 'mint', 'M1'), 'https://solscan.io/token/M1')
  assert.equal(explorerOf('mainnet', 'wallet', 'W1'), 'https://solscan.io/account/W1')
  assert.equal(explorerOf('mainnet', 'deployer', 'W1'), 'https://solscan.io/account/W1')
  assert.equal(explorerOf('mainnet', 'tx', 'S1'), 'https://solscan.io/tx/S1')
  assert.equal(explorerOf('mainnet', 'tx', '../a?b'), 'https://solscan.io/tx/..%2Fa%3Fb')
  assert.equal(explorerOf(null, 'mint', 'M1'), null)
})
