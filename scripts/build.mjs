// Builds what changed since the last build: the program (dist) and its page (dist/web); with the word `operator` also the program that
// operators install (packages/service/dist).
// A stamp holds name, size and time of every source of a part; where it is the same nothing is started. What the tools say goes
// to stderr: stdout belongs to the command that is run next.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const dist = join(root, 'dist')

const sourceOf = (...names) => names.map((name) => `packages/${name}/src`)
// pages of the documentation are served
const isSource = (file) => !file.startsWith('docs') || file.endsWith('.md')

const SERVER = {
  sources: [
    ...sourceOf('core', 'service', 'lab', 'sandbox'),
    ...['scripts/server.mjs', 'scripts/notices.mjs', 'scripts/fingerprint.mjs', 'docs', 'tsconfig.json'],
    ...['package-lock.json', 'packages/page/reference/package-lock.json'],
  ],
  isSource,
}
const PAGE = [
  ...['src', 'index.html', 'board-size.ts', 'compressed.ts', 'page-entries.ts', 'skeletons.tsx', 'vite.config.ts'].map(
    (name) => `packages/page/${name}`,
  ),
  ...[...sourceOf('core'), 'docs', 'package-lock.json'],
]
const PARTS = [
  { ...SERVER, name: 'server', made: 'dist/main.js', command: ['scripts/server.mjs'] },
  {
    name: 'page',
    sources: PAGE,
    isSource,
    made: 'dist/web/index.html',
    command: ['node_modules/vite/bin/vite.js', 'build', 'packages/page', '--logLevel', 'warn'],
  },
]
if (process.argv[2] === 'operator') {
  const sources = [...SERVER.sources, ...PAGE, 'README.md', 'LICENSE']
  PARTS.push({
    name: 'operator',
    sources,
    isSource,
    made: 'packages/service/dist/main.js',
    command: ['scripts/server.mjs', 'operator'],
  })
}

/** The paths of all source files, with what shows that they changed. */
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

mkdirSync(dist, { recursive: true })
for (const part of PARTS) {
  const stampFile = join(dist, `.${part.name}-sources`)
  const stamp = stampOf(part)
  const isBuilt = existsSync(join(root, part.made)) && existsSync(stampFile)
  if (isBuilt && readFileSync(stampFile, 'utf8') === stamp) continue
  process.stderr.write(`building the ${part.name}\n`)
  rmSync(stampFile, { force: true })
  const { status } = spawnSync(process.execPath, part.command, {
    cwd: root,
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  })
  if (status !== 0) process.exit(status ?? 1)
  // atomic; taken before the build, so that sources changed during it are built again
  writeFileSync(`${stampFile}.new`, stamp)
  renameSync(`${stampFile}.new`, stampFile)
}
