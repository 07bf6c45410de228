import { execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

export const ROOT = resolve(import.meta.dirname, '..')
const MAIN = resolve(ROOT, 'dist/main.js')
/** as in `npm start` */
const FLAGS = ['--max-semi-space-size=2', '--v8-pool-size=1']

type Env = Readonly<Record<string, string>>

/** Runs a command of the built program and returns its output. */
export async function cli(...given: readonly [Env, ...string[]] | readonly string[]): Promise<string> {
  const [env, args] = typeof given[0] === 'object' ? [given[0], given.slice(1) as string[]] : [{}, given as string[]]
  const options = { maxBuffer: 64 << 20, env: { ...process.env, ...env } }
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], options)
  return stdout
}

export interface SpawnedNode {
  readonly pid: number
  /** Milliseconds since the start. */
  sinceMs(): number
  /** Base address once it listens. */
  readonly url: Promise<string>
  /** Where monitors ask, once it listens. */
  readonly operator: Promise<string>
  /** Newest slot once it answers reads, null before. */
  ready(): Promise<number | null>
  stop(): Promise<void>
}

/** Starts the program as one of several nodes; `root` selects another build. */
export function spawnNode(env: Env, args: readonly string[], source: string, root = ROOT): SpawnedNode {
  const started = performance.now()
  const child = spawn(process.execPath, [...FLAGS, resolve(root, 'dist/main.js'), 'serve', ...args], {
    env: { ...process.env, PORT: '0', OPERATOR_PORT: '0', LOG_LEVEL: 'error', SOURCE: source, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.on('close', () => done()))
  let monitored: string | null = null
  const lines = createInterface({ input: child.stdout })
  const printed = (pattern: RegExp): Promise<string> => {
    const found = new Promise<string>((done, fail) => {
      lines.on('line', (line) => {
        const [, text] = pattern.exec(line) ?? []
        if (text !== undefined) done(text)
      })
      void ended.then(() => fail(new Error('a node ended before it listened')))
    })
    found.catch(() => {})
    return found
  }
  const url = printed(/listening on (\S+)/)
  const operator = printed(/curl -s (\S+)\/readyz/)
  operator.then(
    (text) => {
      monitored = text
    },
    () => {},
  )
  return {
    pid: child.pid!,
    sinceMs: () => performance.now() - started,
    url,
    operator,
    async ready() {
      if (monitored === null) return child.exitCode === null ? null : operator.then(() => null)
      const answer = await fetch(`${monitored}/readyz`)
      const { slot } = (await answer.json()) as { slot: number }
      return answer.ok ? slot : null
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Milliseconds from starting the program on `dataDir` to its first "ready". */
export async function timeToReady(dataDir: string, source: string): Promise<number> {
  const node = spawnNode({ DATA_DIR: dataDir }, [], source)
  try {
    while ((await node.ready()) === null) await new Promise((next) => setTimeout(next, 5))
    return node.sinceMs()
  } finally {
    await node.stop()
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Processor time of a process, all threads, in ticks of 10 ms. */
export function ticks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}
