import { basename, relative } from 'node:path'
import { environment } from './environment.ts'

/** The command that started this program, as one would type it again, so that commands in messages and help work as shown. */
export function program(): string {
  const [, main = ''] = process.argv
  if (SCRIPTS.has(environment().npm_lifecycle_event ?? '')) return 'npm run --silent cli --'
  if (basename(main) === NAME) return NAME
  const path = relative('.', main)
  return `node ${path.startsWith('..') || path === '' ? main : path}`
}

/** scripts of package.json that start the program in the same place as `npm run cli` */
const SCRIPTS = new Set(['cli', 'start', 'demo:pay'])
const NAME = 'token-intelligence'
