import { existsSync, renameSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { EXIT, OperatorError } from '../base/errors.ts'
import { type HeldDataDir, holdDataDir } from '../base/lock.ts'
import { environment } from '../config/environment.ts'
import { readOptions } from '../config/options.ts'
import { openSegmentLog } from '../log/segments/segment-log.ts'
import type { VerifiedLog } from '../log/segments/verify.ts'
import { openNode } from '../service/node.ts'
import { DamagedState } from '../store/damage.ts'
import { setStateAside } from '../store/damaged-states.ts'
import { logDir, openStoreToRead, stateFile } from '../store/open.ts'
import { type Verified, type VerifyProgress, verifyDataDir } from '../store/verify.ts'
import type { Given, Run } from './definition.ts'
import type { Io } from './io.ts'

export const verify: Run = async (given, io) => {
  const { dataDir } = readOptions(environment())
  if (!existsSync(logDir(dataDir)) && !existsSync(stateFile(dataDir))) {
    throw new OperatorError(`${dataDir} has neither log nor state: DATA_DIR names the service's data directory`)
  }
  if (!given.has('repair')) {
    const found = await look(dataDir, io)
    report(found, given, io)
    return found.sound ? 0 : EXIT.badFile
  }
  // held from verification to the end, so that the repair matches the findings
  const lock = await holdDataDir(dataDir)
  try {
    const found = await look(dataDir, io)
    report(found, given, io)
    if (found.sound) return 0
    const repaired = await repair(dataDir, found, lock, io)
    // with --json only the findings are the result
    if (given.has('json')) io.note(repaired.trimEnd())
    else io.result(repaired)
    return 0
  } finally {
    await lock.release()
  }
}

/** The findings; `problem` is null if there is none. */
interface Findings {
  readonly sound: boolean
  readonly log: Pick<VerifiedLog, 'id' | 'entries' | 'whole' | 'segments'>
  readonly state: { readonly seq: number | null; readonly problem: string | null }
}

/** milliseconds, longer than a starting service needs to create, move or truncate a file */
const SECOND_LOOK_MS = 1_000

/**
 * Verifies twice if needed: a service starting at the same time creates, moves and truncates files, so damage counts
 * only if it is still there a moment later.
 */
async function look(dataDir: string, io: Io): Promise<Findings> {
  const first = await verifyOnce(dataDir, io)
  if (first.sound) return findings(first)
  await sleep(SECOND_LOOK_MS)
  return findings(await verifyOnce(dataDir, io))
}

async function verifyOnce(dataDir: string, io: Io): Promise<Verified> {
  const bar = io.progress('verify')
  const pause = ({ what, done, of }: VerifyProgress): void => {
    const share = done / Math.max(of, 1) / 2
    if (what === 'state') bar.update(share, () => `state: ${done} of about ${of} records`)
    else bar.update(0.5 + share, () => `log: ${Math.ceil(done / 1e6)} of ${Math.ceil(of / 1e6)} MB`)
  }
  const verified = await verifyDataDir(dataDir, { pause })
  bar.done()
  return verified
}

const findings = ({ sound, log, state, lost }: Verified): Findings => ({
  sound,
  log: { ...log, whole: log.whole && !lost },
  state: { seq: state.seq, problem: state.problem?.message ?? null },
})

function report(found: Findings, given: Given, io: Io): void {
  io.result(given.has('json') ? `${JSON.stringify(found, null, 2)}\n` : inWords(found))
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

function repair(dataDir: string, { log, state }: Findings, lock: HeldDataDir, io: Io): Promise<string> {
  if (!log.whole && state.problem !== null) {
    throw new OperatorError(
      `${dataDir}: log and state are both damaged, so neither can be made from the other. Restore the newest checkpoint into ` +
        'an empty DATA_DIR (`checkpoint restore FILE`, `checkpoint fetch`)',
      { exitCode: EXIT.badFile },
    )
  }
  return log.whole ? foldAgain(dataDir, state.problem ?? '', lock, io) : beginLog(dataDir)
}

async function foldAgain(dataDir: string, why: string, lock: HeldDataDir, io: Io): Promise<string> {
  const said = existsSync(stateFile(dataDir)) ? `set aside: ${setStateAside(dataDir, why, Date.now())}\n` : ''
  const bar = io.progress('fold')
  io.leaves(dataDir, 'the next start folds the rest')
  const node = await openNode(dataDir, {
    lock,
    signal: io.signal,
    onPreparation: ({ done, of }) => bar.update(done / of, () => `entry ${done} of ${of}`),
  })
  bar.done()
  const { seq } = node.engine.globals
  await node.close()
  return `${said}repaired: the state was folded again up to entry ${seq}\n`
}

/** Begins a new log after the intact state. */
async function beginLog(dataDir: string): Promise<string> {
  try {
    const store = openStoreToRead(dataDir)
    const { seq, chain } = store.position()
    const { log: id } = store.identity
    await store.close()
    const aside = `${logDir(dataDir)}-damaged-${new Date().toISOString().replaceAll(':', '-')}`
    renameSync(logDir(dataDir), aside)
    openSegmentLog(logDir(dataDir), { begin: { id, seq: seq + 1, chain } }).close()
    return (
      `set aside: ${aside}\nrepaired: the log goes on behind entry ${seq}. Make a checkpoint now: this state cannot be folded ` +
      'again from this log\n'
    )
  } catch (error) {
    if (error instanceof DamagedState) throw new OperatorError(error.message, { exitCode: EXIT.badFile, cause: error })
    throw error
  }
}
