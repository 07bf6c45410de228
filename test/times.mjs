// The end of a run of the tests: the slowest files, for whoever wants to make it shorter, and what failed, once more and by name.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

const SHOWN = 15

/** The files that have ended and what they took, of the lines timed.mjs wrote to `path`; processors include what they started. */
export function ended(path) {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  return lines.map((line) => {
    const { file, wallS, ownS, childrenS } = JSON.parse(line)
    return { file: nameOf(file), wallS, cpuS: ownS + childrenS }
  })
}

/** Prints the files that took most. */
export function printSlowest(path) {
  const files = ended(path)
  if (files.length === 0) return
  const sum = files.reduce((total, { cpuS }) => total + cpuS, 0)
  console.log(`\nslowest of ${files.length} files, ${Math.round(sum)} s of processors in all (wall, processor)`)
  const slowest = files.sort((a, b) => b.wallS - a.wallS).slice(0, SHOWN)
  for (const { file, wallS, cpuS } of slowest) console.log(`${seconds(wallS)} ${seconds(cpuS)}  ${file}`)
}

/** characters of a message that are printed */
const MESSAGE_CHARS = 400

/** Prints what failed, of the lines in-order.mjs wrote to `path`. */
export function printFailures(path) {
  if (!existsSync(path)) return
  for (const line of readFileSync(path, 'utf8').trim().split('\n')) {
    const { file, name, message } = JSON.parse(line)
    console.log(`failed: ${nameOf(file)}: ${name}: ${message.slice(0, MESSAGE_CHARS).replaceAll(/\s+/g, ' ')}`)
  }
}

/** of a compiled file, from the root of the project */
const nameOf = (file) =>
  file
    .replace(/^.*\/node_modules\/\.tests-[^/]+\//, '')
    .replace(root, '')
    .replace(/\.js$/, '.ts')

const seconds = (value) => `${value.toFixed(1).padStart(6)} s`
