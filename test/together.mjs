// Several test files in one process: for most of them starting it, loading what they test and waking the embedded database costs
// more than their tests. They run one after the other, each as a suite with its name, so that their hooks and failures stay theirs.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { reaches, suiteOf } from './suites.mjs'
import { clockOf } from './timed.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
/** so that no process is long alone at the end */
const FILES = 16
/**
 * What a process has once: a file that replaces it has its process for itself, as has one that listens to all of it. What `t.mock`
 * replaces is back when its test ends.
 */
const PROCESS_WIDE =
  /(?<!\bt\.)\bmock\.|\bglobalThis\b|\bconsole\.\w+ = |\bassign\(process\.env\b|\bprocess\.env\.\w+ = |\bprocess\.on\(/
/** its `after` closes the database that the files share, and belongs to the process */
const DATABASE = 'test/support/database.ts'

/** Quick files in lists that share a process, neighbours with neighbours; every other file alone, and those that `isLong` names. */
export function groups(files, atOnce, isLong) {
  const isShared = (file) =>
    suiteOf(file) === 'quick' && !isLong(file) && !PROCESS_WIDE.test(readFileSync(join(root, file), 'utf8'))
  const shared = files.filter(isShared)
  const size = Math.max(1, Math.min(FILES, Math.ceil(shared.length / atOnce)))
  const lists = []
  for (let i = 0; i < shared.length; i += size) lists.push(shared.slice(i, i + size))
  return [...lists, ...files.filter((file) => !isShared(file)).map((file) => [file])]
}

/** What the process of these files runs; a script is written for those that share one. */
export function scriptOf(files, compiled) {
  if (files.length === 1) return compiled(join(root, files[0]))
  const list = files.map((name) => ({ name, path: compiled(join(root, name)) }))
  const first = files.some((file) => reaches(file, DATABASE)) ? [compiled(join(root, DATABASE))] : []
  const script = compiled(join(root, `together-${files[0].replaceAll('/', '-')}.mjs`))
  const call = `await runTogether(${JSON.stringify(list)}, ${JSON.stringify(first)})`
  writeFileSync(script, `import { runTogether } from ${JSON.stringify(import.meta.url)}\n${call}\n`)
  return script
}

/** In the process: the files' tests; `first` is loaded outside of any of them. */
export async function runTogether(files, first) {
  for (const path of first) await import(path)
  for (const [i, { name, path }] of files.entries()) {
    // what the process took to start is the first one's
    const ended = clockOf(path, i === 0)
    await new Promise((done) => {
      describe(name, async () => {
        try {
          await import(path)
        } finally {
          // behind those of the file
          after(done)
        }
      })
    })
    ended()
  }
}
