// The slowest files of a run of the tests, for whoever wants to make it shorter.
import { existsSync, readFileSync } from 'node:fs'

const SHOWN = 15

/** Prints the files that took most, of the lines timed.mjs wrote to `path`; processors include what the files started. */
export function printSlowest(path) {
  if (!existsSync(path)) return
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const files = lines.map((line) => {
    const { file, wallS, ownS, childrenS } = JSON.parse(line)
    return { file: nameOf(file), wallS, cpuS: ownS + childrenS }
  })
  const sum = files.reduce((total, { cpuS }) => total + cpuS, 0)
  console.log(`\nslowest of ${files.length} files, ${Math.round(sum)} s of processors in all (wall, processor)`)
  const slowest = files.sort((a, b) => b.wallS - a.wallS).slice(0, SHOWN)
  for (const { file, wallS, cpuS } of slowest) console.log(`${seconds(wallS)} ${seconds(cpuS)}  ${file}`)
}

/** of a compiled file, from the root of the project */
const nameOf = (file) => file.replace(/^.*\/node_modules\/\.tests-[^/]+\//, '').replace(/js$/, 'ts')

const seconds = (value) => `${value.toFixed(1).padStart(6)} s`
