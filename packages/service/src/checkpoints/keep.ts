import { join } from 'node:path'
import { missingSegments, readLater } from '../log/segments/missing-segments.ts'
import {
  type Checkpoint,
  type CheckpointBounds,
  makeCheckpoint,
  type Progress,
  restoreCheckpoint,
} from '../store/checkpoint.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { logDir } from '../store/open.ts'
import type { CheckpointStore } from './checkpoint-store.ts'

/** The limits of the same names in LIMITS. */
type KeepBounds = CheckpointBounds &
  Readonly<Record<'checkpointsKept' | 'checkpointOthersMs' | 'checkpointHalfMs', number>>

export interface KeepOptions {
  readonly dataDir: string
  /** Unix milliseconds. */
  readonly nowMs: number
  /** No checkpoint is made while the newest one is younger. */
  readonly everyMs: number
  readonly bounds: KeepBounds
}

/**
 * Adds a checkpoint of a data directory, which may be in use, and applies the retention. Returns null if the newest one
 * is young enough or the local log is incomplete.
 */
export async function keepCheckpoint(
  checkpointStore: CheckpointStore,
  options: KeepOptions,
): Promise<Checkpoint | null> {
  const { dataDir, nowMs, everyMs, bounds } = options
  if (missingSegments(logDir(dataDir)).length > 0) return null
  const before = await checkpointStore.list()
  const mine = before.filter(({ header }) => header.fingerprint === FOLD_FINGERPRINT)
  if (mine.some(({ header }) => nowMs - header.madeMs < everyMs)) return null
  const aside = join(dataDir, 'checkpoint-making')
  const made = await makeCheckpoint(dataDir, {
    nowMs,
    bounds,
    aside,
    open: (header) => checkpointStore.add(header),
  })
  const others = before.filter(({ header }) => header.fingerprint !== FOLD_FINGERPRINT)
  const old = [
    ...mine.slice(bounds.checkpointsKept - 1),
    ...others.filter(({ header }) => nowMs - header.madeMs > bounds.checkpointOthersMs),
  ]
  for (const { id } of old) await checkpointStore.remove(id)
  await checkpointStore.sweep(nowMs - bounds.checkpointHalfMs)
  return made
}

interface FetchOptions {
  readonly dataDir: string
  /** The newest entry of the existing state, -1 if none: older checkpoints are skipped. */
  readonly seq: number
  readonly bounds: CheckpointBounds
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
  const { dataDir, seq, bounds, logLater = false, progress, onTry, onBad, isUsable = async () => true } = options
  // a log without its beginning is useless once its state is gone
  const { replace = seq >= 0 || readLater(logDir(dataDir)) !== null } = options
  for (const { id, header } of await checkpointStore.list()) {
    if (header.fingerprint !== FOLD_FINGERPRINT || header.seq <= seq || !(await isUsable(header))) continue
    onTry?.(header)
    const into = { bounds, replace, logLater, ...(progress && { progress }) }
    try {
      await checkpointStore.read(id, (source) => restoreCheckpoint(source, dataDir, into))
      return header
    } catch (error) {
      onBad(error as Error)
    }
  }
  return null
}
