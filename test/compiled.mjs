// Tests and what they test, compiled once: with a compiler in every test process, starting costs more than most tests do.
//
// The files stand in a folder of node_modules as they stand here. Each believes it is where its source is, so that what it reads
// beside itself is found; only what starts threads names its real place, because they run compiled too. Stacks name the sources.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stop, transform } from 'esbuild'
import { CODE } from './suites.mjs'

/** what compiled files look for from where they stand; it may come later, and where it does not nobody needs it */
const LINKED = ['dist', 'test/judges/node_modules']
/** These name their own place to threads. */
const STARTS_THREADS = /packages\/service\/src\/base\/thread\.ts$|\/register\.ts$/
/** a relative import; classes of style sheets have no names here */
const IMPORT = /(\b(?:from|import)\s*\(?\s*["'])(\.{1,2}\/[^"'\n]+\.(?:tsx?|css))(?=["'])/g
const WORKSPACE = /(\b(?:from|import)\s*\(?\s*["'])@ti\/(\w+)\/([^"'\n]+\.tsx?)(?=["'])/g
const NO_CLASSES = 'export default {}'

/** Compiles everything under `root` and answers where a file's compiled form is; it is there until this process ends. */
export async function compile(root) {
  const out = mkdtempSync(join(root, 'node_modules/.tests-'))
  process.on('exit', () => rmSync(out, { recursive: true, force: true }))
  const compiled = (file) => join(out, named(relative(root, file)))
  // for scripts that tests start (support/script.ts)
  process.env.TEST_COMPILED = out
  const files = CODE.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile() && /\.(tsx?|mjs|css)$/.test(entry.name))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .filter((file) => !relative(root, file).includes('node_modules')),
  )
  for (const folder of new Set(files.map((file) => dirname(compiled(file))))) mkdirSync(folder, { recursive: true })
  await Promise.all(files.map((file) => compileOne(file, compiled(file), out)))
  stop()
  writeFileSync(join(out, 'package.json'), '{"type":"module"}')
  for (const path of LINKED) symlinkSync(join(root, path), join(out, path))
  return compiled
}

/** also of a path in an import; `mark.ts` and `mark.tsx` are two */
function named(file) {
  if (file.endsWith('.mjs')) return file
  return file.endsWith('.ts') ? file.replace(/ts$/, 'js') : `${file}.js`
}

const LOADERS = { '.ts': 'ts', '.tsx': 'tsx', '.mjs': 'js' }

async function compileOne(file, to, out) {
  if (file.endsWith('.css')) return writeFileSync(to, NO_CLASSES)
  const text = readFileSync(file, 'utf8')
  const place = {
    'import.meta.url': JSON.stringify(pathToFileURL(file).href),
    'import.meta.dirname': JSON.stringify(dirname(file)),
  }
  const { code } = await transform(text, {
    loader: LOADERS[extname(file)],
    jsx: 'automatic',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    sourcefile: file,
    define: STARTS_THREADS.test(file) ? {} : place,
  })
  writeFileSync(
    to,
    code
      .replace(IMPORT, (_, before, path) => before + named(path))
      .replace(WORKSPACE, (_, before, name, path) => `${before}${out}/packages/${name}/src/${named(path)}`),
  )
}
