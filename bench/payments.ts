import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyPairSigner } from '@solana/kit'
import { EXAMPLE_ADDRESSES, EXAMPLES } from '@ti/core/contract/examples.ts'
import { createOperations } from '@ti/core/query/operations.ts'
import { type SandboxChain, startSandboxChain } from '@ti/sandbox/chain.ts'
import { openKeys } from '@ti/service/access/keys.ts'
import { createClientAddress } from '@ti/service/access/rate-limits/client-address.ts'
import { createMemoryWindows, type Windows } from '@ti/service/access/rate-limits/windows.ts'
import { type Database, openDatabase } from '@ti/service/access/sql/database.ts'
import { createCashier, type RunningCashier } from '@ti/service/access/x402/cashier.ts'
import { createChain } from '@ti/service/access/x402/chain.ts'
import type { Facilitator } from '@ti/service/access/x402/facilitator.ts'
import { createLedger, type Ledger } from '@ti/service/access/x402/ledger.ts'
import { readPaymentHeader } from '@ti/service/access/x402/payment.ts'
import { createSelfFacilitator } from '@ti/service/access/x402/self.ts'
import type { PricedCall, Work } from '@ti/service/access/x402/types.ts'
import { createLogger } from '@ti/service/base/log.ts'
import { createMetrics } from '@ti/service/base/metrics.ts'
import { createHttpFace } from '@ti/service/faces/http/face.ts'
import { makeKeys } from '../test/simulation/keys.ts'
import { encode, envelopeV2, transferTransaction } from '../test/support/payments-fixtures.ts'
import type { BenchRow } from './types.ts'

/** median milliseconds allowed for a reservation, which every paid call waits for first */
const RESERVE_MS = 2
/** a paid call over HTTP relative to the same steps in process */
const HTTP_BAR = 1.5
const WARMUP = 60
const CALLS = 400
const AMOUNT = 20_000
const PATH = `/v1/tokens/${EXAMPLE_ADDRESSES.mint}`

const STEPS = ['reserve', 'verify', 'work', 'settle', 'whole'] as const
type Step = (typeof STEPS)[number]
type Times = Record<Step, number[]>

const logger = createLogger('silent')

async function timed<T>(times: number[], run: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await run()
  times.push(performance.now() - start)
  return result
}

const quantile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))]!

const show = (times: readonly number[]): string =>
  `${quantile(times, 0.5).toFixed(2)} (p99 ${quantile(times, 0.99).toFixed(1)})`

/** The same ledger and facilitator with a timer around each step; settling is timed between its two rows. */
function watched(ledger: Ledger, facilitator: Facilitator, times: Times): { ledger: Ledger; facilitator: Facilitator } {
  let settlingAt = 0
  return {
    facilitator: { ...facilitator, verify: (order) => timed(times.verify, () => facilitator.verify(order)) },
    ledger: {
      ...ledger,
      reserve: (reservation) => timed(times.reserve, () => ledger.reserve(reservation)),
      settling(claim, transaction) {
        settlingAt = performance.now()
        return ledger.settling(claim, transaction)
      },
      async settled(claim, signature, deliver) {
        const row = await ledger.settled(claim, signature, deliver)
        times.settle.push(performance.now() - settlingAt)
        return row
      },
    },
  }
}

async function openCashier(database: Database, chain: SandboxChain, times: Times): Promise<RunningCashier> {
  const now = Date.now
  const own = createLedger({ database, now })
  const node = createChain({ rpcUrl: chain.rpcUrl, now })
  const { feePayerSecret, seller: payTo } = chain
  const self = await createSelfFacilitator({
    feePayerSecret,
    payTo,
    chain: node,
    ledger: own,
    logger,
    now,
    mainnet: false,
  })
  const cashier = await createCashier({ ...watched(own, self, times), mode: 'self', payTo, logger, now, roundMs: null })
  await cashier.started
  const { reason } = cashier.status()
  if (reason !== null) throw new Error(`payments are not taken: ${reason}`)
  return cashier
}

/** Single-use payment headers, signed before the measurement. */
async function sign(chain: SandboxChain, count: number): Promise<string[]> {
  const buyer = await generateKeyPairSigner()
  chain.fund(buyer.address, { usdc: BigInt(count * AMOUNT) })
  const ask = { jsonrpc: '2.0', id: 1, method: 'getLatestBlockhash', params: [] }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(chain.rpcUrl, { method: 'POST', headers, body: JSON.stringify(ask) })
  const { blockhash } = ((await answer.json()) as { result: { value: { blockhash: string } } }).result.value
  const { seller: payTo, feePayer } = chain
  const made: string[] = []
  while (made.length < count) {
    const transaction = await transferTransaction({ buyer, payTo, feePayer, amount: AMOUNT, blockhash })
    made.push(encode(envelopeV2(transaction, AMOUNT, payTo, feePayer)))
  }
  return made
}

async function payInProcess(cashier: RunningCashier, payments: readonly string[], times: Times): Promise<void> {
  const call: PricedCall = {
    operation: 'snapshot',
    request: 'snapshot bench',
    amount: AMOUNT,
    resource: `http://127.0.0.1${PATH}`,
    description: 'a snapshot',
  }
  const body = JSON.stringify(EXAMPLES.snapshot.data)
  const client = { address: 'bench', gone: () => false }
  const work = (): Promise<Work<string>> => timed(times.work, async () => ({ answer: body, charge: true }))
  for (const header of payments) {
    await timed(times.whole, async () => {
      const read = readPaymentHeader(header)
      if (!read.ok) throw new Error(read.reason)
      const outcome = await cashier.pay(read.payment, call, client, work)
      if (outcome.kind !== 'paid') throw new Error(`a payment was not taken: ${outcome.kind}`)
      outcome.done(true)
    })
  }
}

/** The real rate limiter with a limit that no benchmark reaches. */
function manyCalls(): Windows {
  const windows = createMemoryWindows(() => performance.now())
  return { take: (subject) => windows.take(subject, 1e12) }
}

function get(port: number, agent: Agent, headers: Record<string, string>): Promise<number> {
  return new Promise((done, fail) => {
    const request = httpRequest({ host: '127.0.0.1', port, path: PATH, agent, headers }, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0))
    })
    request.on('error', fail).end()
  })
}

type HttpTimes = Record<'unpaid' | 'keyed' | 'paid', number[]>

/** One call at a time over one connection, alternating between the three kinds. */
async function payOverHttp(database: Database, key: string, cashier: RunningCashier, payments: readonly string[]) {
  const rendered = {
    bytes: Buffer.from(JSON.stringify(EXAMPLES.snapshot.data)),
    renderedAt: '2026-10-01T01:25:24.000000Z',
    slot: 500,
  }
  const keys = await openKeys(database, { now: Date.now, logger })
  const face = createHttpFace({
    operations: createOperations({
      newest: () => ({ seq: 1, slot: 1 }),
      find: (id) => (id === 'snapshot' ? { data: rendered, summary: null, page: '' } : null),
      tracked: () => 0,
    }),
    keys,
    windows: manyCalls(),
    clientAddress: createClientAddress([]),
    cashier,
    status: () => ({ ready: true, starting: false, reason: null, lagSlots: 0, seq: 1, slot: 1 }),
    logger,
    metrics: createMetrics({ process: false }),
    publicUrl: 'http://127.0.0.1',
    openApi: '{}',
  })
  const { port } = await face.listen('127.0.0.1', 0)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: HttpTimes = { unpaid: [], keyed: [], paid: [] }
  async function one(kind: keyof HttpTimes, headers: Record<string, string>, wanted: number): Promise<void> {
    const status = await timed(times[kind], () => get(port, agent, headers))
    if (status !== wanted) throw new Error(`${kind}: ${status}`)
  }
  for (const payment of payments) {
    await one('unpaid', {}, 402)
    await one('keyed', { authorization: `Bearer ${key}` }, 200)
    await one('paid', { 'payment-signature': payment }, 200)
  }
  agent.destroy()
  await face.close()
  keys.close()
  return times
}

/** Drops the measurements of the warm-up. */
const warm = (times: Record<string, number[]>): void => {
  for (const list of Object.values(times)) list.splice(0, WARMUP)
}

/** The cost of a paid call, step by step, with the embedded database and an in-process sandbox chain. */
export async function benchPayments(): Promise<BenchRow[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-payments-'))
  const [key] = await makeKeys(dataDir, 1)
  const database = await openDatabase({ dataDir, url: null })
  const chain = await startSandboxChain({ slotMs: 0 })
  const times: Times = { reserve: [], verify: [], work: [], settle: [], whole: [] }
  try {
    const cashier = await openCashier(database, chain, times)
    const payments = await sign(chain, 2 * (WARMUP + CALLS))
    await payInProcess(cashier, payments.slice(WARMUP + CALLS), times)
    const inProcess = structuredClone(times)
    const http = await payOverHttp(database, key!, cashier, payments.slice(0, WARMUP + CALLS))
    warm(inProcess)
    warm(http)
    await cashier.close()
    return rowsOf(inProcess, http)
  } finally {
    await chain.close()
    await database.close()
    rmSync(dataDir, { recursive: true })
  }
}

function rowsOf(times: Times, http: HttpTimes): BenchRow[] {
  const reserve = quantile(times.reserve, 0.5)
  const ratio = quantile(http.paid, 0.5) / quantile(times.whole, 0.5)
  const steps = STEPS.map((step) => `${step} ${show(times[step])}`).join(', ')
  const kinds = (['unpaid', 'keyed', 'paid'] as const).map((kind) => `${kind} ${show(http[kind])}`).join(', ')
  return [
    {
      name: 'payments: milliseconds to reserve a payment',
      ratio: reserve,
      bar: RESERVE_MS,
      pass: reserve <= RESERVE_MS,
      detail: `ms at the median, one at a time, chain in the same process: ${steps}; ${CALLS} payments`,
    },
    {
      name: 'payments: a paid call over HTTP against its steps in process',
      ratio,
      bar: HTTP_BAR,
      pass: ratio <= HTTP_BAR,
      detail: `ms at the median over one connection: ${kinds}; ${CALLS} calls of each`,
    },
  ]
}
