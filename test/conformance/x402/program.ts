import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Address, generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import { PLAY } from '@ti/service/access/x402/network.ts'
import { associatedTokenAccount } from '@ti/service/base/token-account.ts'
import { openStore } from '@ti/service/store/open.ts'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client'
import { makeKeys } from '../../simulation/keys.ts'
import { command, operatorOf, replay, startService } from '../../simulation/service.ts'
import { rpc } from '../../support/payments-fixtures.ts'
import type { PricedOperationId } from './door.ts'

/** What a market left behind: a directory a service can be started on, and who is in it. */
export interface Market {
  readonly dataDir: string
  readonly source: string
  /** a Pro key */
  readonly key: string
  /** a call of each operation, of addresses that are known */
  readonly paths: Readonly<Record<PricedOperationId, string>>
  readonly mint: string
  /** another token */
  readonly other: string
  readonly trader: string
  readonly deployer: string
  remove(): void
}

/** A small capture, folded. Its lists have something to say, but for the survivors: none of its tokens is that old. */
export async function makeMarket(): Promise<Market> {
  const dir = mkdtempSync(join(tmpdir(), 'x402-'))
  const [capture, dataDir] = [join(dir, 'market.capture'), join(dir, 'data')]
  await command('capture', 'simulate', capture, '--trades', '20000', '--seed', '1', '--no-truth')
  await replay(capture, dataDir)
  const [key] = await makeKeys(dataDir, 1)
  const { mint, other, trader, deployer } = knownIn(dataDir)
  const list = (name: string): string => `/v1/tokens/${name}`
  return {
    dataDir,
    source: `capture:${capture}?speed=0`,
    key: key!,
    mint,
    other,
    trader,
    deployer,
    paths: {
      snapshot: `/v1/tokens/${mint}`,
      trades: `/v1/tokens/${mint}/trades`,
      new: list('new'),
      pumps: list('pumps'),
      graduated: list('graduated'),
      agents: list('agents'),
      survivors: list('survivors'),
      trader: `/v1/traders/${trader}`,
      deployer: `/v1/devs/${deployer}/tokens`,
      who: `/v1/tokens/${mint}/who`,
      check: `/v1/tokens/${mint}/check`,
      explain: `/v1/tokens/${mint}/explain`,
      actor: '/v1/actors/0',
      positions: `/v1/wallets/${trader}/positions`,
      history: `/v1/tokens/${mint}/trades/history`,
      trader_windows: `/v1/traders/${trader}/windows`,
      deployer_windows: `/v1/devs/${deployer}/windows`,
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

/** Who stands in the newest trade of a token whose launch was seen. */
function knownIn(dataDir: string) {
  const store = openStore(dataDir)
  const { nextTrade } = store.globals()!
  const newest = [...store.trades(Math.max(0, nextTrade - 1_000))].reverse()
  const row = newest.find((one) => store.token(one.token)!.deployer >= 0)
  const token = store.token(row!.token)!
  const [mint, other, trader, deployer] = [
    token.mint,
    store.token(token.id - 1)!.mint,
    store.wallet(row!.wallet)!.address,
    store.wallet(token.deployer)!.address,
  ]
  void store.close()
  return {
    mint: keyToBase58(mint),
    other: keyToBase58(other),
    trader: keyToBase58(trader),
    deployer: keyToBase58(deployer),
  }
}

/** The program, running, and the chain inside it. */
export interface Program {
  readonly url: string
  /** units of USDC of a wallet, as the chain's node says */
  tokens(wallet: string): Promise<number>
  /** units the paid wallet has received */
  earned(): Promise<number>
  /** a new wallet with a dollar */
  buyer(): Promise<KeyPairSigner>
  wallet(buyer: KeyPairSigner, version?: 1 | 2): Wallet
  /** what must not be in the log; the key and what wallets send are here already */
  readonly secrets: Set<string>
  /** resolves once the transaction is confirmed without an error */
  confirmed(signature: string): Promise<void>
}

/** The official client of one buyer. */
export interface Wallet {
  readonly client: x402Client
  /** GET of a path, paid for when it is asked for */
  get(path: string): Promise<Response>
  /** POST of JSON, likewise */
  post(path: string, body: object): Promise<Response>
  /** the payment headers it has sent, oldest first */
  readonly sent: Readonly<Record<string, string>>[]
}

/** Starts the built program; when the test ends it stops, and its whole log is searched for what must not be in it. */
export async function startProgram(t: Pick<TestContext, 'after'>, market: Market): Promise<Program> {
  const { dataDir, source, key } = market
  const started = startService({ DATA_DIR: dataDir, SOURCE: source, VALIDATE_RESPONSES: '1', LOG_LEVEL: 'debug' })
  let log = ''
  started.child.stderr!.on('data', (chunk) => {
    log += chunk
  })
  const secrets = new Set<string>([key])
  t.after(async () => {
    started.child.kill('SIGTERM')
    assert.equal((await started.exit).code, 0)
    assert.match(log, /"msg":"paid"/)
    for (const secret of secrets) assert.ok(!log.includes(secret), `in the log: ${secret.slice(0, 40)}…`)
    assert.doesNotMatch(log, /"level":"(error|fatal)"/)
  })
  const url = await started.url
  const { rpcUrl, payTo } = await ready(url)

  const tokens = async (wallet: string): Promise<number> => {
    const account = associatedTokenAccount(wallet as Address, PLAY.asset as Address)
    const { value } = await rpc<{ value: { amount: string } }>(rpcUrl, 'getTokenAccountBalance', [account])
    return Number(value.amount)
  }
  return {
    url,
    secrets,
    tokens,
    earned: () => tokens(payTo),
    async buyer() {
      const buyer = await generateKeyPairSigner()
      await rpc(rpcUrl, 'sandbox_faucet', [buyer.address, { usdc: '1000000' }])
      return buyer
    },
    wallet: (buyer, version = 2) => createWallet(buyer, version, { url, rpcUrl, secrets }),
    async confirmed(signature) {
      type Status = { err: unknown; confirmationStatus: string } | null
      const { value } = await rpc<{ value: Status[] }>(rpcUrl, 'getSignatureStatuses', [[signature]])
      assert.equal(value[0]?.err, null)
    },
  }
}

/** Where the service takes payments, once it does. */
async function ready(url: string): Promise<{ rpcUrl: string; payTo: string }> {
  interface Readiness {
    readonly ready: boolean
    readonly payments: {
      readonly mode: string
      readonly ready: boolean
      readonly rpc_url: string
      readonly pay_to: string
    }
  }
  for (const start = Date.now(); ; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const answer = await fetch(`${operatorOf(url)}/readyz`)
    const { payments } = (await answer.json()) as Readiness
    if (answer.ok && payments.ready) {
      assert.equal(payments.mode, 'sandbox')
      return { rpcUrl: payments.rpc_url, payTo: payments.pay_to }
    }
    assert.ok(Date.now() - start < 30_000, `never ready: ${JSON.stringify(payments)}`)
  }
}

/** V1 had short names; the type knows only the new ones. */
const NETWORK_V1 = PLAY.v1 as typeof PLAY.v2

function createWallet(
  buyer: KeyPairSigner,
  version: 1 | 2,
  { url, rpcUrl, secrets }: { url: string; rpcUrl: string; secrets: Set<string> },
): Wallet {
  const config = { rpcUrl }
  const client = x402Client.fromConfig({
    schemes: [
      version === 1
        ? { network: NETWORK_V1, client: new ExactSvmSchemeV1(buyer, config), x402Version: 1 }
        : { network: PLAY.v2, client: new ExactSvmScheme(buyer, config) },
    ],
    spendControls: { maxAmountPerPayment: '$0.05' },
  })
  const sent: Record<string, string>[] = []
  // the client prefers the offer in the header; one that knows only V1 does not see it
  const watching: typeof fetch = async (input, init) => {
    // a Request that has a body could be read only once
    const headers = new Headers(input instanceof Request ? input.headers : init?.headers)
    const payment = ['payment-signature', 'x-payment'].flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    if (payment.length > 0) sent.push(Object.fromEntries(payment))
    for (const [, value] of payment) secrets.add(value)
    const response = await fetch(input, init)
    if (response.status !== 402 || version === 2) return response
    const seen = new Headers(response.headers)
    seen.delete('payment-required')
    return new Response(response.body, { status: 402, headers: seen })
  }
  const paid = wrapFetchWithPayment(watching, client)
  return {
    client,
    sent,
    get: (path) => paid(`${url}${path}`),
    post: (path, body) =>
      paid(`${url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
  }
}
