import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { type Addresses, addressesIn, beginAccountsOf, PROGRAM, remember } from './service.ts'

/** The built service on one data directory, killed and started again; everything it ever wrote is kept. */
export interface Program {
  /** base address once it listens, however often it is started again meanwhile; throws where it ended by itself */
  up(): Promise<string>
  start(): Promise<void>
  /** SIGKILL; resolves when the process is gone */
  kill(): Promise<void>
  /** SIGTERM; the exit code */
  stop(): Promise<number | null>
  /** how far its clock is ahead of ours from the next start on: as if it had been down for so long */
  aheadMs: number
  /** when it was killed (performance.now) */
  readonly kills: readonly number[]
  /** stdout and stderr of all its lives */
  output(): string
}

/** Milliseconds a start may take: only there to end a test that has failed. */
const START_MS = 60_000

export function createProgram(env: Readonly<Record<string, string>>): Program {
  const written: Buffer[] = []
  let child: ChildProcess | null = null
  let gone: Promise<void> = Promise.resolve()
  let url: string | null = null
  let broken: Error | null = null
  /** its end was asked for */
  let wanted = true
  const kills: number[] = []

  /** What is written in one life, searched for its address. */
  function listen(process: ChildProcess): Promise<Addresses> {
    return new Promise((done, fail) => {
      let banner = ''
      const late = setTimeout(() => fail(new Error('the service does not start')), START_MS)
      process.stderr!.on('data', (chunk: Buffer) => void written.push(chunk))
      process.stdout!.on('data', (chunk: Buffer) => {
        written.push(chunk)
        banner += chunk
        const found = addressesIn(banner)
        if (found !== null) done(found)
      })
      process.once('close', (code, signal) =>
        fail(new Error(`the service ended (${code ?? signal}) before it listened: ${tail()}`)),
      )
      process.once('close', () => clearTimeout(late))
    })
  }

  const tail = (): string => Buffer.concat(written).toString().slice(-3_000)

  return {
    aheadMs: 0,
    kills,
    output: () => Buffer.concat(written).toString(),
    async up() {
      const end = performance.now() + START_MS
      while (url === null) {
        if (broken !== null) throw broken
        if (performance.now() > end) throw new Error(`the service is not there: ${tail()}`)
        await pause(5)
      }
      return url
    },
    async start() {
      wanted = false
      const NODE_OPTIONS = this.aheadMs === 0 ? '' : `--import=${aheadBy(this.aheadMs)}`
      beginAccountsOf(env)
      const [node = '', ...rest] = PROGRAM
      const started = spawn(node, [...rest, 'serve'], {
        env: { ...process.env, PORT: '0', OPERATOR_PORT: '0', ...env, NODE_OPTIONS },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      child = started
      gone = new Promise((done) => {
        started.once('close', (code, signal) => {
          url = null
          if (!wanted) broken = new Error(`the service ended by itself (${code ?? signal}): ${tail()}`)
          done()
        })
      })
      const told = await listen(started)
      // behind a common address (PUBLIC_URL) it tells that one
      url = remember(env.PORT === undefined ? told : { ...told, url: `http://127.0.0.1:${env.PORT}` })
    },
    async kill() {
      if (wanted) return gone
      wanted = true
      url = null
      kills.push(performance.now())
      child?.kill('SIGKILL')
      await gone
    },
    async stop() {
      wanted = true
      url = null
      child?.kill('SIGTERM')
      await gone
      return child?.exitCode ?? null
    },
  }
}

/** A module that puts the clock of a process forward: what waits for minutes to pass need not be waited for. */
function aheadBy(ms: number): string {
  const code = `const Real=Date;globalThis.Date=class extends Real{constructor(...a){a.length===0?super(Real.now()+${ms}):super(...a)}static now(){return Real.now()+${ms}}}`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
