import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'

interface Running {
  /** whole lines of its output so far */
  readonly lines: readonly string[]
  readonly errors: string
  kill(signal?: NodeJS.Signals): void
  /** lines of its output once it has ended well */
  readonly ended: Promise<readonly string[]>
  /** once it has ended, however */
  readonly over: Promise<void>
}

const PATIENCE_MS = 540_000

/** Starts a program in its folder. */
export function start(
  t: Pick<TestContext, 'after'>,
  cwd: string,
  [file, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
): Running {
  const child = spawn(file!, args, { cwd, env: { ...process.env, ...env }, timeout: PATIENCE_MS })
  t.after(() => child.kill('SIGKILL'))
  const lines: string[] = []
  let [rest, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n')
    rest = parts.pop()!
    lines.push(...parts)
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-20_000)
  })
  const over = new Promise<void>((done) => child.on('close', () => done()))
  const ended = new Promise<readonly string[]>((done, fail) => {
    child.on('error', fail)
    child.on('close', (code, signal) =>
      code === 0 ? done(lines) : fail(new Error(`ended with ${code ?? signal}: ${errors}${lines.join('\n')}`)),
    )
  })
  ended.catch(() => {})
  return {
    lines,
    get errors() {
      return errors
    },
    kill: (signal = 'SIGTERM') => void child.kill(signal),
    ended,
    over,
  }
}
