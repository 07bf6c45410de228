import { join } from 'node:path'
import { missingSegments, readLater } from '../log/segments/missing-segments.ts'
import { type Checkpoint, makeCheckpoint, PART_BYTES, type Progress, restoreCheckpoint } from '../store/checkpoint.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { logDir } from '../store/open.ts'
import type { CheckpointStore } from './checkpoint-store.ts'

const RETENTION = {
  /** checkpoints kept: one that cannot be used leaves another */
  checkpoints: 2,
  /** milliseconds after which a checkpoint of another build is deleted: a month after an upgrade no operator goes back */
  othersMs: 30 * 86_400_000,
  /** milliseconds after which an incomplete checkpoint is deleted: making one takes minutes */
  incompleteMs: 86_400_000,
}

export interface KeepOptions {
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly nowMs: number
  /** No checkpoint is made while the newest one is younger. */
  readonly everyMs: number
  /** PART_BYTES by default. */
  readonly partBytes?: number
  readonly retention?: Readonly<typeof RETENTION>
}

/**
 * Adds a checkpoint of a data directory, which may be in use, and applies the retention. Returns null if the newest one
 * is young enough or the local log is incomplete.
 */
export async function keepCheckpoint(
  checkpointStore: CheckpointStore,
  options: KeepOptions,
): Promise<Checkpoint | null> {
  const { dataDir, nowMs, everyMs, partBytes = PART_BYTES, retention = RETENTION } = options
  if (missingSegments(logDir(dataDir)).length > 0) return null
  const before = await checkpointStore.list()
  const mine = before.filter(({ header }) => header.fingerprint === FOLD_FINGERPRINT)
  if (mine.some(({ header }) => nowMs - header.madeMs < everyMs)) return null
  const aside = join(dataDir, 'checkpoint-making')
  const made = await makeCheckpoint(dataDir, {
    nowMs,
    partBytes,
    aside,
    open: (header) => checkpointStore.add(header),
  })
  const others = before.filter(({ header }) => header.fingerprint !== FOLD_FINGERPRINT)
  const old = [
    ...mine.slice(retention.checkpoints - 1),
    ...others.filter(({ header }) => nowMs - header.madeMs > retention.othersMs),
  ]
  for (const { id } of old) await checkpointStore.remove(id)
  await checkpointStore.sweep(nowMs - retention.incompleteMs)
  return made
}

interface FetchOptions {
  readonly dataDir: string
  /** The newest entry of the existing state, -1 if none: older checkpoints are skipped. */
  readonly seq: number
  /** Replaces the directory's contents. By default, if there is an older state or the log lacks its beginning. */
  readonly replace?: boolean
  /** Returns false if the log cannot continue from the checkpoint. By default every one is usable. */
  readonly isUsable?: (header: Checkpoint) => Promise<boolean>
  /** Fetches only the newest segment of the log; `fetchMissingSegments` fetches the rest. */
  readonly logLater?: boolean
  /** Called before one is fetched. */
  readonly onTry?: (header: Checkpoint) => void
  readonly progress?: Progress
  /** Called for one that could not be used; the next older one is tried. */
  readonly onBad: (error: Error) => void
}

/** Creates a data directory, whose lock the caller holds, from the newest usable checkpoint; null without one. */
export async function fetchCheckpoint(
  checkpointStore: CheckpointStore,
  options: FetchOptions,
): Promise<Checkpoint | null> {
  const { dataDir, seq, logLater = false, progress, onTry, onBad, isUsable = async () => true } = options
  // a log without its beginning is useless once its state is gone
  const { replace = seq >= 0 || readLater(logDir(dataDir)) !== null } = options
  for (const { id, header } of await checkpointStore.list()) {
    if (header.fingerprint !== FOLD_FINGERPRINT || header.seq <= seq || !(await isUsable(header))) continue
    onTry?.(header)
    const into = { replace, logLater, ...(progress && { progress }) }
    try {
      await checkpointStore.read(id, (source) => restoreCheckpoint(source, dataDir, into))
      return header
    } catch (error) {
      onBad(error as Error)
    }
  }
  return null
}
