// Loaded into the process of every test file: notes what it took of the clock and of processors when it ends, with the processes
// it started and waited for, as one line of JSON in the file TEST_TIMES names. Of files that share a process together.mjs does so.
import { appendFileSync, readFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import { SUITES } from './suites.mjs'

/** clock ticks a second in /proc, on every Linux */
const TICKS = 100
/** places in /proc/self/stat behind the name of the program: user and system time of children */
const CHILDREN = [13, 14]

const path = process.env.TEST_TIMES
const file = process.argv[1] ?? ''
const isTest = SUITES.some(({ ending }) => file.endsWith(ending.replace('.ts', '.js')))
// not in the runner itself, nor in what tests start
if (isMainThread && isTest) process.on('exit', clockOf(file, true))

/** Counts for a file, from the start of the process or from now; what it answers is called when the file has ended. */
export function clockOf(file, fromStart) {
  const before = fromStart ? { wallS: 0, ownS: 0, childrenS: 0 } : taken()
  return () => {
    if (path === undefined) return
    const took = Object.entries(taken()).map(([name, value]) => [name, value - before[name]])
    appendFileSync(path, `${JSON.stringify({ file, ...Object.fromEntries(took) })}\n`)
  }
}

/** by this process until now */
function taken() {
  const { user, system } = process.cpuUsage()
  return { wallS: performance.now() / 1000, ownS: (user + system) / 1e6, childrenS: childrenSeconds() }
}

/** 0 where the system does not say */
function childrenSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return CHILDREN.reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS
  } catch {
    return 0
  }
}
