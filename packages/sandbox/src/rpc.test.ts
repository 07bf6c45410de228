import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { findAssociatedTokenPda, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { associatedTokenAccount } from '@ti/service/base/token-account.ts'
import { openWallet, SYSTEM_PROGRAM, USDC_MINT } from './addresses.ts'
import { SANDBOX_GENESIS_HASH, type SandboxChain, startSandboxChain } from './chain.ts'
import { FAUCET } from './params.ts'
import { BATCH, REQUEST_BYTES } from './server.ts'

/** The JSON-RPC interface: formats that clients rely on, and invalid calls. */

const SOL = 1_000_000_000n

let chain: SandboxChain
before(async () => {
  chain = await startSandboxChain({ slotMs: 0 })
})
after(() => chain.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not relied on
type Answer = any

async function post(body: string, headers: Record<string, string> = {}): Promise<{ status: number; answer: Answer }> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  const text = await response.text()
  return { status: response.status, answer: text === '' ? null : JSON.parse(text) }
}

const ask = async (method: string, ...params: unknown[]): Promise<Answer> =>
  (await post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))).answer

const call = async (method: string, ...params: unknown[]): Promise<Answer> => {
  const { result, error } = await ask(method, ...params)
  assert.equal(error, undefined, `${method}: ${JSON.stringify(error)}`)
  return result
}

/** A transfer of lamports with a reference: an extra key, only for finding it. */
async function transfer(from: KeyPairSigner, to: string, lamports: bigint, reference: string) {
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(lamports, 4)
  const { blockhash, lastValidBlockHeight } = (await call('getLatestBlockhash')).value
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: BigInt(lastValidBlockHeight) }
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(from, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) =>
        appendTransactionMessageInstruction(
          {
            programAddress: SYSTEM_PROGRAM,
            accounts: [
              { address: from.address, role: AccountRole.WRITABLE_SIGNER },
              { address: to as Address, role: AccountRole.WRITABLE },
              { address: reference as Address, role: AccountRole.READONLY },
            ],
            data,
          },
          message,
        ),
    ),
  )
  return { wire: getBase64EncodedWireTransaction(signed), signature: getSignatureFromTransaction(signed) }
}

const CONFIRMED = { commitment: 'confirmed' }
const READABLE = { ...CONFIRMED, maxSupportedTransactionVersion: 0 }

test('a transfer that carries a reference is found by it, and says who paid what', async () => {
  const buyer = await generateKeyPairSigner()
  const reference = openWallet().address
  chain.fund(buyer.address, { lamports: 2n * SOL })
  const sellerBefore = chain.lamports(chain.seller)
  assert.deepEqual(await call('getSignaturesForAddress', reference, CONFIRMED), [])

  const { wire, signature } = await transfer(buyer, chain.seller, SOL, reference)
  assert.equal(await call('sendTransaction', wire, { encoding: 'base64' }), signature)
  const [found, ...others] = await call('getSignaturesForAddress', reference, CONFIRMED)
  assert.deepEqual(others, [])
  assert.deepEqual(
    [found.signature, found.err, found.memo, found.confirmationStatus],
    [signature, null, null, 'confirmed'],
  )
  assert.ok(Math.abs(found.blockTime - Date.now() / 1000) < 60)

  const { transaction, meta, slot, version } = await call('getTransaction', signature, READABLE)
  const keys: string[] = transaction.message.accountKeys
  const change = (wallet: string): number => {
    const index = keys.indexOf(wallet)
    return meta.postBalances[index] - meta.preBalances[index]
  }
  assert.deepEqual([slot, version, meta.err, meta.fee], [found.slot, 0, null, 5_000])
  assert.equal(change(chain.seller), Number(SOL))
  assert.equal(change(buyer.address), -Number(SOL) - 5_000)
  assert.equal(change(reference), 0)
  assert.equal(chain.lamports(chain.seller) - sellerBefore, SOL)
  assert.deepEqual(transaction.signatures, [signature])

  const parsed = await call('getTransaction', signature, { ...READABLE, encoding: 'jsonParsed' })
  const [instruction] = parsed.transaction.message.instructions
  const info = { source: buyer.address, destination: chain.seller, lamports: Number(SOL) }
  assert.deepEqual(instruction.parsed, { type: 'transfer', info })
  const shown = parsed.transaction.message.accountKeys.find((key: { pubkey: string }) => key.pubkey === reference)
  assert.deepEqual([shown.signer, shown.writable], [false, false])
  const [bytes] = (await call('getTransaction', signature, { ...READABLE, encoding: 'base64' })).transaction
  assert.equal(bytes, wire)

  const refused = await ask('getTransaction', signature, CONFIRMED)
  assert.equal(refused.error.code, -32_015, 'a client that does not say it knows version 0 must not get it')
  const newest = { ...READABLE, maxSupportedTransactionVersion: 1 }
  assert.equal((await call('getTransaction', signature, newest)).version, 0)
  const text = await ask('getTransaction', signature, { ...READABLE, maxSupportedTransactionVersion: '1' })
  assert.equal(text.error.code, -32_602, 'a version is an integer')
  const version1 = Buffer.alloc(200, 0x81).toString('base64')
  const unsent = await ask('sendTransaction', version1, { encoding: 'base64' })
  assert.match(unsent.error.message, /version 1/)
})

test('pages of signatures: newest first, limit, before, until', async () => {
  const buyer = await generateKeyPairSigner()
  const reference = openWallet().address
  chain.fund(buyer.address, { lamports: SOL })
  const sent: string[] = []
  for (let i = 0n; i < 5n; i++) {
    const { wire, signature } = await transfer(buyer, chain.seller, 1_000_000n + i, reference)
    await call('sendTransaction', wire, { encoding: 'base64' })
    sent.unshift(signature)
  }
  const page = async (config: object): Promise<string[]> =>
    (await call('getSignaturesForAddress', reference, { ...CONFIRMED, ...config })).map(
      (one: { signature: string }) => one.signature,
    )
  assert.deepEqual(await page({}), sent)
  assert.deepEqual(await page({ limit: 2 }), sent.slice(0, 2))
  assert.deepEqual(await page({ limit: 2, before: sent[1] }), sent.slice(2, 4))
  assert.deepEqual(await page({ until: sent[3] }), sent.slice(0, 3))
  assert.deepEqual(await page({ commitment: 'finalized' }), [])
  for (const config of [{ limit: 0 }, { limit: 1_001 }, { before: 'x' }, { commitment: 'processed' }]) {
    assert.equal((await ask('getSignaturesForAddress', reference, { ...CONFIRMED, ...config })).error.code, -32_602)
  }
})

test('simulation: a placeholder blockhash, signatures or none, accounts afterwards', async () => {
  const buyer = await generateKeyPairSigner()
  chain.fund(buyer.address, { lamports: SOL })
  const { wire } = await transfer(buyer, chain.seller, 1_000_000n, buyer.address)
  const seller = { accounts: { addresses: [chain.seller], encoding: 'base64' } }
  const fine = await call('simulateTransaction', wire, { encoding: 'base64', sigVerify: true, ...seller })
  assert.equal(fine.value.err, null)
  assert.ok(fine.value.unitsConsumed > 0)
  assert.equal(fine.value.accounts[0].lamports, Number(chain.lamports(chain.seller)) + 1_000_000)
  chain.advanceSlots(151)
  const old = await call('simulateTransaction', wire, { encoding: 'base64' })
  assert.equal(old.value.err, 'BlockhashNotFound')
  const replaced = await call('simulateTransaction', wire, { encoding: 'base64', replaceRecentBlockhash: true })
  assert.equal(replaced.value.err, null)
  assert.equal(replaced.value.replacementBlockhash.blockhash, (await call('getLatestBlockhash')).value.blockhash)
  const both = { encoding: 'base64', replaceRecentBlockhash: true, sigVerify: true }
  assert.equal((await ask('simulateTransaction', wire, both)).error.code, -32_602)
  const unsigned = Buffer.from(wire, 'base64')
  unsigned.fill(0, 1, 65)
  const verify = { encoding: 'base64', sigVerify: true }
  chain.advanceSlots(1)
  assert.equal(
    (await ask('simulateTransaction', unsigned.toString('base64'), { ...verify })).result.value.err,
    'BlockhashNotFound',
  )
})

test('the rest of what clients ask', async () => {
  const wallet = openWallet().address
  const account = associatedTokenAccount(wallet, USDC_MINT)
  const [official] = await findAssociatedTokenPda({
    owner: wallet,
    mint: USDC_MINT,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  assert.equal(account, official)

  assert.equal(await call('getHealth'), 'ok')
  assert.equal(await call('getGenesisHash'), SANDBOX_GENESIS_HASH)
  assert.equal((await call('getVersion')).sandbox, true)
  assert.equal(await call('getSlot'), chain.slot())
  assert.ok((await call('getBlockHeight')) < chain.slot())
  assert.equal((await call('getEpochInfo')).absoluteSlot, chain.slot())
  assert.equal(await call('getMinimumBalanceForRentExemption', 165), 2_039_280)
  assert.equal((await call('getRecentPrioritizationFees', [])).length, 1)
  assert.equal((await call('getAccountInfo', wallet, { encoding: 'base64' })).value, null)
  assert.equal((await call('getBalance', wallet)).value, 0)
  assert.equal((await ask('getTokenAccountBalance', account)).error.code, -32_602)

  const given = await call('sandbox_faucet', wallet, { usdc: '1500000', lamports: 5_000_000 })
  assert.deepEqual(given, { usdc: '1500000', lamports: '5000000', tokenAccount: account })
  const balance = (await call('getTokenAccountBalance', account)).value
  assert.deepEqual(balance, { amount: '1500000', decimals: 6, uiAmount: 1.5, uiAmountString: '1.5' })
  for (const filter of [{ mint: USDC_MINT }, { programId: TOKEN_PROGRAM_ADDRESS }]) {
    const [held, ...others] = (await call('getTokenAccountsByOwner', wallet, filter, { encoding: 'jsonParsed' })).value
    assert.deepEqual(others, [])
    assert.equal(held.pubkey, account)
    assert.deepEqual(held.account.data.parsed.info.tokenAmount, balance)
  }
  const [mint, none, sliced] = (
    await call('getMultipleAccounts', [USDC_MINT, openWallet().address, account], {
      encoding: 'base64',
      dataSlice: { offset: 64, length: 8 },
    })
  ).value
  assert.equal(mint.owner, TOKEN_PROGRAM_ADDRESS)
  assert.equal(none, null)
  assert.equal(Buffer.from(sliced.data[0], 'base64').readBigUInt64LE(), 1_500_000n)

  for (const amounts of [
    { usdc: FAUCET.usdc + 1 },
    { lamports: String(FAUCET.lamports + 1) },
    { usdc: -1 },
    { usdc: 1.5 },
    { usdc: '1e3' },
  ]) {
    assert.equal((await ask('sandbox_faucet', wallet, amounts)).error.code, -32_602, JSON.stringify(amounts))
  }
})

test('an airdrop is a transaction like any other, also the second time', async () => {
  const wallet = openWallet().address
  const [first, second] = [
    await call('requestAirdrop', wallet, 5_000_000),
    await call('requestAirdrop', wallet, 5_000_000),
  ]
  assert.notEqual(first, second)
  assert.equal(chain.lamports(wallet), 10_000_000n)
  const statuses = (await call('getSignatureStatuses', [first, second])).value
  assert.deepEqual(
    statuses.map((one: { err: unknown }) => one.err),
    [null, null],
  )
})

test('the fee of a message is what the chain takes', async () => {
  const buyer = await generateKeyPairSigner()
  chain.fund(buyer.address, { lamports: SOL })
  const { wire } = await transfer(buyer, chain.seller, 1_000_000n, buyer.address)
  const message = Buffer.from(wire, 'base64').subarray(65).toString('base64')
  assert.equal((await call('getFeeForMessage', message)).value, 5_000)
  chain.advanceSlots(151)
  assert.equal((await call('getFeeForMessage', message)).value, null)
})

test('what is no call is answered as an error', async () => {
  const code = async (body: string) => (await post(body)).answer.error.code
  assert.equal(await code('{'), -32_700)
  assert.equal(await code('1'), -32_600)
  assert.equal(await code('null'), -32_600)
  assert.equal(await code('[]'), -32_600)
  assert.equal(await code('{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{}}'), -32_600)
  assert.equal(await code('{"jsonrpc":"2.0","method":"getSlot"}'), -32_600)
  assert.equal((await ask('constructor')).error.code, -32_601)
  assert.equal((await ask('getProgramAccounts')).error.code, -32_601)
  const one = { jsonrpc: '2.0', id: 'a', method: 'getSlot' }
  const { answer } = await post(JSON.stringify([one, 7, { ...one, id: 'b' }]))
  assert.deepEqual(
    answer.map((each: Answer) => [each.id, each.error?.code]),
    [
      ['a', undefined],
      [null, -32_600],
      ['b', undefined],
    ],
  )
  assert.equal(await code(JSON.stringify(Array(BATCH + 1).fill(one))), -32_600)
  assert.equal((await post(' '.repeat(REQUEST_BYTES + 1))).status, 413)
})

test('only JSON, only this machine', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' })
  assert.equal((await post(body, { 'content-type': 'text/plain' })).status, 415)
  assert.equal((await fetch(chain.rpcUrl)).status, 405)
  // a raw request, because fetch does not let pages set these headers
  const statusFor = (headers: Record<string, string>, method = 'POST') =>
    new Promise<{ status: number | undefined; allowed: unknown }>((resolve, reject) => {
      const sent = request(
        chain.rpcUrl,
        { method, agent: false, headers: { 'content-type': 'application/json', ...headers } },
        (got) => {
          got.resume()
          resolve({ status: got.statusCode, allowed: got.headers['access-control-allow-origin'] })
        },
      )
      sent.on('error', reject).end(body)
    })
  assert.deepEqual(await statusFor({ origin: 'http://localhost:4000' }), {
    status: 200,
    allowed: 'http://localhost:4000',
  })
  assert.equal((await statusFor({ origin: 'http://127.0.0.1:4000' }, 'OPTIONS')).status, 204)
  for (const headers of [
    { origin: 'https://example.com' },
    { origin: 'http://127.0.0.1.example.com' },
    { origin: 'null' },
    { host: 'example.com' },
  ]) {
    assert.deepEqual(await statusFor(headers), { status: 403, allowed: undefined }, JSON.stringify(headers))
  }
})
