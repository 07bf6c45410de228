import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import type * as DatabaseModule from '@ti/service/access/sql/database.ts'
import type * as LedgerModule from '@ti/service/access/x402/ledger.ts'

/** Measures payments in the ledger of the program in ROOT and prints JSON: `ledger-child.ts ROOT PAYMENTS AT_ONCE`. */
const [root = '', count = '', atOnce = ''] = process.argv.slice(2)
const load = (file: string): Promise<unknown> =>
  import(pathToFileURL(join(root, 'packages/service/src/access', file)).href)
const { openDatabase } = (await load('sql/database.ts')) as typeof DatabaseModule
const { createLedger } = (await load('x402/ledger.ts')) as typeof LedgerModule

const dataDir = mkdtempSync(join(tmpdir(), 'bench-ledger-'))
const database = await openDatabase({ dataDir, url: null })
const ledger = createLedger({ database, now: Date.now })
let next = 0

async function pay(): Promise<void> {
  const hash = String(next++).padStart(64, '0')
  const facts = { operation: 'snapshot', request: 'r', amount: 20_000, payer: `payer ${next % 50}`, blockhash: 'b' }
  const { claim } = await ledger.reserve({ hash, ...facts })
  await ledger.settling(claim!, 't'.repeat(800))
  await ledger.sign(claim!, 's'.repeat(88), { transaction: 't'.repeat(800), feeLamports: 10_000 })
  await ledger.settled(claim!, null, true)
  await ledger.delivered(claim!)
}

async function payAll(most: number): Promise<void> {
  const one = async (): Promise<void> => {
    while (next < most) await pay()
  }
  await Promise.all(Array.from({ length: Number(atOnce) }, one))
}

const WARMUP = 100
await payAll(WARMUP)
const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const [cpu, began] = [process.cpuUsage(), performance.now()]
await payAll(WARMUP + Number(count))
const { user, system } = process.cpuUsage(cpu)
const seconds = (performance.now() - began) / 1000
delay.disable()
await database.close()
rmSync(dataDir, { recursive: true })
const figures = {
  cpuMs: (user + system) / 1000 / Number(count),
  perSecond: Number(count) / seconds,
  loopP99Ms: delay.percentile(99) / 1e6 - 1,
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
