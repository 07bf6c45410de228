// Installs the parts that have a lockfile of their own, if it differs from the one installed last: the reference
// page, of which the build takes one file, and published data about the chain, which tests read. Runs as part of `npm
// ci`; scripts of these packages never run.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const PARTS = [
  { folder: 'packages/page/reference', isForTests: false },
  { folder: 'test/witnesses', isForTests: true },
]

const withoutTests = (process.env.npm_config_omit ?? '').split(/\s+/).includes('dev')
for (const { folder, isForTests } of PARTS) {
  const lock = join(root, folder, 'package-lock.json')
  if (!existsSync(lock) || (isForTests && withoutTests)) continue
  const hash = createHash('sha256').update(readFileSync(lock)).digest('hex')
  const stamp = join(root, folder, 'node_modules/.installed')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) continue
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: join(root, folder),
    stdio: ['ignore', process.stderr.fd, process.stderr.fd],
  })
  if (status !== 0) {
    process.stderr.write(`the packages of ${folder} could not be installed: try \`npm ci\` again\n`)
    process.exit(status ?? 1)
  }
  writeFileSync(stamp, hash)
}
