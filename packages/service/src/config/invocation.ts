import { basename, relative } from 'node:path'
import { environment } from './environment.ts'

/** How this program was started, as a person would type it again: what messages and help show works where they are read. */
export function program(): string {
  const [, main = ''] = process.argv
  if (SCRIPTS.has(environment().npm_lifecycle_event ?? '')) return 'npm run --silent cli --'
  if (basename(main) === NAME) return NAME
  const path = relative('.', main)
  return `node ${path.startsWith('..') || path === '' ? main : path}`
}

/** of package.json, that start the program where `npm run cli` does */
const SCRIPTS = new Set(['cli', 'start', 'demo:pay'])
const NAME = 'token-intelligence'
