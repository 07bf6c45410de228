import { type ChildProcess, fork } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { buildRecorder, recording } from '../power/journal.ts'
import type { Task } from './child.ts'
import { DAMAGES } from './damages.ts'
import type { Outcome, Verdict } from './probe.ts'

export interface Damaged extends Verdict {
  readonly no: number
  readonly kind: string
  readonly seed: number
  /** what was done to which bytes */
  readonly done: string
  readonly ms: number
}

/** milliseconds after which a damaged directory counts as one that hangs the process */
const HANGS_MS = 300_000
/** changes to files of a whole run without a fault: a disk fails at one of them */
const DISK_CHANGES = 150
/** nobody: whoever is root may read and write everything */
const USER = 65_534

const CHILD = join(import.meta.dirname, 'child.ts')
const EXEC = ['--import', 'tsx']

type Answer = Omit<Verdict, never> & { readonly done: string }

/** Does damages `from`..`to` of a seed, one after the other in one process, which is started again when one ends it. */
export async function runDamages(
  base: string,
  { seed, from, to, tell }: { seed: number; from: number; to: number; tell: (one: Damaged) => void },
): Promise<void> {
  const built = buildRecorder(base)
  const child = createChild(base)
  try {
    for (let no = from; no < to; no++) {
      const kind = no % DAMAGES.length
      const damage = DAMAGES[kind]!
      const task: Task = { kind, seed: (seed * 100_003 + no) >>> 0, dir: join(base, `damaged-${no}`) }
      const started = performance.now()
      const answer = await one(damage.when, task)
      if (answer === null) continue
      tell({ no, kind: damage.kind, seed: task.seed, ...answer, ms: Math.round(performance.now() - started) })
    }
  } finally {
    child.end()
  }

  async function one(when: string, task: Task): Promise<Answer | null> {
    if (when !== 'full disk') {
      const user = DAMAGES[task.kind]!.needsUser === true && process.getuid!() === 0 ? { user: USER } : {}
      return child.ask({ ...task, ...user })
    }
    if ('reason' in built) return null
    const { done, fault } = await failDisk(built.library, base, task)
    if (fault !== null) return { outcome: 'crash', what: fault, done }
    const answer = await child.ask({ ...task, prepared: true })
    return { ...answer, done }
  }
}

/** A process that feeds a directory whose disk takes no more changes from some moment on. */
async function failDisk(
  library: string,
  base: string,
  { dir, seed, kind }: Task,
): Promise<{ done: string; fault: string | null }> {
  cpSync(join(base, 'whole'), dir, { recursive: true })
  const at = 1 + (seed % DISK_CHANGES)
  const errno = DAMAGES[kind]!.kind === 'the disk is full' ? constants.errno.ENOSPC : constants.errno.EIO
  const env = { ...process.env, ...recording(library, dir, `${dir}.journal`, { at, errno }) }
  const child = fork(CHILD, ['--feed', dir], { execArgv: EXEC, env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  let said: { newest: number; how: string; what?: string } | null = null
  let words = ''
  child.stderr!.on('data', (text) => (words += text))
  child.on('message', (message) => (said = message as typeof said))
  const how = await ended(child)
  const done = `change ${at} and all behind it failed with ${errno}`
  const answer = said as { newest: number; how: string; what?: string } | null
  if (answer === null) return { done, fault: `it ended with ${how}: ${words.slice(-2_000)}` }
  return {
    done: `${done}; ${answer.how} at ${answer.newest}: ${answer.what ?? ''}`,
    fault: answer.how === 'crash' ? answer.what! : null,
  }
}

const ended = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    const late = setTimeout(() => child.kill('SIGKILL'), HANGS_MS)
    child.once('close', (code, signal) => {
      clearTimeout(late)
      resolve(signal ?? `code ${code}`)
    })
  })

function createChild(base: string) {
  let child: ChildProcess | null = null
  let words = ''
  const start = (): ChildProcess => {
    const made = fork(CHILD, [base], { execArgv: EXEC, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    words = ''
    made.stderr!.on('data', (text) => (words = (words + text).slice(-4_000)))
    return made
  }
  return {
    ask(task: Task): Promise<Answer> {
      child ??= start()
      const asked = child
      return new Promise((resolve) => {
        const late = setTimeout(() => asked.kill('SIGKILL'), HANGS_MS)
        const crashed = (code: number | null, signal: string | null): void => {
          clearTimeout(late)
          child = null
          resolve({
            outcome: 'crash',
            what: `it ended with ${signal ?? `code ${code}`}: ${words}`,
            done: 'see the seed',
          })
        }
        asked.once('close', crashed)
        asked.once('message', (answer) => {
          clearTimeout(late)
          asked.off('close', crashed)
          resolve(answer as Answer)
        })
        asked.send(task)
      })
    },
    end: () => child?.kill('SIGKILL'),
  }
}

/** Kind × outcome. */
export function tableOf(all: readonly Damaged[]): Map<string, Record<Outcome, number>> {
  const table = new Map<string, Record<Outcome, number>>()
  for (const { kind, outcome } of all) {
    const row = table.get(kind) ?? { harmless: 0, healed: 0, refused: 0, wrong: 0, crash: 0 }
    row[outcome]++
    table.set(kind, row)
  }
  return table
}

/** The table of all, for `reports/soak`. */
export function markdownOf(all: readonly Damaged[], settings: string): string {
  const table = tableOf(all)
  const columns = ['harmless', 'healed', 'refused', 'wrong', 'crash'] as const
  const row = (name: string, counts: Record<Outcome, number>): string =>
    `| ${name} | ${columns.map((column) => counts[column]).join(' | ')} |`
  const sum = { harmless: 0, healed: 0, refused: 0, wrong: 0, crash: 0 }
  for (const { outcome } of all) sum[outcome]++
  return [
    `# ${all.length} damages of a data directory`,
    '',
    `\`${settings} node --import tsx --test test/simulation/store-damage.slow.test.ts\`, Node ${process.version}`,
    '',
    'Each directory is damaged, opened as the service opens it, asked some 300 questions, folded on for 20 entries and compared',
    'with an undamaged twin, by answers and by state hash. `harmless`: equal at once; `healed`: it folded again, or on, by itself;',
    '`refused`: with a sentence, equal once what it names was put back, and nothing of the log was changed; `wrong`: another',
    'answer; `crash`: anything else.',
    '',
    `| damage | ${columns.join(' | ')} |`,
    '|---|---|---|---|---|---|',
    ...[...table].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, counts]) => row(kind, counts)),
    row('all', sum),
    '',
  ].join('\n')
}

/** Where the directories are: in memory where the machine has that. */
export const roomFor = (): string => (existsSync('/dev/shm') ? '/dev/shm' : (process.env.TMPDIR ?? '/tmp'))
