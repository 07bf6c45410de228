// Runs every test file with node:test through tsx. An explicit list, because Node 20 finds nothing by itself and calls
// that a success; no file, or no test in the files, is a failure.
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const root = new URL('..', import.meta.url).pathname
const find = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
const wanted = process.argv.slice(2)
const files = [...find('src'), ...find('test')].filter((file) => wanted.every((word) => file.includes(word))).sort()
if (files.length === 0) {
  console.error(`no test file${wanted.length > 0 ? ` matches ${wanted.join(' ')}` : ' found'}`)
  process.exit(1)
}

// tests that need processes run the program as it is built
const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
if (built.status !== 0) process.exit(1)

const args = ['--import', 'tsx', '--test', '--test-reporter=spec', '--test-concurrency=2', ...files]
const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
let tail = ''
child.stdout.on('data', (chunk) => {
  process.stdout.write(chunk)
  tail = (tail + chunk).slice(-100_000)
})
child.on('close', (code) => {
  const total = (name) => Number(tail.match(new RegExp(`^. ${name} (\\d+)$`, 'm'))?.[1] ?? 0)
  const [passed, failed, skipped] = ['pass', 'fail', 'skipped'].map(total)
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  process.exit(code !== 0 || failed > 0 ? 1 : passed === 0 ? 1 : 0)
})
