// Runs test files one after the other, each as a suite with its name, so that their hooks and failures stay theirs. Several
// processes share a list: each takes the next file that no other has taken. Starting a process and importing what is tested cost
// more than most tests do.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { after, describe } from 'node:test'

/**
 * Runs those files that no process has taken. A file's note is written when it is taken, and gets its times once it has ended; none
 * is taken after `untilMs`. The modules `first` are loaded outside of any suite: their hooks belong to the process.
 */
export async function work({ files, untilMs, env, first }) {
  process.setSourceMapsEnabled(true)
  Object.assign(process.env, env)
  for (const path of first) await import(path)
  // the first file pays for the start of the process
  let before = { wallS: 0, cpuS: 0 }
  for (const { name, path, note } of files) {
    if (Date.now() > untilMs || !isTaken(note)) continue
    await new Promise((done) => {
      describe(name, async () => {
        try {
          await import(path)
        } finally {
          // runs behind those of the file
          after(done)
        }
      })
    })
    const now = taken()
    writeFileSync(note, JSON.stringify({ wallS: now.wallS - before.wallS, cpuS: now.cpuS - before.cpuS }))
    before = now
  }
}

/** Takes a file for this process; false where another one has it. */
function isTaken(note) {
  try {
    closeSync(openSync(note, 'wx'))
    return true
  } catch {
    return false
  }
}

/** Fields of /proc/self/stat behind the program's name: user and system time of children that have ended. */
const CHILDREN = [13, 14]
/** Clock ticks a second in /proc. */
const TICKS = 100

/** Seconds since this process began, by the clock and of processors with those of its children. */
function taken() {
  const { user, system } = process.cpuUsage()
  return { wallS: performance.now() / 1000, cpuS: (user + system) / 1e6 + childrenSeconds() }
}

/** Zero where there is no /proc. */
function childrenSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return CHILDREN.reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS
  } catch {
    return 0
  }
}
