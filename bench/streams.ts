import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { makeKeys } from '../test/simulation/keys.ts'
import { END } from './paced.ts'
import { median, ROOT, spawnNode, ticks } from './service.ts'
import type { FromReaders, ToReaders } from './streams-reader.ts'
import type { BenchRow } from './types.ts'

/**
 * From when a block leaves the source until a reader has all of its frames: the running service against a bare server that has
 * the same bytes ready and writes them to each socket at once. In turns; the median of the rounds counts.
 */
const BUSY = { readers: 1_000, tps: 1_000 }
const FEW = { readers: 100, tps: 1_000 }
/** as many messages a second as BUSY has, at mainnet's mean of 120 trades a second */
const MANY = { readers: 10_000, tps: 120 }
const BAR = { echo: 1.3, few: 1, many: 2, cores: 1 }
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3)
const BLOCKS = Number(process.env.BENCH_BLOCKS ?? 60)
/** blocks that are not judged: code that has not run often is slow */
const FIRST = 20
const LOOK_MS = 100
/** after the last block, for the slowest reader */
const LAST_MS = 5_000
const SOCKETS_PER_KEY = 50

type Load = typeof BUSY
type Waits = Extract<FromReaders, { kind: 'waits' }>
interface Run extends Waits {
  /** processors that the server used while blocks came */
  readonly cores: number
}

interface Server {
  readonly pid: number
  readonly port: number
  stop(): unknown
}

const start = (file: string, ...args: string[]): ChildProcess =>
  fork(resolve(import.meta.dirname, file), args, { execArgv: ['--import', import.meta.resolve('tsx')] })

export async function benchStreams(): Promise<BenchRow[]> {
  await buildPaced()
  const dir = mkdtempSync(join(tmpdir(), 'bench-streams-'))
  try {
    const rounds: Record<'busy' | 'echo' | 'few' | 'many', Run[]> = { busy: [], echo: [], few: [], many: [] }
    for (let round = 0; round < ROUNDS; round++) {
      const file = join(dir, `${round}.frames`)
      rounds.busy.push(await ofService(join(dir, `busy-${round}`), BUSY, file))
      rounds.echo.push(await ofEcho(file, BUSY))
      rounds.few.push(await ofService(join(dir, `few-${round}`), FEW))
      rounds.many.push(await ofService(join(dir, `many-${round}`), MANY))
    }
    return rowsOf(rounds)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function rowsOf({ busy, echo, few, many }: Record<'busy' | 'echo' | 'few' | 'many', Run[]>): BenchRow[] {
  const against = (ours: readonly Run[], theirs: readonly Run[]): number =>
    median(ours.map(({ p99 }, round) => p99 / theirs[round]!.p99))
  const row = (name: string, ratio: number, bar: number, detail: string): BenchRow => ({
    name: `${name} (at most)`,
    ...{ ratio, bar, pass: ratio <= bar, detail },
  })
  const named = `${BUSY.readers} readers at ${BUSY.tps} trades/s`
  const cores = median(many.map((run) => run.cores))
  return [
    row(
      `p99 from a block to all its frames at a client, ${named}, against the same bytes written bare`,
      against(busy, echo),
      BAR.echo,
      `${words(busy)}; bare: ${words(echo)}; ${Math.round(busy[0]!.bytes / BLOCKS / 1_000)} kB a block`,
    ),
    row(`the same of ${FEW.readers} readers against ${BUSY.readers}`, against(few, busy), BAR.few, words(few)),
    row(
      `the same of ${MANY.readers} readers at ${MANY.tps} trades/s against ${named}`,
      against(many, busy),
      BAR.many,
      words(many),
    ),
    row(`processors that the service uses for ${MANY.readers} readers`, cores, BAR.cores, words(many)),
    row(
      'blocks that a reader did not get',
      [...busy, ...few, ...many].reduce((sum, { missing }) => sum + missing, 0),
      0,
      `of ${busy.length} rounds, with every number of readers`,
    ),
  ]
}

const words = (runs: readonly Run[]): string => {
  const of = (read: (run: Run) => number, digits: number): string =>
    runs.map((run) => read(run).toFixed(digits)).join(' ')
  return `p50 ${of(({ p50 }) => p50, 0)}, p99 ${of(({ p99 }) => p99, 0)} ms, ${of((run) => run.cores, 2)} cores`
}

/** Builds the program with the paced market. */
export const buildPaced = () => promisify(execFile)(process.execPath, ['scripts/server.mjs', 'bench'], { cwd: ROOT })

/** Starts it and waits until it has read what comes before the paced blocks. */
export async function startPaced(dir: string, left: string, { tps, blocks }: { tps: number; blocks: number }) {
  const env = { DATA_DIR: dir, PAYMENTS: 'off', OBSERVE: 'off' }
  const node = spawnNode(env, [], `paced:left=${left}&tps=${tps}&blocks=${blocks}`, resolve(ROOT, 'bench'))
  await node.url
  while (!existsSync(`${left}.warm`)) await sleep(LOOK_MS)
  while (((await node.ready()) ?? 0) < Number(readFileSync(`${left}.warm`, 'latin1'))) await sleep(LOOK_MS)
  return node
}

async function ofService(dir: string, load: Load, file: string | null = null): Promise<Run> {
  const keys = await makeKeys(dir, Math.ceil(load.readers / SOCKETS_PER_KEY))
  const left = `${dir}.left`
  const node = await startPaced(dir, left, { tps: load.tps, blocks: BLOCKS })
  const server = { pid: node.pid, port: Number(new URL(await node.url).port), stop: node.stop }
  return watch(server, left, keys, load, file)
}

async function ofEcho(file: string, load: Load): Promise<Run> {
  const left = `${file}.left`
  const echo = start('streams-echo.ts', file, left)
  const [{ port }] = (await once(echo, 'message')) as [{ port: number }]
  return watch({ pid: echo.pid!, port, stop: () => echo.kill('SIGKILL') }, left, [], load, null)
}

async function watch(server: Server, left: string, keys: string[], { readers, tps }: Load, file: string | null) {
  const crowd = start('streams-reader.ts')
  const ask = async <Kind extends FromReaders['kind']>(message: ToReaders) => {
    crowd.send(message)
    return (await once(crowd, 'message'))[0] as Extract<FromReaders, { kind: Kind }>
  }
  try {
    await ask<'joined'>({ kind: 'join', port: server.port, keys, readers })
    writeFileSync(`${left}.go`, '')
    while (linesOf(left).length < FIRST) await sleep(LOOK_MS)
    const [from, before] = [performance.now(), ticks(server.pid)]
    while (!isAllLeft(left)) await sleep(LOOK_MS)
    const cores = ((ticks(server.pid) - before) * 10) / (performance.now() - from)
    await sleep(LAST_MS)
    const run = { ...(await ask<'waits'>({ kind: 'judge', left: leftIn(left), from: FIRST, file })), cores }
    console.error(`  ${readers} readers at ${tps} trades/s: ${words([run])}, ${run.missing} missing`)
    return run
  } finally {
    crowd.kill('SIGKILL')
    await server.stop()
  }
}

const linesOf = (left: string): string[] => (existsSync(left) ? readFileSync(left, 'latin1').trim().split('\n') : [])

export const isAllLeft = (left: string): boolean => linesOf(left).includes(END.trim())

/** When each block left the source, once all have. */
export const leftIn = (left: string): (readonly [slot: number, ms: number])[] =>
  linesOf(left)
    .slice(0, -1)
    .map((line) => line.split(' ').map(Number) as [number, number])
