import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Address } from '@solana/kit'
import { runs } from '../../../test/support/chance.ts'
import fc from '../../../test/support/property.ts'
import { openWallet, USDC_MINT } from './addresses.ts'
import { type SandboxChain, startSandboxChain } from './chain.ts'
import { signedTransfer } from './transfer.ts'

let chain: SandboxChain
before(async () => {
  chain = await startSandboxChain({ slotMs: 0 })
})
after(() => chain.close())

// biome-ignore lint/suspicious/noExplicitAny: answers are looked at, not relied on
type Answer = any

async function ask(method: string, params: readonly unknown[]): Promise<Answer> {
  const response = await fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
  })
  assert.equal(response.status, 200)
  const answer = (await response.json()) as Answer
  assert.equal(answer.id, 7)
  assert.notEqual('result' in answer, 'error' in answer)
  return answer
}

const METHODS = [
  'getAccountInfo',
  'getMultipleAccounts',
  'getLatestBlockhash',
  'isBlockhashValid',
  'getBlockHeight',
  'getSlot',
  'simulateTransaction',
  'sendTransaction',
  'getSignatureStatuses',
  'getTransaction',
  'getSignaturesForAddress',
  'getBalance',
  'getTokenAccountBalance',
  'getTokenAccountsByOwner',
  'getMinimumBalanceForRentExemption',
  'getFeeForMessage',
  'getRecentPrioritizationFees',
  'getEpochInfo',
  'getHealth',
  'getVersion',
  'getGenesisHash',
  'requestAirdrop',
  'sandbox_faucet',
]

test('fuzz: any parameters of any method get an answer that is a result or an error', async () => {
  const wallet = openWallet().address as string
  const text = fc.oneof(fc.constant(wallet), fc.constant(USDC_MINT as string), fc.string(), fc.base64String())
  const config = fc.dictionary(
    fc.constantFrom('encoding', 'commitment', 'limit', 'before', 'dataSlice', 'accounts', 'addresses', 'mint', 'usdc'),
    fc.oneof(text, fc.constantFrom('base64', 'jsonParsed', 'confirmed'), fc.integer(), fc.jsonValue()),
  )
  const parameter = fc.oneof(text, config, fc.array(text, { maxLength: 4 }), fc.jsonValue(), fc.double())
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...METHODS), fc.array(parameter, { maxLength: 4 }), async (method, params) => {
      const answer = await ask(method, params)
      if (answer.error !== undefined) assert.notEqual(answer.error.code, -32_603, `${method}: ${answer.error.message}`)
    }),
    { numRuns: runs(1_500) },
  )
})

test('fuzz: damaged transactions never crash the machine and never move money', async () => {
  const buyer = openWallet()
  chain.fund(buyer.address, { lamports: 1_000_000_000n })
  const { blockhash } = (await ask('getLatestBlockhash', [])).result.value
  const good = Buffer.from(signedTransfer(buyer, chain.seller as Address, 1_000_000n, blockhash).wire)
  const before = chain.lamports(chain.seller)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 4 }),
      fc.nat(good.length),
      fc.uint8Array({ maxLength: 8 }),
      async (flips, cut, more) => {
        const bytes = Buffer.from(good)
        for (const [at, by] of flips) bytes[at] = bytes[at]! ^ by
        if (bytes.equals(good)) return
        const options = { encoding: 'base64', skipPreflight: true }
        for (const damaged of [
          bytes,
          good.subarray(0, cut === good.length ? 1 : cut),
          Buffer.concat([good, more, Buffer.of(1)]),
        ]) {
          const encoded = damaged.toString('base64')
          for (const method of ['simulateTransaction', 'sendTransaction']) {
            const answer = await ask(method, [encoded, options])
            if (answer.error !== undefined) assert.equal(answer.error.code, -32_602, answer.error.message)
          }
        }
      },
    ),
    { numRuns: runs(400) },
  )
  assert.equal(chain.lamports(chain.seller), before)
  await ask('sendTransaction', [good.toString('base64'), { encoding: 'base64' }])
  assert.equal(chain.lamports(chain.seller) - before, 1_000_000n)
})
