import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { placesIn } from '../access/sql/places.ts'
import { OperatorError } from '../base/errors.ts'
import { program } from '../config/invocation.ts'
import { ADMIN_SOCKET } from '../service/admin.ts'

/** Throws an OperatorError if no service has ever run in the data directory. */
export function refuseWithoutStore(dataDir: string, command: string): void {
  const { file } = placesIn(dataDir)
  if ([file, join(dataDir, 'state'), join(dataDir, ADMIN_SOCKET)].some((path) => existsSync(path))) return
  // other code reports a path that cannot be a directory
  if (isBlocked(dataDir)) return
  throw new OperatorError(
    `${dataDir}: no service has run with this data directory, so it has no keys. Start one there, or name the directory of the one that runs: DATA_DIR=… ${program()} ${command}. In a container: docker compose exec SERVICE node dist/main.js ${command}`,
  )
}

/** True if something other than a directory is in the way. */
function isBlocked(dir: string): boolean {
  for (let at = dir; ; at = dirname(at)) {
    if (existsSync(at)) return !statSync(at).isDirectory()
    if (dirname(at) === at) return false
  }
}
