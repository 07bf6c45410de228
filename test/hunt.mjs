// npm run test:hunt -- MINUTES [words]: properties and simulations with random seeds, one file after the other on each
// processor, until the time is over. Prints every seed; what fails is shown whole, with the line that pins it in regressions.mjs.
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { compile } from './compiled.mjs'
import { clock, inMemory, listOf, runScripts } from './processes.mjs'
import { reaches, testFiles } from './suites.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [time, ...words] = process.argv.slice(2)
const limitMs = Number(time) * 60_000
if (!(limitMs > 0)) {
  console.error('npm run test:hunt -- MINUTES [words]')
  process.exit(1)
}
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))

const { quick, slow } = testFiles(words)
// another seed changes what these do
const files = [...quick, ...slow].filter((file) => reaches(file, 'test/support/chance.ts'))
if (files.length === 0) {
  console.error('no such file takes chances')
  process.exit(1)
}
if (spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' }).status !== 0) process.exit(1)
const compiled = await compile(root)
const memory = inMemory()

const end = AbortSignal.timeout(limitMs)
const tally = { runs: 0, found: 0, cut: 0 }

async function tryOne(file) {
  const seed = randomInt(1, 2 ** 31)
  const said = []
  const { scripts } = listOf([file], { compiled, env: { ...memory, TEST_SEED: String(seed), TEST_DEPTH: '1' } })
  const start = performance.now()
  const { failures, passed } = await runScripts(scripts, 1, { say: (chunk) => said.push(chunk), signal: end })
  if (end.aborted) {
    tally.cut++
    return
  }
  tally.runs++
  const isFound = failures.length > 0 || passed === 0
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`seed ${seed} ${file} ${isFound ? 'FAILED' : 'passed'} in ${seconds} s`)
  if (!isFound) return
  tally.found++
  for (const chunk of said) process.stdout.write(chunk)
  console.log(`to pin it: { file: '${file}', seed: ${seed}, depth: 1, found: '…' }, in test/regressions.mjs`)
}

let next = randomInt(files.length)
async function hunter() {
  while (!end.aborted) await tryOne(files[next++ % files.length])
}
await Promise.all(Array.from({ length: availableParallelism() }, hunter))
const { runs, found, cut } = tally
console.log(
  `${runs} runs of ${files.length} files in ${clock(limitMs)} minutes, ${found} found something, ${cut} were cut off`,
)
process.exit(found > 0 ? 1 : 0)
