import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { administer } from '@ti/service/service/admin.ts'
import { Socket } from 'phoenix'
import { WebSocket } from 'ws'
import { limitMemory, memoryOf } from './memory.ts'

/**
 * `npm start` as it comes, for real minutes, with what people do beside it: keyed readers, a stream that is followed, the
 * page's own reads, payments. Watches memory, lines of errors and whether the process is still the same.
 *
 *   npm run soak:start -- --minutes 100 --services 4 --out reports/soak/start.json
 *   npm run soak:start -- --minutes 65 --limit-mb 512    # in a memory cgroup of that size, as who may make one (root)
 *   SOURCE='simulator:warmup=54000' npm run soak:start    # six hours of the market first, as fast as it goes
 */
const value = (name: string, fallback: string): string => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}
const MINUTES = Number(value('minutes', '100'))
const SERVICES = Number(value('services', '1'))
const OUT = value('out', '')
const PORT = Number(value('port', '4300'))
const LIMIT_MB = Number(value('limit-mb', '0'))
const ROOT = process.cwd()
const SAMPLE_MS = 30_000
/** a reader's pause between two rounds, and between two payments */
const READ_MS = 1_000
const PAY_MS = 60_000

interface Sample {
  readonly minute: number
  readonly rssMb: number
  /** of it what no file backs; null where the system does not say */
  readonly ownMb: number | null
  readonly heapMb: number
  /** what V8 has for it */
  readonly heapSizeMb: number
  readonly stateMb: number
  readonly seq: number
  readonly lagSlots: number | null
}

interface Report {
  readonly service: number
  readonly samples: Sample[]
  /** the most so far; null where the system does not say */
  peakRssMb: number | null
  restarts: number
  reads: number
  failedReads: number
  frames: number
  payments: number
  failedPayments: number
  readonly errors: string[]
  /** how often what was warned of: a 503 that a reader of a large token may get is one */
  readonly warnings: Record<string, number>
}

async function main(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'soak-start-'))
  const until = Date.now() + MINUTES * 60_000
  const reports = await Promise.all(
    Array.from({ length: SERVICES }, (_, service) => run(service, join(dir, `${service}`), until)),
  )
  rmSync(dir, { recursive: true, force: true })
  const services = reports.map((one) => ({ memory: memoryOf(one.samples, one.peakRssMb), ...one }))
  const text = `${JSON.stringify({ minutes: MINUTES, services }, null, 1)}\n`
  if (OUT !== '') writeFileSync(OUT, text)
  process.stdout.write(text)
  const bad = reports.filter((one) => one.restarts > 0 || one.errors.length > 0)
  process.exit(bad.length > 0 ? 1 : 0)
}

async function run(service: number, dataDir: string, until: number): Promise<Report> {
  mkdirSync(dataDir, { recursive: true })
  const url = `http://127.0.0.1:${PORT + service}`
  const report: Report = {
    service,
    samples: [],
    peakRssMb: null,
    restarts: 0,
    reads: 0,
    failedReads: 0,
    frames: 0,
    payments: 0,
    failedPayments: 0,
    errors: [],
    warnings: {},
  }
  const operator = `http://127.0.0.1:${PORT + SERVICES + service}`
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: String(PORT + service),
    OPERATOR_PORT: String(PORT + SERVICES + service),
  }
  // what `npm start` runs once it has built
  const limited = LIMIT_MB === 0 ? null : limitMemory(LIMIT_MB, `soak-${process.pid}-${service}`)
  const [file = '', ...args] = [...(limited?.before ?? []), process.execPath, ...FLAGS, 'dist/main.js', 'serve']
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const key = await keyOf(child, report, dataDir)
  child.on('exit', () => {
    if (Date.now() < until) report.restarts++
  })
  const stop = new AbortController()
  const parts = [
    every(SAMPLE_MS, stop.signal, () => sample(operator, child.pid!, report, until)),
    every(READ_MS, stop.signal, () => read(url, key, report)),
    every(PAY_MS, stop.signal, () => pay(url, report)),
  ]
  const socket = follow(url, key, report)
  await sleep(Math.max(0, until - Date.now()))
  stop.abort()
  socket.disconnect()
  await Promise.all(parts)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  limited?.remove()
  return report
}

/** those of `npm start` */
const FLAGS = /node ((?:--\S+ )*)dist\/main\.js/
  .exec(readFileSync('package.json', 'utf8'))![1]!
  .split(' ')
  .filter(Boolean)

/** A key that its operator makes once it listens; lines of errors are kept, warnings counted. */
function keyOf(child: ChildProcess, report: Report, dataDir: string): Promise<string> {
  createInterface({ input: child.stderr! }).on('line', (line) => {
    const warned = /"level":"warn"/.test(line) ? /"msg":"([^"]*)"/.exec(line)?.[1] : undefined
    if (warned !== undefined) report.warnings[warned] = (report.warnings[warned] ?? 0) + 1
    else if (/"level":"(error|fatal)"|Error:|MDB_|SQLITE/.test(line) && report.errors.length < 100)
      report.errors.push(line)
  })
  return new Promise((done, fail) => {
    let said = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      said += chunk
      if (!said.includes('/readyz')) return
      child.stdout!.removeAllListeners('data').resume()
      makeKey(dataDir).then(done, fail)
    })
    child.once('exit', (code) => fail(new Error(`the service ended with ${code} before it listened`)))
  })
}

/** Asked again for two minutes: on a busy machine the first answers take longer than a command waits. */
async function makeKey(dataDir: string): Promise<string> {
  for (const until = Date.now() + 120_000; ; await sleep(2_000)) {
    try {
      const made = await administer({ dataDir, databaseUrl: null }, { command: 'create', name: 'soak', days: null })
      if (made.ok) return made.key!
      throw new Error(made.message)
    } catch (error) {
      if (Date.now() > until) throw error
    }
  }
}

async function every(ms: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work().catch(() => {})
    await sleep(ms, undefined, { signal }).catch(() => {})
  }
}

async function sample(url: string, pid: number, report: Report, until: number): Promise<void> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const metric = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
  const ready = (await (await fetch(`${url}/readyz`)).json()) as { seq: number; lag_slots: number | null }
  report.samples.push({
    minute: Math.round((MINUTES - (until - Date.now()) / 60_000) * 10) / 10,
    rssMb: Math.round(metric('process_resident_memory_bytes') / 1e6),
    ownMb: kernelMb(pid, 'RssAnon'),
    heapMb: Math.round(metric('nodejs_heap_size_used_bytes') / 1e6),
    heapSizeMb: Math.round(metric('nodejs_heap_size_total_bytes') / 1e6),
    stateMb: Math.round(metric('ti_store_bytes') / 1e6),
    seq: ready.seq,
    lagSlots: ready.lag_slots,
  })
  report.peakRssMb = kernelMb(pid, 'VmHWM')
}

function kernelMb(pid: number, name: 'RssAnon' | 'VmHWM'): number | null {
  try {
    const line = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm')
    const [, kilobytes] = line.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1e3)
  } catch {
    return null
  }
}

/** What a bot and a page ask in one round. */
async function read(url: string, key: string, report: Report): Promise<void> {
  const get = async (path: string, headers: Record<string, string>): Promise<unknown> => {
    report.reads++
    const answer = await fetch(url + path, { headers })
    if (!answer.ok && answer.status !== 404) report.failedReads++
    if (answer.ok) return answer.json()
    await answer.text()
    return null
  }
  const keyed = { authorization: `Bearer ${key}` }
  for (const list of ['new', 'pumps', 'graduated', 'survivors']) {
    const found = (await get(`/v1/tokens/${list}`, keyed)) as { data: { mint: string; deployer?: string }[] } | null
    const mint = found?.data[Math.floor(Math.random() * found.data.length)]?.mint
    if (mint === undefined) continue
    await get(`/v1/tokens/${mint}`, keyed)
    await get(`/v1/tokens/${mint}/trades`, keyed)
  }
  for (const path of ['/', '/app/status']) await get(path, { accept: path === '/' ? 'text/html' : '*/*' })
}

/** The demonstration of the README, with its own buyer. */
function pay(url: string, report: Report): Promise<void> {
  const child = spawn(process.execPath, ['dist/main.js', 'demo-pay', '--url', url], { cwd: ROOT, stdio: 'ignore' })
  return new Promise((done) =>
    child.once('exit', (code) => {
      if (code === 0) report.payments++
      else report.failedPayments++
      done()
    }),
  )
}

function follow(url: string, key: string, report: Report): Socket {
  const transport = WebSocket as never
  const socket = new Socket(`${url.replace('http', 'ws')}/socket`, { transport, params: { api_key: key } })
  socket.connect()
  const channel = socket.channel('frames:live', {})
  channel.on('frame', () => {
    report.frames++
  })
  channel.join()
  return socket
}

await main()
