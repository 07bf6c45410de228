import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { generateKeyPairSigner, type KeyPairSigner } from '@solana/kit'
import { openDatabase } from '@ti/service/access/sql/database.ts'
import type { Requirements } from '@ti/service/access/x402/network.ts'
import { nextClient } from '../conformance/x402/door.ts'
import { operatorOf, startService } from '../simulation/service.ts'
import { exchange, requestText } from '../support/exchange.ts'
import { blockhashOf } from '../support/payment-world.ts'
import { decode, encode, envelopeV2, receiptIn, rpc, transferTransaction } from '../support/payments-fixtures.ts'
import { wallet } from '../support/wallet.ts'
import { forkJunk, type JunkEnd, type JunkRequest } from './junk.ts'
import { type ChainProcess, forkChain } from './junk-chain.ts'
import { walletsOf } from './payments-by-hand.ts'

/**
 * The built program under junk payments, as `serve` runs it with its embedded database and simulated market. The node of its
 * chain, each crowd and the honest client are processes of their own, as they are machines of their own in reality. The
 * client has no test runner: its hooks on every promise take a fifth of a processor.
 */
const JUNK_PER_SECOND = 99
const CHALLENGES_PER_SECOND = 200
/** the first payments of a process are slow: code is compiled, connections are opened */
const WARM = 100
const QUIET = 100
/** a start is over when the service uses no less of a core than in the seconds before */
const SETTLED_SECONDS = 4
/** units of USDC the buyer has: 1,000 calls */
const FUNDS = 10_000_000
const PATH = '/v1/tokens/new'

interface JunkRun {
  /** milliseconds of whole paid calls of one who has paid before: offer, signature, payment, answer with a receipt */
  readonly quiet: readonly number[]
  readonly busy: readonly number[]
  readonly payments: JunkEnd
  readonly challenges: JunkEnd
  /** the share of a core that the service used under attack */
  readonly core: number
  /** seconds that a second of computing took in the client's process, at the beginning and at the end */
  readonly slowness: readonly [number, number]
  /** payments of others than the buyer in the ledger, and stored challenges */
  readonly written: number
  readonly stored: number
}

/** How many seconds a second of computing takes here and now: 1 where this process has a core for itself. */
function slowness(): number {
  const [start, before] = [performance.now(), process.cpuUsage()]
  let used = 0
  for (let state = 1; used < 200_000; ) {
    for (let i = 0; i < 1e6; i++) state = (state * 48_271) % 0x7fffffff
    assert.ok(state > 0)
    const { user, system } = process.cpuUsage(before)
    used = user + system
  }
  return Math.max(1, (performance.now() - start) / (used / 1_000))
}

interface Scene {
  readonly url: string
  readonly chain: ChainProcess
  readonly blockhash: string
}

async function paymentOf({ chain, blockhash }: Scene, buyer: KeyPairSigner, wanted: Requirements): Promise<string> {
  const { amount, payTo, extra } = wanted
  const { feePayer } = extra
  assert.equal(payTo, chain.seller)
  const transaction = await transferTransaction({ buyer, payTo, feePayer, amount: Number(amount), blockhash })
  return encode(envelopeV2(transaction, Number(amount), payTo, feePayer))
}

/** What a call without a payment is asked for. */
async function offerOf({ url }: Scene, from: string): Promise<Requirements> {
  const answer = await exchange(url, requestText('GET', PATH), true, from)
  assert.equal(answer?.status, 402)
  return decode<{ accepts: Requirements[] }>(answer.headers.get('payment-required')!).accepts[0]!
}

/** Milliseconds of a whole paid call. */
async function pay(scene: Scene, buyer: KeyPairSigner): Promise<number> {
  const from = nextClient()
  const start = performance.now()
  const payment = await paymentOf(scene, buyer, await offerOf(scene, from))
  const answer = await exchange(scene.url, requestText('GET', PATH, { 'PAYMENT-SIGNATURE': payment }), true, from)
  const took = performance.now() - start
  assert.equal(answer?.status, 200, answer?.body.toString())
  assert.equal(receiptIn(answer.headers)?.success, true)
  return took
}

/** Well-formed payments with good signatures, each of a wallet that never paid and has nothing. */
async function junkPayments(scene: Scene, count: number): Promise<JunkRequest[]> {
  const wanted = await offerOf(scene, nextClient())
  const strangers = await walletsOf(count)
  return Promise.all(
    strangers.map(async (one) => ({
      method: 'GET',
      path: PATH,
      headers: { 'PAYMENT-SIGNATURE': await paymentOf(scene, one, wanted) },
      body: '',
      from: nextClient(),
    })),
  )
}

const challengeFor = (address: string): JunkRequest => {
  const body = JSON.stringify({ wallet: address })
  const headers = { 'content-type': 'application/json', 'content-length': `${body.length}` }
  return { method: 'POST', path: '/account/challenge', headers, body, from: nextClient() }
}

/** Seconds of a processor that the service has used. */
async function cpuOf(url: string): Promise<number> {
  const text = await (await fetch(`${operatorOf(url)}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)![1])
}

/** Once its program and the database's are compiled and its market has begun. */
async function settled(url: string): Promise<void> {
  while ((await fetch(`${operatorOf(url)}/readyz`)).status !== 200) await pause(20)
  let least = Number.POSITIVE_INFINITY
  for (let since = 0; since < SETTLED_SECONDS; since++) {
    const before = await cpuOf(url)
    await pause(1_000)
    const used = (await cpuOf(url)) - before
    if (used < least * 0.9) since = 0
    least = Math.min(least, used)
  }
}

async function attack(scene: Scene, seconds: number): Promise<Omit<JunkRun, 'written' | 'stored'> & { buyer: string }> {
  const { url, chain } = scene
  const buyer = await generateKeyPairSigner()
  await rpc(chain.rpcUrl, 'sandbox_faucet', [buyer.address, { usdc: FUNDS }])
  for (let i = 0; i < WARM; i++) await pay(scene, buyer)
  const quiet: number[] = []
  for (let i = 0; i < QUIET; i++) quiet.push(await pay(scene, buyer))

  const requests = await junkPayments(scene, seconds * JUNK_PER_SECOND)
  const asked = Array.from({ length: seconds * CHALLENGES_PER_SECOND }, () => challengeFor(wallet().address))
  const [payers, askers] = [
    await forkJunk({ url, requests, perSecond: JUNK_PER_SECOND }),
    await forkJunk({ url, requests: asked, perSecond: CHALLENGES_PER_SECOND }),
  ]
  const slow = slowness()
  const [cpu, start] = [await cpuOf(url), performance.now()]
  let isOver = false
  const crowd = Promise.all([payers.send(), askers.send()]).finally(() => {
    isOver = true
  })
  const busy: number[] = []
  while (!isOver) busy.push(await pay(scene, buyer))
  const [payments, challenges] = await crowd
  const core = (await cpuOf(url)) - cpu
  const tookS = (performance.now() - start) / 1_000
  return {
    ...{ quiet, busy, payments, challenges, core: core / tookS, slowness: [slow, slowness()] },
    buyer: buyer.address,
  }
}

/** What the strangers left in the database of a service that has ended. */
async function leftIn(dataDir: string, buyer: string): Promise<Pick<JunkRun, 'written' | 'stored'>> {
  const database = await openDatabase({ dataDir, url: null })
  try {
    const { sql } = database
    const rows = await sql.selectFrom('payments').select('hash').where('payer', '<>', buyer).execute()
    const stored = await sql.selectFrom('challenges').select('nonce').execute()
    return { written: rows.length, stored: stored.length }
  } finally {
    await database.close()
  }
}

async function runJunk(seconds: number): Promise<JunkRun> {
  const dataDir = mkdtempSync(join(tmpdir(), 'junk-'))
  const chain = await forkChain()
  const service = startService({
    DATA_DIR: dataDir,
    PAYMENTS: 'self',
    PAY_TO: chain.seller,
    FEE_PAYER_KEYPAIR: chain.feePayerKeypair,
    SOLANA_RPC_URL: chain.rpcUrl,
    ALLOW_PLAY_MONEY: '1',
  })
  try {
    const url = await service.url
    await settled(url)
    const { buyer, ...found } = await attack({ url, chain, blockhash: await blockhashOf(chain.rpcUrl) }, seconds)
    service.child.kill('SIGTERM')
    await service.exit
    return { ...found, ...(await leftIn(dataDir, buyer)) }
  } finally {
    service.child.kill('SIGKILL')
    await service.exit
    chain.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** The run in its process, which is started as this one was. */
export function forkJunkRun(seconds: number): Promise<JunkRun> {
  const child = fork(import.meta.filename, [String(seconds)])
  return new Promise((done, fail) => {
    child.once('message', (found) => done(found as JunkRun))
    child.once('close', (code) => fail(new Error(`the run under attack ended with ${code}`)))
  })
}

if (process.argv[1] === import.meta.filename && process.send !== undefined) {
  const found = await runJunk(Number(process.argv[2]))
  process.send(found, () => process.exit(0))
}
