import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { DamagedState, markDamaged } from './damage.ts'
import { stateFile } from './open.ts'
import type { FromScrub, ScrubThreadData } from './scrubber.ts'
import { verifyDataDir } from './verify.ts'

/** Verifies the data directory again and again until it is told to stop. */
const port = parentPort!
const { dataDir, formulasVersion, pace } = workerData as ScrubThreadData
const stop = new AbortController()
port.once('message', () => stop.abort())
const tell = (message: FromScrub): void => port.postMessage(message)

/** Rests after work, so that both together have the share. */
function createBrake(): () => Promise<void> {
  let workingSince = performance.now()
  return async () => {
    const workedMs = performance.now() - workingSince
    await sleep(workedMs / pace.share - workedMs, undefined, stop)
    workingSince = performance.now()
  }
}

async function pass(): Promise<void> {
  try {
    const { log, state, lost } = await verifyDataDir(dataDir, { formulasVersion, pause: createBrake() })
    if (state.problem instanceof DamagedState) {
      markDamaged(stateFile(dataDir), state.problem)
      return tell({ kind: 'damaged', what: state.problem.what })
    }
    if (state.problem !== null) return tell({ kind: 'failed', message: state.problem.message })
    const damage = log.segments.flatMap(({ name, state, seq, what }) =>
      state === 'ok' || state === 'torn'
        ? []
        : [`${name}: ${state}${seq === undefined ? '' : ` at entry ${seq}`}, ${what}`],
    )
    if (lost) damage.push(`it ends before entry ${state.seq}, which the state has folded`)
    const logBytes = log.segments.reduce((sum, { bytes }) => sum + bytes, 0)
    tell({ kind: 'pass', pass: { endedMs: Date.now(), records: state.records, logBytes, damage } })
  } catch (error) {
    if (!stop.signal.aborted) tell({ kind: 'failed', message: (error as Error).message })
  }
}

for (let pauseMs = pace.firstMs; !stop.signal.aborted; pauseMs = pace.pauseMs) {
  await sleep(pauseMs, undefined, stop).catch(() => {})
  if (!stop.signal.aborted) await pass()
}
port.close()
