import { existsSync } from 'node:fs'
import { holdDataDir } from '../base/lock.ts'
import type { Logger } from '../base/log.ts'
import { fetchCheckpoint } from '../checkpoints/keep.ts'
import type { Options } from '../config/options.ts'
import type { Agreement } from '../log/jetstream/agreement.ts'
import type { LogStream } from '../log/jetstream/stream.ts'
import { DamagedState } from '../store/damage.ts'
import { OtherFold, openStoreToRead, stateFile } from '../store/open.ts'
import { openCheckpointStore } from './checkpoint-store.ts'

/** messages of an hour of mainnet: LOG_KEEP_HOURS is kept as a number of messages, so that a silent source empties nothing */
const LOG_MESSAGES_PER_HOUR = 9_000

type SharedLog = LogStream & Agreement

/** Opens the log that several nodes share. Null means this node has its own log. The client is only loaded for a shared one. */
export async function openLog({ logUrls, logKeepHours }: Options, signal: AbortSignal): Promise<SharedLog | null> {
  if (logUrls === null) return null
  const { openNatsStream } = await import('../log/jetstream/nats.ts')
  const keep = logKeepHours === null ? null : Math.ceil(logKeepHours * LOG_MESSAGES_PER_HOUR)
  return openNatsStream({ servers: logUrls, keep, signal })
}

/**
 * Begins with a checkpoint, if there is one, before the store is opened. It does so for a new node, for one that needs
 * entries deleted from the shared log, and for a state folded by another build. Remaining problems are reported when the log
 * is read.
 */
export async function beginFromCheckpoint(options: Options, stream: LogStream, logger: Logger): Promise<void> {
  const { dataDir, checkpoints } = options
  if (checkpoints === null) return
  const lock = await holdDataDir(dataDir)
  try {
    const isKept = async (seq: number): Promise<boolean> => !('behind' in (await stream.locate(seq)))
    const found = await newestIn(dataDir)
    // A damaged state is set aside and folded again when it is opened.
    if (found === 'damaged' || (typeof found === 'number' && found >= 0 && (await isKept(found)))) return
    const isOther = found === 'other fold'
    const seq = isOther ? -1 : found
    const checkpointStore = await openCheckpointStore(options)
    try {
      const onBad = (err: Error): void => logger.warn({ err }, 'a checkpoint cannot be used')
      const began = await fetchCheckpoint(checkpointStore, {
        dataDir,
        seq,
        ...(isOther && { replace: true }),
        isUsable: ({ seq }) => isKept(seq),
        logLater: true,
        onTry: ({ seq, bytes }) => logger.info({ from: checkpointStore.name, seq, bytes }, 'fetches a checkpoint'),
        onBad,
      })
      if (began === null) logger.info({ from: checkpointStore.name }, 'there is no checkpoint to begin with')
      else
        logger.info(
          { from: checkpointStore.name, seq: began.seq, slot: began.slot, instead_of: seq },
          'begins with a checkpoint',
        )
    } finally {
      await checkpointStore.close()
    }
  } finally {
    await lock.release()
  }
}

/** Returns the newest entry of the state, or -1 without a store or with an empty one. */
async function newestIn(dataDir: string): Promise<number | 'damaged' | 'other fold'> {
  if (!existsSync(stateFile(dataDir))) return -1
  try {
    const store = openStoreToRead(dataDir)
    try {
      return store.globals()?.seq ?? -1
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof DamagedState) return 'damaged'
    if (error instanceof OtherFold) return 'other fold'
    throw error
  }
}
