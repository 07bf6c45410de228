import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { generateKeyPairSigner } from '@solana/kit'
import { base58Encode } from '@ti/core/base/base58.ts'
import { MAINNET, SCHEME } from '@ti/service/access/x402/network.ts'
import { freePort } from '../test/ports.mjs'
import { formsOf, inV2, transferTransaction } from '../test/support/payments-fixtures.ts'
import { cli, ROOT, spawnNode } from './service.ts'
import type { BenchRow } from './types.ts'

/**
 * Latency of keyed answers of the built service, alone and beside 100 paid calls a second. They are settled by a
 * facilitator that always accepts, so that the chain's time is not measured. `BENCH_AGAINST=ROOT` measures another
 * build in the same run.
 */
const PAID_PER_SECOND = 100
const KEYED_PER_SECOND = 200
/** seconds per run; an address may pay for 600 calls a minute */
const SECONDS = 6
const PRICE = 10_000
const PATH = '/v1/tokens/new'
/** p99 of a keyed answer beside paid calls, and CPU time of a paid call, relative to the other build */
const P99_BAR = 1
const CPU_BAR = 1 / 3

interface Figures {
  readonly alone: number
  readonly beside: number
  /** CPU milliseconds of the service per paid call, without the keyed calls. */
  readonly cpuMs: number
  readonly paid: number
}

const quantile = (list: readonly number[], q: number): number =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * q))]!

async function get(port: number, agent: Agent, headers: Record<string, string>): Promise<[number, number]> {
  const began = performance.now()
  return new Promise((done, fail) => {
    const sent = request({ port, host: '127.0.0.1', path: PATH, agent, headers }, (response) => {
      response.resume()
      response.on('end', () => done([response.statusCode ?? 0, performance.now() - began]))
    })
    sent.on('error', fail)
    sent.end()
  })
}

/** Calls `send` at a fixed rate, independent of earlier calls. */
async function atRate(perSecond: number, send: () => Promise<void>): Promise<void> {
  const sent: Promise<void>[] = []
  const began = performance.now()
  for (let n = 0; n < perSecond * SECONDS; n++) {
    await pause(Math.max(0, began + (n * 1000) / perSecond - performance.now()))
    sent.push(send())
  }
  await Promise.all(sent)
}

const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

interface Facilitator {
  readonly url: string
  readonly feePayer: string
  close(): void
}

async function startFacilitator(): Promise<Facilitator> {
  const { address: feePayer } = await generateKeyPairSigner()
  const kind = { x402Version: 2, scheme: SCHEME, network: MAINNET.v2, extra: { feePayer } }
  const answers: Readonly<Record<string, () => object>> = {
    '/supported': () => ({ kinds: [kind], signers: {} }),
    '/verify': () => ({ isValid: true }),
    '/settle': () => ({
      success: true,
      transaction: base58Encode(randomBytes(64).toString('latin1')),
      network: MAINNET.v2,
    }),
  }
  const server = createServer((asked, response) => {
    asked.resume()
    asked.on('end', () => response.end(JSON.stringify(answers[asked.url ?? '']?.() ?? {})))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, feePayer, close: () => void server.close() }
}

async function measure(root: string, capture: string, dir: string): Promise<Figures> {
  const port = await freePort()
  const facilitator = await startFacilitator()
  const { address: payTo } = await generateKeyPairSigner()
  const dataDir = mkdtempSync(join(dir, 'data-'))
  const payments = {
    PAYMENTS: 'facilitator',
    FACILITATOR_URL: facilitator.url,
    PAY_TO: payTo,
    ALLOW_EMBEDDED_LEDGER: '1',
  }
  const env = { PORT: `${port}`, DATA_DIR: dataDir, OBSERVE: 'off', ...payments }
  const node = spawnNode(env, [], `capture:${capture}?speed=0`, root)
  const operator = await node.operator
  try {
    for (let last: unknown = null, same = 0; same < 2; await pause(1_000)) {
      const ready = (await (await fetch(`${operator}/readyz`)).json()) as { ready: boolean; slot: number }
      same = ready.ready && ready.slot === last ? same + 1 : 0
      last = ready.slot
    }
    const { feePayer } = facilitator
    const main = join(root, 'dist/main.js')
    const made = await promisify(execFile)(process.execPath, [main, 'keys', 'create'], {
      env: { ...process.env, ...env },
    })
    const key = made.stdout.trim()
    const headers: Record<string, string>[] = []
    const buyers = await Promise.all(Array.from({ length: 20 }, () => generateKeyPairSigner()))
    const blockhash = base58Encode(randomBytes(32).toString('latin1'))
    while (headers.length < PAID_PER_SECOND * SECONDS) {
      const buyer = buyers[headers.length % buyers.length]!
      const transaction = await transferTransaction({ buyer, payTo, feePayer, blockhash, amount: PRICE })
      headers.push(inV2(formsOf(transaction, PRICE, { payTo, feePayer })))
    }
    const agent = new Agent({ keepAlive: true, maxSockets: 64 })
    const paying = new Agent({ keepAlive: true, maxSockets: 64 })
    const times: number[] = []
    const keyed = async (): Promise<void> => {
      const [, ms] = await get(port, agent, { authorization: `Bearer ${key}` })
      times.push(ms)
    }
    const pid = node.pid
    await atRate(KEYED_PER_SECOND, keyed)
    times.splice(0)
    const cpu0 = cpuOf(pid)
    await atRate(KEYED_PER_SECOND, keyed)
    const alone = quantile(times.splice(0), 0.99)
    const cpu1 = cpuOf(pid)
    let paid = 0
    const pay = async (): Promise<void> => {
      const [status] = await get(port, paying, headers.pop()!)
      if (status === 200) paid++
    }
    await Promise.all([atRate(KEYED_PER_SECOND, keyed), atRate(PAID_PER_SECOND, pay)])
    const cpu2 = cpuOf(pid)
    agent.destroy()
    paying.destroy()
    return { alone, beside: quantile(times, 0.99), paid, cpuMs: (cpu2 - cpu1 - (cpu1 - cpu0)) / paid }
  } finally {
    await node.stop()
    facilitator.close()
  }
}

const show = ({ alone, beside, cpuMs, paid }: Figures): string =>
  `p99 of a keyed answer ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} beside; ${cpuMs.toFixed(1)} ms of processor a paid call, ${paid} paid`

export async function benchPaid(): Promise<BenchRow[]> {
  const dir = mkdtempSync(join(tmpdir(), 'bench-paid-'))
  try {
    const capture = join(dir, 'market.capture')
    await cli('capture', 'simulate', capture, '--trades', '3000')
    const here = await measure(ROOT, capture, dir)
    const other = process.env.BENCH_AGAINST
    const before = other === undefined ? null : await measure(other, capture, dir)
    const detail = `${show(here)}${before === null ? '' : `; before: ${show(before)}`}; ${PAID_PER_SECOND} paid and ${KEYED_PER_SECOND} keyed calls a second`
    const row = (name: string, figure: 'beside' | 'cpuMs', bar: number): BenchRow => {
      const ratio = before === null ? here[figure] : here[figure] / before[figure]
      return { name, ratio, bar: before === null ? null : bar, pass: before === null || ratio <= bar, detail }
    }
    return [
      row('paid: p99 of a keyed answer beside paid calls, ms, or against another build', 'beside', P99_BAR),
      row('paid: processor of a paid call, ms, or against another build', 'cpuMs', CPU_BAR),
    ]
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
