import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { BUN_PACKAGE, NODE_22, NODE_24, NODE_26 } from '../judges/tools.ts'

/** Runtimes of others that clients are tried in; null where they are not installed. */

/** Named in BUN, on the PATH, or of the judges' packages. */
const BUN: string | null = found([process.env.BUN, 'bun', BUN_PACKAGE ?? undefined], ['--version'])

/** Where programs of ours have to run: a name, the command, and why it is missing. */
export const RUNTIMES = [
  [`this Node (${process.versions.node.split('.')[0]})`, process.execPath, ''],
  ['Node 22', NODE_22, 'there is no Node 22: the judges are not installed'],
  ['Node 24', NODE_24, 'there is no Node 24: the judges are not installed'],
  ['Node 26', NODE_26, 'there is no Node 26: the judges are not installed'],
  ['Bun', BUN, 'there is no Bun: install the judges, put it on the PATH, or name it in BUN'],
] as const

/** A Python 3.11 or newer with the packages that the client needs: as Debian has them, or named in PYTHON. */
export const PYTHON: string | null = found(
  [process.env.PYTHON, '/usr/bin/python3', 'python3'],
  ['-c', 'import sys, httpx, websockets, pytest; assert sys.version_info >= (3, 11)'],
)

function found(candidates: readonly (string | undefined)[], probe: readonly string[]): string | null {
  for (const path of candidates) {
    if (path === undefined || (path.startsWith('/') && !existsSync(path))) continue
    if (spawnSync(path, probe, { stdio: 'ignore' }).status === 0) return path
  }
  return null
}

export const inPython = {
  skip:
    PYTHON === null &&
    'no Python 3.11 with httpx, websockets and pytest was found: install them, or name one in PYTHON',
} as const

const MYPY = PYTHON !== null && spawnSync(PYTHON, ['-m', 'mypy', '--version'], { stdio: 'ignore' }).status === 0

export const withMypy = { skip: !MYPY && 'mypy was not found beside Python' } as const
