import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** Arguments of node that run a script of the tests: as run.mjs compiled it, by itself with a compiler in the process. */
export function scriptArgs(path: string): string[] {
  const compiled = process.env.TEST_COMPILED
  const ready = compiled === undefined ? null : join(compiled, relative(ROOT, path)).replace(/ts$/, 'js')
  return ready !== null && existsSync(ready) ? [ready] : ['--import', 'tsx', path]
}
