import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'

/** The pages with examples, and the fenced blocks in them. */
export const ROOT = resolve(import.meta.dirname, '../..')

const pagesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

export const PAGES: readonly string[] = [
  ...['', 'docs', 'clients/python', 'clients/typescript', 'reports', 'reports/evaluation'].flatMap(pagesIn),
]

export interface Block {
  readonly page: string
  /** the heading above it */
  readonly heading: string
  /** the word after the fence; empty: none */
  readonly language: string
  readonly code: string
  /** `PAGE:LINE` of the fence, to be found when a test fails */
  readonly at: string
}

/** The blocks of a page in its order. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(({ 1: language = '', 2: code = '', index }) => {
    const before = text.slice(0, index).split('\n')
    const heading = before.findLast((line) => /^#+ /.test(line)) ?? ''
    return { page, heading: heading.replace(/^#+ /, ''), language, code, at: `${page}:${before.length}` }
  })
}

/** The code of a page's blocks in a language. */
export const codeOf = (page: string, language: string): string[] =>
  blocksOf(page)
    .filter((block) => block.language === language)
    .map(({ code }) => code)

/** A folder among the packages of `place`, so that those which an example imports are found. It goes when the process ends. */
export function folderIn(place = ''): string {
  const folder = mkdtempSync(join(ROOT, place, 'node_modules/.guides-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  return folder
}

const compiler = (...args: string[]): Promise<unknown> =>
  promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), args).catch((error) => {
    throw new Error(error.stdout + error.stderr)
  })

/** Puts the client among the packages of a folder, as it is published. */
export async function installClient(folder: string): Promise<void> {
  const [from, to] = [join(ROOT, 'clients/typescript'), join(folder, 'node_modules/@token-intelligence/client')]
  await compiler('-p', from, '--outDir', join(to, 'dist'))
  cpSync(join(from, 'package.json'), join(to, 'package.json'))
}

/** Checks programs by name as `tsc --strict` does for a reader who has their packages. Fails with what it says. */
export async function checkTypes(
  folder: string,
  programs: ReadonlyMap<string, string>,
  more: object = {},
): Promise<void> {
  for (const [name, code] of programs) writeFileSync(join(folder, `${name}.ts`), code)
  const compilerOptions = { target: 'es2023', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true }
  const settings = { compilerOptions: { ...compilerOptions, types: ['node'], ...more }, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  await compiler('-p', folder)
}

/** A TypeScript program without its types, in a folder that has its packages; where it is. What it imports from beside it is in `examples`. */
export function program(folder: string, name: string, code: string): string {
  const outfile = join(folder, `${name}.js`)
  // A reader has no tsconfig.json that leads to the client's sources.
  const options = { bundle: true, packages: 'external', format: 'esm', target: 'node20', tsconfigRaw: '{}' } as const
  buildSync({ ...options, stdin: { contents: code, loader: 'ts', resolveDir: join(ROOT, 'examples') }, outfile })
  return outfile
}

/** The programs of `examples` by name. */
export const EXAMPLES: ReadonlyMap<string, string> = new Map(
  readdirSync(join(ROOT, 'examples'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => [name.slice(0, -3), readFileSync(join(ROOT, 'examples', name), 'utf8')]),
)

/** What the page's block with the text `part` exports, imported as a reader's program imports it. */
export function exportsOf<T>(page: string, part: string): Promise<T> {
  const shown = codeOf(page, 'ts').filter((code) => code.includes(part))
  if (shown.length !== 1) throw new Error(`${shown.length} examples of ${page} have ${part}`)
  return import(program(folderIn(), 'example', shown[0]!))
}
