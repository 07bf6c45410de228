import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { beginAccounts } from '@ti/service/access/sql/accounts-file.ts'
import type { ReplayReport } from '@ti/service/cli/replay.ts'
import { administer } from '@ti/service/service/admin.ts'

const MAIN = process.env.ATTACK_MAIN ?? resolve(import.meta.dirname, '../../dist/main.js')
if (!existsSync(MAIN)) throw new Error('the program is not built: run npm test, or npm run build first')

/** How it is started: by this Node, or the runtime that a test over several names. */
export const PROGRAM: readonly string[] = [process.env.SERVICE_RUNTIME ?? process.execPath, MAIN]

/** milliseconds a process of a test may live */
export const PATIENCE_MS = 540_000

export interface Started {
  readonly child: ChildProcess
  /** base address once it listens; rejects when the process ends before */
  readonly url: Promise<string>
  /** a Pro key, made by its operator once it listens; null where it has one already */
  readonly key: Promise<string | null>
  /** the end of what it has written to stderr, its log */
  said(): string
  readonly exit: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>
}

export interface StartOptions {
  /** `dist/main.js` of another build: it makes its own accounts, and its key by its own command */
  readonly main?: string | undefined
  /** no file may grow beyond so many kilobytes: writing more fails, as on a full disk */
  readonly fileKb?: number
  /** descriptors it may have open */
  readonly files?: number
  /** milliseconds it may live at most */
  readonly patienceMs?: number
}

/** Addresses of operator's ports, by the address for readers. */
const operators = new Map<string, string>()

export interface Addresses {
  readonly url: string
  readonly operator: string
}

/** The addresses in what a service prints once it answers; null: it has not printed them yet. */
export function addressesIn(printed: string): Addresses | null {
  const [, url, operator] = /listening on (\S+)[\s\S]*curl -s (\S+)\/readyz/.exec(printed) ?? []
  return url === undefined || operator === undefined ? null : { url, operator }
}

/** Keeps where the monitors of a service ask, and returns its address for readers. */
export function remember({ url, operator }: Addresses): string {
  operators.set(url, operator)
  return url
}

/** The address for monitors of a service that answers at `url`: metrics, and the details of its readiness. */
export function operatorOf(url: string): string {
  const found = operators.get(url)
  if (found === undefined) throw new Error(`no service at ${url} has printed where its monitors ask`)
  return found
}

/** The built program (`npm test` builds it first), as a process of its own, as an operator starts it. */
export function startService(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ['serve'],
  { main, fileKb, files, patienceMs = PATIENCE_MS }: StartOptions = {},
): Started {
  if (main === undefined && args[0] === 'serve' && !args.includes('ingest')) beginAccountsOf(env)
  const program = [...PROGRAM.slice(0, -1), main ?? MAIN, ...args]
  const limits = [fileKb && `ulimit -f ${fileKb};`, files && `ulimit -n ${files};`].filter(Boolean).join(' ')
  const limited = ['bash', '-c', `${limits} exec "$@"`, 'bash', ...program]
  const [file = '', ...rest] = limits === '' ? program : limited
  const child = spawn(file, rest, {
    env: { ...process.env, PORT: '0', OPERATOR_PORT: '0', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // nothing here takes this long, also on a busy machine: a process that should have refused to start must not hold the tests up
  const deadline = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const lines: string[] = []
  let stderr = ''
  child.stderr!.on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-20_000)
  })
  const exit: Started['exit'] = new Promise((done) => {
    child.on('close', (code, signal) => {
      clearTimeout(deadline)
      done({ code, signal, stdout: lines.join('\n'), stderr })
    })
  })
  const banner = new Promise<string[]>((done, fail) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      lines.push(line)
      if (line.includes('/readyz')) done(lines)
    })
    exit.then(({ code, signal }) =>
      fail(new Error(`the service ended (${code ?? signal}) before it listened: ${stderr}`)),
    )
  })
  banner.catch(() => {})
  const url = banner.then((printed) => remember(addressesIn(printed.join('\n'))!))
  url.catch(() => {})
  let key: Promise<string | null> | null = null
  const makeKey = async (): Promise<string | null> => {
    await url
    return main === undefined ? firstKey(env) : (await outputOf(env, ['keys', 'create'], main)).trim()
  }
  return {
    child,
    url,
    get key() {
      if (key === null) {
        key = makeKey()
        key.catch(() => {})
      }
      return key
    },
    said: () => stderr,
    exit,
  }
}

/** As `keys create` makes it: nothing prints a key where nobody looks. */
async function firstKey(env: Readonly<Record<string, string>>): Promise<string | null> {
  const { DATA_DIR = '', DATABASE_URL = null } = { ...process.env, ...env }
  const place = { dataDir: DATA_DIR, databaseUrl: DATABASE_URL }
  const known = await administer(place, { command: 'list' })
  if (!known.ok || known.keys.length > 0) return null
  const made = await administer(place, { command: 'create', name: 'test', days: null })
  return made.ok ? made.key : null
}

/** The program refuses a directory that has other files and no accounts; a test may have prepared such a one. */
export function beginAccountsOf({ DATA_DIR, DATABASE_URL }: Readonly<Record<string, string>>): void {
  if (DATA_DIR !== undefined && DATABASE_URL === undefined && process.env.DATABASE_URL === undefined)
    beginAccounts(DATA_DIR, true)
}

/** A command that must succeed; what it printed. */
export const command = (...args: string[]): Promise<string> => outputOf({}, args)

async function outputOf(env: Readonly<Record<string, string>>, args: string[], main?: string): Promise<string> {
  const { code, stdout, stderr } = await startService(env, args, { main }).exit
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`)
  return stdout
}

export const replay = async (file: string, dataDir: string): Promise<ReplayReport> =>
  JSON.parse(await command('replay', file, '--data-dir', dataDir, '--json'))
