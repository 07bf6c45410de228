import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { getWallets } from '@wallet-standard/app'
import type { Wallet, WalletAccount } from '@wallet-standard/base'
import { installTestWallet, type TestWalletOptions, testWalletScript } from '../../../../test/browser/test-wallet.ts'
import { type Features, safeIcon, solanaAccount, usableWallets } from './features.ts'
import { inWords, WalletProblem } from './problems.ts'
import { type Challenge, connect, prove } from './sign-in.ts'

// wallets and pages exchange events on the window
const browser = new EventTarget()
Object.assign(globalThis, {
  window: browser,
  addEventListener: browser.addEventListener.bind(browser),
  dispatchEvent: browser.dispatchEvent.bind(browser),
})

const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
/** public key of that seed, RFC 8032, section 7.1 */
const PUBLIC_KEY = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'

const FIELDS = {
  domain: 'api.example.com',
  statement: 'Sign in.',
  uri: 'https://api.example.com/account',
  version: '1',
  chainId: 'mainnet',
  nonce: '0123456789abcdef0123456789abcdef',
  issuedAt: '2026-01-01T00:00:00.000Z',
  expirationTime: '2026-01-01T00:05:00.000Z',
}

function challengeFor(address: string): Challenge {
  const message = `api.example.com wants you to sign in with your Solana account:
${address}

Sign in.

URI: https://api.example.com/account
Version: 1
Chain ID: mainnet
Nonce: 0123456789abcdef0123456789abcdef
Issued At: 2026-01-01T00:00:00.000Z
Expiration Time: 2026-01-01T00:05:00.000Z`
  return { nonce: FIELDS.nonce, message, fields: { ...FIELDS, address }, expires_at: FIELDS.expirationTime }
}

let made = 0
async function open(options: Omit<TestWalletOptions, 'seed' | 'name'> = {}) {
  const name = `Wallet ${made++}`
  const state = await installTestWallet({ seed: SEED, name, ...options })
  const wallet = usableWallets(getWallets().get()).find((one) => one.name === name)
  assert.ok(wallet !== undefined, 'the wallet is not found')
  return { wallet, state }
}

function isProof(challenge: Challenge, base64: string): boolean {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(PUBLIC_KEY, 'hex')])
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  return verify(null, Buffer.from(challenge.message), key, Buffer.from(base64, 'base64'))
}

for (const signIn of ['none', 'same text', 'own text'] as const) {
  test(`a wallet with solana:signIn “${signIn}” proves who it is with the server's own message`, async () => {
    const { wallet, state } = await open({ signIn })
    const account = await connect(wallet)
    assert.equal(Buffer.from(account.publicKey).toString('hex'), PUBLIC_KEY)
    assert.equal(account.address, state.address)
    const challenge = challengeFor(account.address)
    const signature = await prove(wallet, account, challenge)
    assert.match(signature, /^[A-Za-z0-9+/]{86}==$/)
    assert.equal(isProof(challenge, signature), true)
    assert.equal(state.signed.length, signIn === 'own text' ? 2 : 1)
    assert.equal(state.signed.at(-1), challenge.message)
  })
}

test('whoever declines is told so, and is not asked twice', async () => {
  for (const signIn of ['none', 'same text'] as const) {
    const { wallet, state } = await open({ signIn, behaviour: 'decline' })
    const account = await connect(wallet)
    const failed = await prove(wallet, account, challengeFor(account.address)).catch((error: unknown) => error)
    assert.match(inWords(wallet.name, failed), /^You declined in Wallet \d+\. Nothing was signed/)
    assert.deepEqual(state.signed, [])
  }
})

const chains = ['solana:mainnet'] as const
const bytes = new Uint8Array(64)
const account: WalletAccount = { address: 'A', publicKey: bytes, chains, features: [] }
const madeOf = (features: Features): Wallet => ({
  version: '1.0.0',
  name: 'W',
  icon: 'data:image/png;base64,AA==',
  chains,
  features: { 'standard:connect': { connect: async () => ({ accounts: [account] }) }, ...features },
  accounts: [],
})
const said = (problem: string) => (error: unknown) => error instanceof WalletProblem && error.problem === problem

test('what a wallet signs counts only if it is the message, by the account, with a signature', async () => {
  const challenge = challengeFor('A')
  const message = new TextEncoder().encode(challenge.message)
  const signing = (signed: object[]) => madeOf({ 'solana:signMessage': { signMessage: async () => signed as never } })
  const other = Uint8Array.from([...message.slice(0, -1), 0])
  await assert.rejects(
    prove(signing([{ signedMessage: other, signature: bytes }]), account, challenge),
    said('other message'),
  )
  await assert.rejects(prove(signing([]), account, challenge), said('no signature'))
  await assert.rejects(
    prove(signing([{ signedMessage: message, signature: bytes.slice(1) }]), account, challenge),
    said('no signature'),
  )
  const stranger = { account: { ...account, address: 'B' }, signedMessage: message, signature: bytes }
  const signsIn = madeOf({ 'solana:signIn': { signIn: async () => [stranger] } })
  await assert.rejects(prove(signsIn, account, challenge), said('other account'))
  const owned = madeOf({ 'solana:signIn': { signIn: async () => [{ ...stranger, account, signedMessage: other }] } })
  await assert.rejects(prove(owned, account, challenge), said('other message'))
  const none = madeOf({
    'standard:connect': { connect: async () => ({ accounts: [{ ...account, chains: ['eip155:1'] }] }) },
  })
  await assert.rejects(connect(none), said('no account'))
})

test('a wallet whose solana:signIn fails is asked to sign the message', async () => {
  const challenge = challengeFor('A')
  const wallet = madeOf({
    'solana:signIn': { signIn: () => Promise.reject(new Error('not supported on this device')) },
    'solana:signMessage': {
      signMessage: async (...[input]) => [{ signedMessage: input!.message, signature: bytes }],
    },
  })
  assert.equal(await prove(wallet, account, challenge), Buffer.from(bytes).toString('base64'))
})

test('only wallets that can sign in are offered', () => {
  const signs = madeOf({ 'solana:signMessage': { signMessage: async () => [] } })
  const { 'standard:connect': _, ...unconnected } = signs.features
  const offered = usableWallets([
    signs,
    madeOf({}),
    { ...signs, features: unconnected },
    { ...signs, chains: ['bitcoin:mainnet'] },
  ])
  assert.deepEqual(offered, [signs])
  assert.equal(usableWallets(Array.from({ length: 100 }, () => signs)).length, 24)
  assert.equal(solanaAccount([]), null)
})

test('a picture is shown only where it is in the wallet itself', () => {
  assert.equal(safeIcon('data:image/png;base64,AA=='), 'data:image/png;base64,AA==')
  for (const icon of [
    undefined,
    'https://elsewhere.example/x.png',
    'data:text/html;base64,AA==',
    'data:image/svg+xml,<svg onload=1>',
    'javascript:alert(1)',
    `data:image/png;base64,${'A'.repeat(300_000)}`,
  ]) {
    assert.equal(safeIcon(icon), null, String(icon).slice(0, 40))
  }
})

test('every failure has words, and none carries what could steer the page', () => {
  assert.match(inWords('W', new WalletProblem('no account')), /^W has shared no Solana account/)
  assert.match(inWords('W', { code: 4001 }), /^You declined/)
  assert.match(inWords('W', { code: -32002, message: 'x' }), /already shows a request/)
  assert.match(inWords('W', new Error('Wallet is locked')), /is locked/)
  assert.equal(inWords('W', new Error('odd\n\u202ething')), 'W failed (it says: “odd thing”). Unlock it and try again.')
  assert.ok(inWords('W', new Error('x'.repeat(5_000))).length < 300, 'too long')
  for (const nothing of [null, undefined, 5, {}]) {
    assert.equal(inWords('W', nothing), 'W failed. Unlock it and try again.')
  }
})

test('the wallet travels as a script of its own', () => {
  const script = testWalletScript({ seed: SEED })
  assert.doesNotMatch(script, /\b(import|require|export)\b(?!ed|Key)/)
  assert.doesNotThrow(() => new Function(script))
})
