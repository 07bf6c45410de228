import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { count, createCounts } from '@ti/core/base/counts.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { createPoller } from '../base/poller.ts'
import type { Options } from '../config/options.ts'
import { missingSegments, readLater } from '../log/segments/missing-segments.ts'
import { logDir } from '../store/open.ts'

/** milliseconds between two tries to fetch the older part of a log from checkpoints: they are on the same network */
const LOG_LATER_RETRY_MS = 60_000
/** checks for a due checkpoint per CHECKPOINT_HOURS */
const CHECKPOINT_LOOKS = 6

interface BesideService {
  /** Kills the running child. A later one removes what is left of it. */
  close(): Promise<void>
}

/**
 * Runs `checkpoint keep` again and again beside the running service. It reads, hashes and compresses the whole store, so it has
 * its own process with the lowest priority.
 */
export function startCheckpoints({ checkpointHours }: Options, logger: Logger, metrics: Metrics): BesideService | null {
  if (checkpointHours === 0) return null
  const counts = createCounts(['made', 'young', 'failed'])
  metrics.counts('ti_checkpoints_total', 'checkpoints made, not needed yet, and failed', 'outcome', counts)
  let closed = false
  let stopProcess = (): unknown => null
  async function keep(): Promise<void> {
    const { ended, stop } = run('keep')
    stopProcess = stop
    const { code, said } = await ended
    if (closed) return
    count(counts, code !== 0 ? 'failed' : said === '' ? 'young' : 'made')
    if (code !== 0) logger.error({ code, said }, 'no checkpoint could be made')
    else if (said !== '') logger.info({ made: said }, 'made a checkpoint')
  }
  // checked more often than it is made, so that a start between two of them does not wait for a whole interval
  const everyMs = Math.max(1_000, (checkpointHours * 3_600_000) / CHECKPOINT_LOOKS)
  const poller = createPoller({ what: 'checkpoints', everyMs, run: keep })
  return {
    async close() {
      closed = true
      stopProcess()
      await poller.stop()
    },
  }
}

/**
 * Fetches older log segments that a node lacks because it began with the state of a checkpoint. It runs beside the service and
 * retries after a pause. Returns null if the log is whole.
 */
export function startFetchingSegments({ dataDir }: Options, logger: Logger, metrics: Metrics): BesideService | null {
  const dir = logDir(dataDir)
  metrics.gauge(
    'ti_log_segments_missing',
    'older segments of the log that are still to be fetched',
    [],
    () => missingSegments(dir).length,
  )
  if (readLater(dir) === null) return null
  const stop = new AbortController()
  const fetching = (async () => {
    while (!stop.signal.aborted) {
      logger.info({ missing: missingSegments(dir).length }, 'fetches older segments of the log')
      const { ended, stop: end } = run('later')
      stop.signal.addEventListener('abort', end, { once: true })
      const { code, said } = await ended
      stop.signal.removeEventListener('abort', end)
      if (code === 0) return logger.info({ said }, 'the log is whole')
      if (stop.signal.aborted) return
      logger.warn({ code, said }, 'older segments of the log could not be fetched')
      await setTimeout(LOG_LATER_RETRY_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  return {
    async close() {
      stop.abort()
      await fetching
    },
  }
}

function run(what: 'keep' | 'later') {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'checkpoint', what], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (chunk: Buffer): void => {
    said = (said + chunk).slice(-1_000)
  }
  // If the process runs out of descriptors, the child has no pipes and only the error arrives.
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  child.on('spawn', () => setPriority(child.pid!, constants.priority.PRIORITY_LOW))
  const ended = new Promise<{ code: number | null; said: string }>((done) => {
    child.once('error', (error) => done({ code: null, said: error.message }))
    child.once('close', (code) => done({ code, said: said.trim() }))
  })
  return { ended, stop: () => child.kill('SIGTERM') }
}
