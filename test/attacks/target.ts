import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { administer } from '@ti/service/service/admin.ts'
import { operatorOf, type StartOptions, startService } from '../simulation/service.ts'

/** milliseconds an attacked process may live */
const LIFE_MS = 1_200_000
/** milliseconds until a condition counts as never met: only there to end a test that has failed */
const PATIENCE_MS = 120_000

export interface Answer {
  /** 0: no connection, or it ended without an answer */
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** milliseconds */
  readonly ms: number
}

export interface Readiness extends Answer {
  readonly troubles: readonly { readonly what: string; readonly message: string }[]
}

/** The built program under attack, with a simulated market. */
export interface Target {
  readonly port: number
  readonly pid: number
  /** Pro keys: calls take turns with them */
  readonly keys: readonly string[]
  /** how it ended, by itself or by a signal; null while it runs */
  ended(): number | NodeJS.Signals | null
  stderr(): Promise<string>
  /** a call with the Pro keys in turn, on a connection that is kept or on a new one, from a loopback address */
  pro(path?: string, how?: { readonly fresh?: boolean; readonly from?: string }): Promise<Answer>
  readyz(how?: { readonly fresh?: boolean; readonly from?: string }): Promise<Readiness>
  metric(name: string): Promise<number>
  until(what: string, condition: () => Promise<boolean>): Promise<void>
}

/** A test; a suite's hooks fit too. */
export interface Ending {
  after(end: () => unknown): void
}

export interface TargetOptions extends StartOptions {
  /** Pro keys that calls take turns with: each has 600 calls a minute */
  readonly keys?: number
}

export async function openTarget(
  t: Ending,
  { keys: many = 1, ...start }: TargetOptions = {},
  dir?: string,
): Promise<Target> {
  const dataDir = dir ?? mkdtempSync(join(tmpdir(), 'attack-'))
  const service = startService(
    { DATA_DIR: dataDir, SOURCE: 'simulator:seed=7&tps=20', PAYMENTS: 'off', OBSERVE: 'off' },
    ['serve'],
    { patienceMs: LIFE_MS, ...start },
  )
  const kept = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(async () => {
    kept.destroy()
    service.child.kill('SIGKILL')
    await service.exit
    if (dir === undefined) rmSync(dataDir, { recursive: true, force: true })
  })
  const port = Number(new URL(await service.url).port)
  const operatorPort = Number(new URL(operatorOf(await service.url)).port)
  const keys = [(await service.key)!]
  while (keys.length < many) {
    const made = await administer({ dataDir, databaseUrl: null }, { command: 'create', name: 'test', days: null })
    assert.ok(made.ok)
    keys.push(made.key!)
  }
  const ask = createAsking(port, keys, kept)
  const target: Target = {
    port,
    pid: service.child.pid!,
    keys,
    ended: () => service.child.exitCode ?? service.child.signalCode,
    stderr: async () => (await service.exit).stderr,
    pro: (path = '/v1/tokens/new', how = {}) => ask(path, how),
    async readyz(how = {}) {
      const answer = await ask('/readyz', { ...how, at: operatorPort })
      return { ...answer, troubles: (answer.body.troubles ?? []) as Readiness['troubles'] }
    },
    async metric(name) {
      const line = (await ask('/metrics', { at: operatorPort })).text
        .split('\n')
        .find((one) => one.startsWith(`${name} `))
      return line === undefined ? 0 : Number(line.slice(name.length + 1))
    },
    async until(what, condition) {
      for (const end = performance.now() + PATIENCE_MS; !(await condition()); await pause(20)) {
        assert.equal(target.ended(), null, 'the service ended')
        assert.ok(performance.now() < end, `waited in vain until ${what}`)
      }
    },
  }
  await target.until('it is ready', async () => (await target.readyz()).status === 200)
  return target
}

/** Calls with these keys in turn, on the agent's connections or, from a loopback address, on a new one. */
export function createAsking(port: number, keys: readonly string[], kept: Agent) {
  let calls = 0
  return (path: string, { fresh = false, from = '127.0.0.1', at = port } = {}): Promise<Answer & { text: string }> =>
    new Promise((done) => {
      const began = performance.now()
      const give = (status: number, text: string): void => {
        let body = {}
        try {
          body = JSON.parse(text)
        } catch {}
        done({ status, body, text, ms: performance.now() - began })
      }
      const asking = request(
        {
          host: '127.0.0.1',
          port: at,
          path,
          agent: fresh ? false : kept,
          ...(fresh && { localAddress: from }),
          headers: { authorization: `Bearer ${keys[calls++ % keys.length]}` },
        },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk) => {
            text += chunk
          })
          response.on('end', () => give(response.statusCode!, text))
          response.on('error', () => give(0, ''))
        },
      )
      asking.on('error', () => give(0, ''))
      asking.end()
    })
}

/** prlimit(1) changes a running process' limits. Null: it can be used here; otherwise why not. */
export const WITHOUT_PRLIMIT: string | false =
  spawnSync('prlimit', ['--version']).status === 0 ? false : 'prlimit (util-linux) is not installed'

/** Sets soft limits of a running process: descriptors, and bytes that a file may grow to. */
export function limit(
  pid: number,
  what: { readonly nofile?: number | string; readonly fsize?: number | string },
): void {
  const given = Object.entries(what).map(([name, value]) => `--${name}=${value}:`)
  const { status, stderr } = spawnSync('prlimit', ['--pid', String(pid), ...given], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

/** The value below which a share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
}
