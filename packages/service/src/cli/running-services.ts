import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { placesIn } from '../access/sql/places.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { program } from '../config/invocation.ts'
import { ADMIN_SOCKET } from '../service/admin.ts'

/**
 * Throws an OperatorError if no service has ever run in the data directory, with the command for a running service if
 * one is found.
 */
export function refuseWithoutStore(dataDir: string, command: string): void {
  const { file } = placesIn(dataDir)
  if ([file, join(dataDir, 'state'), join(dataDir, ADMIN_SOCKET)].some((path) => existsSync(path))) return
  // other code reports a path that cannot be a directory
  if (isBlocked(dataDir)) return
  const found = dataDirsInUse()
  const others =
    found.length === 0
      ? `Start one there, or name the directory of the one that runs: DATA_DIR=… ${program()} ${command}. In a container: docker compose exec SERVICE node dist/main.js ${command}`
      : `A service runs in another one:\n${found.map((dir) => `  DATA_DIR=${shellWord(dir)} ${program()} ${command}\n`).join('')}`
  throw new OperatorError(
    `${dataDir}: no service has run with this data directory, so it has no keys. ${others}`.trimEnd(),
    {
      exitCode: EXIT.failed,
    },
  )
}

/** True if something other than a directory is in the way. */
function isBlocked(dir: string): boolean {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(at)) return !statSync(at).isDirectory()
    if (dirname(at) === at) return false
  }
}

/** The largest number of directories shown; a machine has few services. */
const SHOWN = 5

/** Data directories of running services, where the system lists sockets (Linux): those with one for `keys`. */
export function dataDirsInUse(table = socketTable()): string[] {
  const paths = table.split('\n').map((line) => /\s(\/.*)$/.exec(line)?.[1] ?? '')
  const dirs = paths.filter((path) => basename(path) === ADMIN_SOCKET && existsSync(path)).map((path) => dirname(path))
  return [...new Set(dirs)].slice(0, SHOWN)
}

function socketTable(): string {
  try {
    return readFileSync('/proc/net/unix', 'utf8')
  } catch {
    return ''
  }
}

const shellWord = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)
