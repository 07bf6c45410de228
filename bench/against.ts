import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type * as KeysModule from '../test/simulation/keys.ts'
import { median, ROOT, spawnNode, ticks } from './service.ts'

/**
 * Compares this program with another build of it, in turns: `node --import tsx bench/against.ts OTHER_ROOT [ROUNDS] [WHAT…]`.
 * Both must be built (`npm run build`). Their data stay in AGAINST_DIR for the next run. On a busy machine only ratios are
 * meaningful, and CPU time more than wall time.
 */
type Figures = Readonly<Record<string, number>>
interface Side {
  readonly root: string
  readonly dir: string
}

const TRADES = { replay: 60_000, restart: 1_000_000 }
/** a key may make 600 requests a minute */
const KEYS = 40
const REQUESTS = 6_000
const MINTS = 20

const base = process.env.AGAINST_DIR ?? join(tmpdir(), 'bench-against')
const program = (root: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(root, 'dist/main.js'), ...args], { maxBuffer: 64 << 20 })

/** Each side simulates the market itself: a build may not decode all program layouts in the other's capture. */
async function capture({ root, dir }: Side, trades: number): Promise<string> {
  const file = join(dir, `${trades}.capture`)
  mkdirSync(dir, { recursive: true })
  if (!existsSync(file)) await program(root, 'capture', 'simulate', file, '--trades', `${trades}`)
  return file
}

async function folded(side: Side, trades: number): Promise<string> {
  const dir = join(side.dir, `${trades}`)
  const file = await capture(side, trades)
  if (!existsSync(dir)) await program(side.root, 'replay', file, '--data-dir', dir)
  return dir
}

/** The measurements, by name. */
const MEASURED: Readonly<Record<string, (side: Side) => Promise<Figures>>> = {
  async replay(side) {
    const file = await capture(side, TRADES.replay)
    const began = performance.now()
    const child = spawn(process.execPath, [join(side.root, 'dist/main.js'), 'replay', file], { stdio: 'ignore' })
    const cpuS = await processorsOf(child)
    const name = `replay of ${TRADES.replay} trades`
    return { [`${name}, CPU s`]: cpuS, [`${name}, s`]: (performance.now() - began) / 1_000 }
  },
  async restart(side) {
    const node = await ready(side, await folded(side, TRADES.restart))
    await node.stop()
    return { [`start to /readyz after ${TRADES.restart} trades, ms`]: node.readyMs }
  },
  async answers(side) {
    const dir = await folded(side, TRADES.replay)
    for (const name of readdirSync(dir)) if (name.startsWith('accounts')) rmSync(join(dir, name), { recursive: true })
    // keys are made by the build that reads them
    const keysModule = pathToFileURL(join(side.root, 'test/simulation/keys.ts')).href
    const { makeKeys } = (await import(keysModule)) as typeof KeysModule
    const keys = await makeKeys(dir, KEYS)
    const node = await ready(side, dir)
    try {
      return { 'keyed snapshot, kept since the last block, CPU µs': await snapshotUs(node, keys) }
    } finally {
      await node.stop()
    }
  },
}

/** Processor seconds of a child until it ends. */
async function processorsOf(child: ChildProcess): Promise<number> {
  let last = 0
  const look = setInterval(() => {
    try {
      last = ticks(child.pid!)
    } catch {
      // it has ended
    }
  }, 10)
  const code = await new Promise((done) => child.on('close', done))
  clearInterval(look)
  if (code !== 0) throw new Error(`a replay ended with ${code}`)
  return last / 100
}

async function ready({ root }: Side, dir: string) {
  const env = { DATA_DIR: dir, PAYMENTS: 'off', OBSERVE: 'off' }
  const node = spawnNode(env, [], 'simulator:speed=0&slots=1', root)
  while ((await node.ready()) === null) await new Promise((next) => setTimeout(next, 5))
  return { ...node, readyMs: node.sinceMs() }
}

async function snapshotUs({ url, pid }: Awaited<ReturnType<typeof ready>>, keys: readonly string[]): Promise<number> {
  const address = await url
  const list = await fetch(`${address}/v1/tokens/new`, { headers: { authorization: `Bearer ${keys[0]}` } })
  const mints = ((await list.json()) as { data: { mint: string }[] }).data.map(({ mint }) => mint).slice(0, MINTS)
  const requests = Array.from({ length: REQUESTS }, (_, i) => {
    const [mint, key] = [mints[i % mints.length], keys[i % KEYS]]
    return `GET /v1/tokens/${mint} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\n\r\n`
  })
  const port = Number(new URL(address).port)
  await ask(port, requests.slice(0, REQUESTS / 3))
  const before = ticks(pid)
  await ask(port, requests)
  return ((ticks(pid) - before) * 10_000) / REQUESTS
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
  for (const name of named.length > 0 ? named : Object.keys(MEASURED)) {
    const found: Figures[][] = [[], []]
    for (let round = 0; round < Number(rounds); round++) {
      for (const no of round % 2 === 0 ? [0, 1] : [1, 0]) found[no]!.push(await MEASURED[name]!(sides[no]!))
    }
    for (const figure of Object.keys(found[0]![0]!)) {
      const [before, now] = found.map((all) => all.map((figures) => figures[figure]!)) as [number[], number[]]
      const ratios = now.map((value, round) => value / before[round]!)
      const row = [figure, median(before).toPrecision(3), median(now).toPrecision(3), median(ratios).toFixed(2)]
      console.log(`| ${row.join(' | ')} | ${ratios.map((ratio) => ratio.toFixed(2)).join(' ')} |`)
    }
  }
}

await main()
