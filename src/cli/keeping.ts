import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { count, createCounts } from '../base/counts.ts'
import type { Logger } from '../base/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { LIMITS } from '../config/limits.ts'
import type { Options } from '../config/options.ts'

export interface Keeping {
  /** ends what is being made; what is left of it goes with a later one */
  close(): Promise<void>
}

/**
 * `checkpoint keep`, again and again beside the running service: in a process of its own and behind everything else, because
 * it reads, hashes and compresses the whole store.
 */
export function startKeeping({ checkpointHours }: Options, logger: Logger, metrics: Metrics): Keeping | null {
  if (checkpointHours === 0) return null
  const counts = createCounts()
  metrics.counts('ti_checkpoints_total', 'checkpoints made, not needed yet, and failed', 'outcome', counts)
  let running: ReturnType<typeof run> | null = null
  const keep = (): void => {
    if (running !== null) return
    running = run()
    void running.ended.then(({ code, said }) => {
      running = null
      if (closed) return
      count(counts, code !== 0 ? 'failed' : said === '' ? 'young' : 'made')
      if (code !== 0) logger.error({ code, said }, 'no checkpoint could be made')
      else if (said !== '') logger.info({ made: said }, 'made a checkpoint')
    })
  }
  let closed = false
  // looked at more often than it is made: whoever starts between two of them does not wait for a whole turn
  const timer = setInterval(keep, Math.max(1_000, (checkpointHours * 3_600_000) / LIMITS.checkpointLooks))
  timer.unref()
  return {
    async close() {
      closed = true
      clearInterval(timer)
      running?.stop()
      await running?.ended
    },
  }
}

function run() {
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, 'checkpoint', 'keep'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (chunk: Buffer): void => {
    said = (said + chunk).slice(-1_000)
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  child.on('spawn', () => setPriority(child.pid!, constants.priority.PRIORITY_LOW))
  const ended = new Promise<{ code: number | null; said: string }>((done) => {
    child.once('error', (error) => done({ code: null, said: error.message }))
    child.once('close', (code) => done({ code, said: said.trim() }))
  })
  return { ended, stop: () => child.kill('SIGTERM') }
}
