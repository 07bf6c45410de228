import { basename, relative } from 'node:path'
import { environment } from '../config/environment.ts'

/** How this program was started, as a person would type it again: what messages and help show works where they are read. */
export function program(): string {
  const [, main = ''] = process.argv
  if (environment().npm_lifecycle_event === 'cli') return 'npm run --silent cli --'
  if (basename(main) === NAME) return NAME
  const path = relative('.', main)
  return `node ${path.startsWith('..') || path === '' ? main : path}`
}

const NAME = 'token-intelligence'
