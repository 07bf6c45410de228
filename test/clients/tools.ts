import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { BUN_PACKAGE } from '../judges/tools.ts'

/** Runtimes of others that clients are tried in; null where they are not installed. */

/** Named in BUN, on the PATH, or of the judges' packages. */
export const BUN: string | null = found([process.env.BUN, 'bun', BUN_PACKAGE ?? undefined], ['--version'])

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
