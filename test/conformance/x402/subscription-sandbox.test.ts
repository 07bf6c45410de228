import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type KeyPairSigner,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import { startSandboxChain } from '@ti/sandbox/chain.ts'
import { createAccounts } from '@ti/service/access/accounts/accounts.ts'
import { createDepositSource } from '@ti/service/access/accounts/deposit-source.ts'
import { createSubscriptions } from '@ti/service/access/accounts/subscriptions.ts'
import { openKeys } from '@ti/service/access/keys.ts'
import { createSolanaRpc, type SolanaRpc } from '@ti/service/access/solana-rpc.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { emptyDatabase } from '../../support/database.ts'

const SOL = 1_000_000_000n
const SYSTEM_PROGRAM = '11111111111111111111111111111111' as Address
const silent = createLogger('silent')

/** Sends what a wallet makes of a Solana Pay request: a transfer whose last account is the reference. */
async function pay(rpc: SolanaRpc, from: KeyPairSigner, request: URL, lamports: bigint): Promise<void> {
  const to = request.pathname as Address
  const reference = request.searchParams.get('reference') as Address
  const data = Buffer.alloc(12)
  data.writeUInt32LE(2, 0)
  data.writeBigUInt64LE(lamports, 4)
  const { value } = (await rpc('getLatestBlockhash', [])) as {
    value: { blockhash: Blockhash; lastValidBlockHeight: number }
  }
  const lifetime = { ...value, lastValidBlockHeight: BigInt(value.lastValidBlockHeight) }
  const accounts = [
    { address: from.address, role: AccountRole.WRITABLE_SIGNER },
    { address: to, role: AccountRole.WRITABLE },
    { address: reference, role: AccountRole.READONLY },
  ]
  const signed = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayerSigner(from, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstruction({ programAddress: SYSTEM_PROGRAM, accounts, data }, message),
    ),
  )
  await rpc('sendTransaction', [getBase64EncodedWireTransaction(signed), { encoding: 'base64' }])
}

test('play money for an account counts like a transfer of its wallet, once it is final', async (t) => {
  const chain = await startSandboxChain({ slotMs: 0 })
  t.after(chain.close)
  const database = await emptyDatabase(t)
  const accounts = createAccounts(database, { now: Date.now })
  const { id, reference } = await accounts.ofWallet('So11111111111111111111111111111111111111112')
  const source = createDepositSource({ rpc: createSolanaRpc({ url: chain.rpcUrl }), payTo: chain.seller })
  const subscriptions = createSubscriptions(database, { source, payTo: chain.seller, now: Date.now, logger: silent })
  const paidUntil = async () => (await accounts.find(id))!.paid_until

  const before = chain.lamports(chain.seller)
  assert.equal(chain.pay(reference, SOL), chain.pay(reference, SOL), 'twice in a block is once')
  assert.equal(chain.lamports(chain.seller) - before, SOL)
  await subscriptions.poll()
  assert.equal(await paidUntil(), null, 'not final yet')
  chain.advanceSlots(32)
  await subscriptions.poll()
  assert.ok((await paidUntil())!.getTime() > Date.now() + 29 * 86_400_000)
})

test('a SOL sent in two parts on the sandbox chain makes a free key a Pro key, once it is final', async (t) => {
  const chain = await startSandboxChain({ slotMs: 0 })
  t.after(chain.close)
  const database = await emptyDatabase(t)
  const rpc = createSolanaRpc({ url: chain.rpcUrl })
  const payTo = chain.seller
  const buyer = await generateKeyPairSigner()
  chain.fund(buyer.address, { lamports: 2n * SOL })

  const accounts = createAccounts(database, { now: Date.now })
  const account = await accounts.ofWallet(buyer.address)
  const made = await accounts.createKey(account.id, { name: 'bot', expiresAt: null })
  assert.ok(made.ok, 'no key')
  const keys = await openKeys(database, { now: Date.now, logger: silent })
  t.after(keys.close)
  const connection = {}
  const plan = async () => {
    await keys.refresh()
    const check = keys.check(`Bearer ${made.key}`, connection)
    return check.ok ? check.plan : check.reason
  }
  const source = createDepositSource({ rpc, payTo })
  const nodes = [1, 2].map(() => createSubscriptions(database, { source, payTo, now: Date.now, logger: silent }))
  const poll = () => Promise.all(nodes.map((node) => node.poll()))
  const request = new URL(nodes[0]!.offerTo(account).url)
  assert.equal(request.searchParams.get('amount'), '1')

  await pay(rpc, buyer, request, SOL / 4n)
  await pay(rpc, buyer, request, SOL - SOL / 4n)
  await poll()
  assert.equal(await plan(), 'free', 'nothing is final yet')
  chain.advanceSlots(32)
  // a node that does not answer for a while loses nothing
  chain.knobs.reject.add('getTransaction')
  await poll()
  assert.equal(await plan(), 'free')
  chain.knobs.reject.delete('getTransaction')
  for (let i = 0; i < 3; i++) await poll()
  assert.equal(await plan(), 'pro')

  const { balance_lamports, paid_until } = (await accounts.find(account.id))!
  assert.equal(balance_lamports, 0)
  const days = (paid_until!.getTime() - Date.now()) / 86_400_000
  assert.ok(days > 29.9 && days <= 30, `${days} days`)
  const deposits = await database.sql.selectFrom('deposits').select('lamports').orderBy('lamports').execute()
  assert.deepEqual(
    deposits.map(({ lamports }) => lamports),
    [Number(SOL / 4n), Number(SOL - SOL / 4n)],
  )
})
