import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { OperatorError } from './errors.ts'

/**
 * Makes a directory and its parents; a system error, or an OperatorError if something else is there. `recursive` of Node 20
 * never returns if mkdir says ENOENT although the parent is there, as below /proc, and then no signal is heard either.
 */
export function makeDirectory(dir: string): void {
  const missing: string[] = []
  for (let at = resolve(dir); !existsSync(at); at = dirname(at)) missing.unshift(at)
  for (const path of missing) {
    try {
      mkdirSync(path)
    } catch (error) {
      // another process may have made it meanwhile
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  if (!statSync(dir).isDirectory()) throw new OperatorError(`${dir} is not a directory`)
}
