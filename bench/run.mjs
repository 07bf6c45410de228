// Installs the baselines on first use, builds the program and runs the benchmarks.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))
const run = (command, args, cwd) => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
if (!existsSync(`${here}node_modules`)) run('npm', ['ci', '--ignore-scripts'], here)
run('npm', ['run', '--silent', 'build'], root)
run(process.execPath, ['--expose-gc', '--import', 'tsx', 'bench/main.ts', ...process.argv.slice(2)], root)
