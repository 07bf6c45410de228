import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type * as KeysModule from '../test/simulation/keys.ts'
import { median, ROOT } from './service.ts'

/**
 * Compares this program with another build of it, alternating: `node --import tsx bench/against.ts OTHER_ROOT [ROUNDS]
 * [WHAT…]`. Both must be built (`npm run build`). Their data stay in AGAINST_DIR for the next run. On a busy machine
 * only ratios are meaningful, and CPU time more than wall time.
 */
export type Task =
  | { readonly kind: 'prepare'; readonly root: string; readonly dir: string; readonly entries: number }
  | {
      readonly kind: 'commits'
      readonly root: string
      readonly dir: string
      readonly count: number
      readonly pauseMs: number
    }
  | { readonly kind: 'answers'; readonly root: string; readonly dir: string; readonly mints: Mints }
/** Name with unit → value. */
export type Figures = Readonly<Record<string, number>>
export interface Mints {
  readonly live: readonly string[]
  readonly dead: readonly string[]
}

/** entries of the history for commits and snapshots, about 220,000 trades */
const ENTRIES = 20_000
const COMMITS = 400
const PAUSE_MS = 20
const TRADES = { replay: 60_000, restart: 1_000_000 }
/** a key may make 600 requests a minute */
const KEYS = 40
const REQUESTS = 6_000
const NONE: Mints = { live: [], dead: [] }

const base = process.env.AGAINST_DIR ?? join(tmpdir(), 'bench-against')
const node = (args: readonly string[], env = {}) =>
  promisify(execFile)(process.execPath, args, { maxBuffer: 64 << 20, env: { ...process.env, ...env } })

/** Runs a task in a process of its own. */
async function run(task: Task): Promise<Figures> {
  const child = join(import.meta.dirname, 'against-child.ts')
  const { stdout } = await node(['--import', import.meta.resolve('tsx'), child, JSON.stringify(task)])
  return JSON.parse(stdout.trim().split('\n').at(-1)!)
}

/** Runs the built program under time(1). */
async function timed(name: string, root: string, args: readonly string[], env = {}): Promise<Figures> {
  const format = ['-f', '%U %S %e']
  const command = [...format, process.execPath, join(root, 'dist/main.js'), ...args]
  const { stderr } = await promisify(execFile)('/usr/bin/time', command, {
    maxBuffer: 64 << 20,
    env: { ...process.env, ...env },
  })
  const [user, system, wall] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number)
  return { [`${name}, CPU s`]: user! + system!, [`${name}, s`]: wall! }
}

/** Each side simulates the market itself: a build may not decode all program layouts in the other's capture. */
async function capture({ root, dir }: Side, trades: number): Promise<string> {
  const file = join(dir, `${trades}.capture`)
  mkdirSync(dir, { recursive: true })
  if (!existsSync(file)) await node([join(root, 'dist/main.js'), 'capture', 'simulate', file, '--trades', `${trades}`])
  return file
}

interface Side {
  readonly root: string
  readonly dir: string
}

/** The measurements, by name. */
const MEASURED: Readonly<Record<string, (side: Side) => Promise<Figures>>> = {
  replay: async (side) =>
    timed(`replay of ${TRADES.replay} trades`, side.root, ['replay', await capture(side, TRADES.replay), '--json']),
  commits: async (side) => {
    const dir = await history(side, 'written')
    return run({ kind: 'commits', root: side.root, dir, count: COMMITS, pauseMs: PAUSE_MS })
  },
  answers: async (side) => {
    const dir = await history(side, 'still')
    return run({ kind: 'answers', root: side.root, dir, mints: mintsOf(dir) })
  },
  http: async (side) => {
    const dir = await history(side, 'served')
    return http(side.root, dir, mintsOf(dir))
  },
  restart: async (side) => {
    const dir = join(side.dir, 'million')
    const file = await capture(side, TRADES.restart)
    if (!existsSync(dir)) await node([join(side.root, 'dist/main.js'), 'replay', file, '--data-dir', dir])
    const opened = await run({ kind: 'answers', root: side.root, dir, mints: NONE })
    const service = await serve(side.root, dir)
    await service.stop()
    return { ...prefixed('1,000,000 trades: ', opened), '1,000,000 trades: start to /readyz, ms': service.readyMs }
  },
}

const prefixed = (prefix: string, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [prefix + name, value]))

/** A separate history per measurement, because commits and a service change it. */
async function history({ root, dir }: Side, name: string): Promise<string> {
  const made = join(dir, name)
  if (!existsSync(`${made}.json`)) {
    rmSync(made, { recursive: true, force: true })
    mkdirSync(dir, { recursive: true })
    await run({ kind: 'prepare', root, dir: made, entries: ENTRIES })
  }
  return made
}

const mintsOf = (history: string): Mints => JSON.parse(readFileSync(`${history}.json`, 'utf8'))

interface Service {
  readonly child: ChildProcess
  readonly port: number
  readonly readyMs: number
  stop(): Promise<void>
}

async function serve(root: string, dir: string): Promise<Service> {
  const began = performance.now()
  const env = { DATA_DIR: dir, PORT: '0', LOG_LEVEL: 'error', PAYMENTS: 'off', OBSERVE: 'off' }
  const child = spawn(process.execPath, [join(root, 'dist/main.js'), 'serve'], {
    env: { ...process.env, ...env, SOURCE: 'simulator:speed=0&slots=1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = new Promise<void>((done) => child.on('close', () => done()))
  const port = await new Promise<number>((done, fail) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /listening on \S+:(\d+)/.exec(line)
      if (found !== null) done(Number(found[1]))
    })
    void closed.then(() => fail(new Error('the service ended before it listened')))
  })
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`)).ok) await new Promise((next) => setTimeout(next, 5))
  const readyMs = performance.now() - began
  return {
    child,
    port,
    readyMs,
    async stop() {
      child.kill('SIGTERM')
      await closed
    },
  }
}

/** A service's CPU time per keyed snapshot, as counted by the system in ticks of 10 ms. */
async function http(root: string, dir: string, mints: Mints): Promise<Figures> {
  // keys are made by the build that reads them
  const { makeKeys } = (await import(pathToFileURL(join(root, 'test/simulation/keys.ts')).href)) as typeof KeysModule
  for (const name of readdirSync(dir)) {
    if (name.startsWith('accounts')) rmSync(join(dir, name), { recursive: true, force: true })
  }
  const keys = await makeKeys(dir, KEYS)
  const service = await serve(root, dir)
  const figures: Record<string, number> = {}
  try {
    const requests = Array.from({ length: REQUESTS }, (_, i) => {
      const [mint, key] = [mints.dead[i % mints.dead.length], keys[i % KEYS]]
      return `GET /v1/tokens/${mint} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`
    })
    await ask(service.port, requests.slice(0, REQUESTS / 3))
    const before = ticks(service.child.pid!)
    await ask(service.port, requests)
    figures['keyed snapshot over HTTP, kept since the last block, CPU µs'] =
      ((ticks(service.child.pid!) - before) * 10_000) / REQUESTS
  } finally {
    await service.stop()
  }
  return figures
}

function ticks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}

/** Sends requests one by one on one connection; every answer must be a 200. */
async function ask(port: number, requests: readonly string[]): Promise<void> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  let sent = 0
  let head = ''
  await new Promise<void>((done, fail) => {
    const next = (): void => {
      head = ''
      if (sent === requests.length) socket.end()
      else socket.write(requests[sent++]!)
    }
    socket.on('connect', next)
    socket.on('error', fail)
    socket.on('close', () => done())
    socket.on('data', (chunk) => {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      if (!head.startsWith('HTTP/1.1 200')) fail(new Error(head.slice(0, 500)))
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (head.length >= end + 4 + length) next()
    })
  })
}

async function main(): Promise<void> {
  const [other, rounds = '5', ...named] = process.argv.slice(2)
  if (other === undefined) throw new Error('against.ts OTHER_ROOT [ROUNDS] [WHAT…]')
  const sides: Side[] = [
    { root: resolve(other), dir: join(base, 'other') },
    { root: ROOT, dir: join(base, 'this') },
  ]
  mkdirSync(base, { recursive: true })
  for (const name of named.length > 0 ? named : Object.keys(MEASURED)) {
    const found: Figures[][] = [[], []]
    for (let round = 0; round < Number(rounds); round++) {
      for (const no of round % 2 === 0 ? [0, 1] : [1, 0]) found[no]!.push(await MEASURED[name]!(sides[no]!))
    }
    for (const figure of Object.keys(found[0]![0]!)) {
      const [before, now] = found.map((all) => all.map((figures) => figures[figure]!)) as [number[], number[]]
      const ratios = now.map((value, round) => value / before[round]!)
      const list = (values: readonly number[]): string => values.map((value) => value.toPrecision(3)).join(' ')
      const row = [figure, median(before).toPrecision(3), median(now).toPrecision(3), median(ratios).toFixed(2)]
      console.log(`| ${row.join(' | ')} | ${list(ratios)} |`)
    }
  }
}

await main()
