import { execFile, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

export const ROOT = resolve(import.meta.dirname, '..')
const MAIN = resolve(ROOT, 'dist/main.js')

/** Runs a command of the built program and gives what it printed. */
export async function cli(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], { maxBuffer: 64 << 20 })
  return stdout
}

/** Milliseconds from starting the program on `dataDir` to its first "ready". */
export async function timeToReady(dataDir: string, source: string): Promise<number> {
  const started = performance.now()
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, SOURCE: source, LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.on('close', () => done()))
  try {
    const url = await new Promise<string>((done, fail) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const found = /listening on (\S+)/.exec(line)
        if (found !== null) done(found[1]!)
      })
      void ended.then(() => fail(new Error('the service ended before it was ready')))
    })
    while (!(await fetch(`${url}/readyz`)).ok) await new Promise((next) => setTimeout(next, 5))
    return performance.now() - started
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
