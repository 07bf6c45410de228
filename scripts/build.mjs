// Builds what changed since the last build: the server (dist, by the compiler's own memory), the fingerprint of what it folds
// (dist/fingerprint.txt), the page (dist/web), the empty
// database of accounts that a first start unpacks (dist/accounts), and the one file of the interface's reference page
// (dist/reference).
// A stamp holds name, size and time of every source of a part; where it is the same nothing is started. What the tools say goes
// to stderr: stdout belongs to the command that is run next.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')
const require = createRequire(import.meta.url)

const PARTS = [
  {
    name: 'server',
    sources: ['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
    made: 'dist/main.js',
    tool: ['typescript', 'tsc', '-p', 'tsconfig.build.json'],
    before: removeOrphans,
  },
  {
    name: 'fingerprint',
    sources: ['src', 'scripts/fingerprint.mjs', 'package-lock.json'],
    made: 'dist/fingerprint.txt',
    script: 'scripts/fingerprint.mjs',
  },
  {
    name: 'page',
    // it shows pages of the documentation
    sources: ['web', 'docs', 'package-lock.json'],
    isSource: (file) => !file.startsWith('docs') || file.endsWith('.md'),
    made: 'dist/web/index.html',
    tool: ['vite', 'vite', 'build', 'web', '--logLevel', 'warn'],
  },
  {
    name: 'accounts',
    sources: ['src/access/embedded', 'src/access/sql', 'scripts/accounts.mjs', 'package-lock.json'],
    made: 'dist/accounts',
    script: 'scripts/accounts.mjs',
  },
]

/** Every file under a path, with what tells that it has changed. */
function stampOf({ sources, isSource = () => true }) {
  const files = sources.flatMap((source) => {
    const path = join(root, source)
    return statSync(path).isDirectory() ? filesIn(path) : [path]
  })
  return files
    .map((file) => relative(root, file))
    .filter((file) => isSource(file) && !/\.test\.tsx?$/.test(file))
    .sort()
    .map((file) => {
      const { size, mtimeMs } = statSync(join(root, file))
      return `${file} ${size} ${mtimeMs}\n`
    })
    .join('')
}

const filesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))

/** What was compiled of a source that is gone would be packed and imported. */
function removeOrphans() {
  if (!existsSync(dist)) return
  for (const file of filesIn(dist)) {
    const path = relative(dist, file)
    const [, name] = /^(.*)\.js(?:\.map)?$/.exec(path) ?? []
    if (name === undefined || /^(web|reference|accounts)\//.test(path)) continue
    if (!existsSync(join(root, 'src', `${name}.ts`))) rmSync(file)
  }
}

/** Named by its version, so that the service need not look for the package. */
function copyReference() {
  const installed = join(root, 'web/reference/node_modules/@scalar/api-reference')
  if (!existsSync(installed)) {
    process.stderr.write('the reference page is not installed: run `npm ci`\n')
    process.exit(1)
  }
  const folder = join(dist, 'reference')
  const path = join(folder, `scalar-${require(join(installed, 'package.json')).version}.js`)
  if (existsSync(path)) return
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  copyFileSync(join(installed, 'dist/browser/standalone.js'), `${path}.new`)
  renameSync(`${path}.new`, path)
}

/** A package's command, as its package.json names it. */
function commandOf(name, command) {
  const manifest = join(root, 'node_modules', name, 'package.json')
  const { bin } = require(manifest)
  return join(root, 'node_modules', name, typeof bin === 'string' ? bin : bin[command])
}

const toolOf = ({ tool: [name, command, ...args] }) => [commandOf(name, command), ...args]

mkdirSync(dist, { recursive: true })
copyReference()
for (const part of PARTS) {
  const stampFile = join(dist, `.${part.name}-sources`)
  const stamp = stampOf(part)
  const isBuilt = existsSync(join(root, part.made)) && existsSync(stampFile)
  if (isBuilt && readFileSync(stampFile, 'utf8') === stamp) continue
  process.stderr.write(`building the ${part.name}\n`)
  rmSync(stampFile, { force: true })
  // the compiler does not write again what it remembers to have written
  if (part.name === 'server' && !existsSync(join(root, part.made))) rmSync(join(dist, '.tsbuildinfo'), { force: true })
  part.before?.()
  const { status } = spawnSync(process.execPath, part.script === undefined ? toolOf(part) : [part.script], {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  })
  if (status !== 0) process.exit(status ?? 1)
  // whole or not at all; of what was there before the build began, so that what changed since is built again
  writeFileSync(`${stampFile}.new`, stamp)
  renameSync(`${stampFile}.new`, stampFile)
}
