import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { play } from './play.ts'

export const PAGE = resolve(import.meta.dirname, '../../docs/examples.md')

const EXAMPLE = /```market\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g

export interface Example {
  readonly script: string
  readonly told: string
}

export const readPage = (): string => readFileSync(PAGE, 'utf8')

/** The scripts of the page, each with what the page says comes of it. */
export const examplesOf = (page: string): Example[] =>
  [...page.matchAll(EXAMPLE)].map(([, script = '', told = '']) => ({ script, told }))

/** The page with each script's verdicts as they are now. */
export const renewed = (page: string): string =>
  page.replace(EXAMPLE, (_, script: string) => `\`\`\`market\n${script}\`\`\`\n\n\`\`\`text\n${play(script)}\n\`\`\``)
