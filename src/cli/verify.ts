import { existsSync, renameSync } from 'node:fs'
import { EXIT, OperatorError } from '../base/errors.ts'
import { holdDataDir } from '../base/lock.ts'
import { environment } from '../config/environment.ts'
import { LIMITS } from '../config/limits.ts'
import { readOptions } from '../config/options.ts'
import { openSegmentLog } from '../log/segments/segment-log.ts'
import { type VerifiedLog, verifySegments } from '../log/segments/verify.ts'
import { openNode } from '../service/node.ts'
import { DamagedState } from '../store/damage.ts'
import { setStateAside } from '../store/damaged-states.ts'
import { logDir, openStoreToRead, stateFile } from '../store/open.ts'
import { verifyState } from '../store/verify.ts'
import type { Run } from './definition.ts'
import type { Io } from './io.ts'

export const verify: Run = async (given, io) => {
  const { dataDir } = readOptions(environment())
  const found = await look(dataDir, io)
  io.result(given.has('json') ? `${JSON.stringify(found, null, 2)}\n` : inWords(found))
  if (found.sound) return 0
  if (!given.has('repair')) return EXIT.badFile
  const repaired = await repair(dataDir, found, io)
  // with --json the findings alone are the result
  if (given.has('json')) io.note(repaired.trimEnd())
  else io.result(repaired)
  return 0
}

/** What was found; `problem` null: none. */
interface Findings {
  readonly sound: boolean
  readonly log: Pick<VerifiedLog, 'id' | 'entries' | 'whole' | 'segments'>
  readonly state: { readonly seq: number | null; readonly problem: string | null }
}

async function look(dataDir: string, io: Io): Promise<Findings> {
  if (!existsSync(logDir(dataDir)) && !existsSync(stateFile(dataDir))) {
    throw new OperatorError(`${dataDir} has neither log nor state: DATA_DIR names the service's data directory`)
  }
  const bar = io.progress('verify')
  const log = verifySegments(logDir(dataDir), LIMITS, (bytes, of) =>
    bar.update(bytes / Math.max(of, 1) / 2, () => `log: ${Math.ceil(bytes / 1e6)} of ${Math.ceil(of / 1e6)} MB`),
  )
  const state = await lookAtState(dataDir, (done, of) =>
    bar.update(0.5 + done / Math.max(of, 1) / 2, () => `state: ${done} of ${of} records`),
  )
  bar.done()
  const lost = state.seq !== null && log.whole && newestOf(log) < state.seq
  const whole = log.whole && !lost
  return { sound: whole && state.problem === null, log: { ...log, whole }, state }
}

/** First seq of the newest segment and its entries; what it is called says where it begins. */
function newestOf({ segments }: VerifiedLog): number {
  const last = segments.at(-1)
  return last === undefined ? -1 : Number(last.name.slice(0, -'.log'.length)) + last.entries - 1
}

async function lookAtState(dataDir: string, progress: (done: number, of: number) => void): Promise<Findings['state']> {
  if (!existsSync(stateFile(dataDir))) return { seq: null, problem: 'there is none' }
  try {
    const store = openStoreToRead(dataDir)
    try {
      verifyState(store, progress)
      return { seq: store.position().seq, problem: null }
    } finally {
      await store.close()
    }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    return { seq: null, problem: error.message }
  }
}

function inWords({ log, state }: Findings): string {
  const isLost = !log.whole && log.segments.every((one) => one.state === 'ok' || one.state === 'torn')
  const lines = log.segments
    .filter((one) => one.state !== 'ok')
    .map(({ name, state, seq, what }) => `  ${name}: ${state}${seq === undefined ? '' : ` at entry ${seq}`}, ${what}\n`)
  const logLine = `log    ${log.whole ? 'whole' : 'damaged'}, ${log.entries} entries in ${log.segments.length} segments\n`
  const stateLine = `state  ${state.problem === null ? `whole, up to entry ${state.seq}` : state.problem}\n`
  const lostLine = isLost ? `  it ends before entry ${state.seq}, which the state has folded\n` : ''
  return logLine + lines.join('') + lostLine + stateLine
}

async function repair(dataDir: string, { log, state }: Findings, io: Io): Promise<string> {
  if (!log.whole && state.problem !== null) {
    throw new OperatorError(
      `${dataDir}: log and state are both damaged, so neither can be made from the other. Restore the newest checkpoint into ` +
        'an empty DATA_DIR (`checkpoint restore FILE`, `checkpoint fetch`)',
      { exitCode: EXIT.badFile },
    )
  }
  return log.whole ? foldAgain(dataDir, state.problem ?? '', io) : beginLog(dataDir)
}

async function foldAgain(dataDir: string, why: string, io: Io): Promise<string> {
  const lock = await holdDataDir(dataDir)
  let said = ''
  try {
    if (existsSync(stateFile(dataDir))) said = `set aside: ${setStateAside(dataDir, why, Date.now())}\n`
  } finally {
    await lock.release()
  }
  const bar = io.progress('fold')
  io.leaves(dataDir, 'the next start folds the rest')
  const node = await openNode(dataDir, {
    signal: io.signal,
    onPreparation: ({ done, of }) => bar.update(done / of, () => `entry ${done} of ${of}`),
  })
  bar.done()
  const { seq } = node.engine.globals
  await node.close()
  return `${said}repaired: the state was folded again up to entry ${seq}\n`
}

/** The state is sound: what comes goes into a new log behind it. */
async function beginLog(dataDir: string): Promise<string> {
  const lock = await holdDataDir(dataDir)
  try {
    const store = openStoreToRead(dataDir)
    const { seq, chain } = store.position()
    const { log: id } = store.identity
    await store.close()
    const aside = `${logDir(dataDir)}-damaged-${new Date().toISOString().replaceAll(':', '-')}`
    renameSync(logDir(dataDir), aside)
    openSegmentLog(logDir(dataDir), { bounds: LIMITS, begin: { id, seq: seq + 1, chain } }).close()
    return (
      `set aside: ${aside}\nrepaired: the log goes on behind entry ${seq}. Make a checkpoint now: this state cannot be folded ` +
      'again from this log\n'
    )
  } catch (error) {
    if (error instanceof DamagedState) throw new OperatorError(error.message, { exitCode: EXIT.badFile, cause: error })
    throw error
  } finally {
    await lock.release()
  }
}
