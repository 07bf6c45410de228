import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { DamagedState, markDamaged } from './damage.ts'
import { stateFile } from './open.ts'
import type { FromScrub, ScrubThreadData } from './scrubber.ts'
import { verifyDataDir } from './verify.ts'

/** Verifies the data directory once, or until it is stopped, and reports the result. */
const port = parentPort!
const { dataDir, share } = workerData as ScrubThreadData
const stop = new AbortController()
port.once('message', () => stop.abort())

/** Sleeps after work, to stay within the share. */
function createBrake(): () => Promise<void> {
  let workingSince = performance.now()
  return async () => {
    const workedMs = performance.now() - workingSince
    await sleep(workedMs / share - workedMs, undefined, stop)
    workingSince = performance.now()
  }
}

async function pass(): Promise<FromScrub> {
  const { log, state, lost } = await verifyDataDir(dataDir, { pause: createBrake() })
  const { problem, records, seq } = state
  if (problem instanceof DamagedState) {
    markDamaged(stateFile(dataDir), problem)
    return { kind: 'damaged', what: problem.what }
  }
  if (problem !== null) throw problem
  const damage = log.segments
    .filter(({ state }) => state !== 'ok' && state !== 'torn')
    .map(({ name, state, seq, what }) => `${name}: ${state}${seq === undefined ? '' : ` at entry ${seq}`}, ${what}`)
  if (lost) damage.push(`it ends before entry ${seq}, which the state has folded`)
  const logBytes = log.segments.reduce((sum, { bytes }) => sum + bytes, 0)
  return { kind: 'pass', pass: { endedMs: Date.now(), records, logBytes, damage } }
}

try {
  port.postMessage(await pass())
} catch (error) {
  if (!stop.signal.aborted) throw error
}
port.close()
