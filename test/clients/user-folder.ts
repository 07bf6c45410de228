import { execFile, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'

const ROOT = resolve(import.meta.dirname, '../..')

/** A folder as a user has it: the TypeScript client installed as it is published, and the programs of `examples`. */
export interface UserFolder {
  readonly dir: string
  /** Writes a program of TypeScript and returns its file. */
  write(contents: string): string
  remove(): void
}

export async function createUserFolder(): Promise<UserFolder> {
  // among the packages, so that others that a program imports are found
  const dir = mkdtempSync(join(ROOT, 'node_modules/.user-'))
  const client = join(dir, 'node_modules/@token-intelligence/client')
  mkdirSync(client, { recursive: true })
  copyFileSync(join(ROOT, 'clients/typescript/package.json'), join(client, 'package.json'))
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  await promisify(execFile)(compiler, ['-p', join(ROOT, 'clients/typescript'), '--outDir', join(client, 'dist')])
  writeFileSync(join(dir, 'package.json'), '{ "type": "module" }')
  // a nearer one than the project's, which leads to the client's sources
  writeFileSync(join(dir, 'tsconfig.json'), '{}')
  for (const name of readdirSync(join(ROOT, 'examples')).filter((file) => file.endsWith('.ts')))
    copyFileSync(join(ROOT, 'examples', name), join(dir, name))
  let written = 0
  return {
    dir,
    write(contents) {
      const file = join(dir, `written-${written++}.ts`)
      writeFileSync(file, contents)
      return file
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  }
}

export interface Running {
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

/** A program of TypeScript, as `npx tsx FILE` runs it but without a process in between, so that a kill reaches it. */
export const typescript = (file: string, ...args: string[]): string[] => [
  process.execPath,
  '--import',
  import.meta.resolve('tsx'),
  file,
  ...args,
]
