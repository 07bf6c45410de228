// Loaded into the process of every test file: notes what it took of the clock and of processors when it ends, with the processes
// it started and waited for, as one line of JSON in the file TEST_TIMES names.
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
if (path !== undefined && isMainThread && isTest) {
  process.on('exit', () => {
    const { user, system } = process.cpuUsage()
    const took = {
      file,
      wallS: performance.now() / 1000,
      ownS: (user + system) / 1e6,
      childrenS: childrenSeconds(),
    }
    appendFileSync(path, `${JSON.stringify(took)}\n`)
  })
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
