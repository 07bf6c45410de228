import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, OperatorError } from '../base/errors.ts'
import { syncDirectory } from '../base/sync-path.ts'
import { type LaterSegment, missingSegments, readLater, removeLater } from '../log/segments/missing-segments.ts'
import { type Checkpoint, writeFiles } from '../store/checkpoint.ts'
import { logDir } from '../store/open.ts'
import type { CheckpointStore } from './checkpoint-store.ts'

interface LaterOptions {
  readonly dataDir: string
  /** Segments fetched, and the number that were missing. */
  readonly progress?: (done: number, of: number) => void
  /** Called for a checkpoint that could not be read; the next one with the segment is tried. */
  readonly onBad: (error: Error) => void
}

/**
 * Fetches the older segments that a log still lacks, newest first, while the service uses it. Returns how many arrived.
 * A kill at any moment leaves only complete segments, and the next call continues. Throws an OperatorError if no
 * checkpoint has the next segment.
 */
export async function fetchMissingSegments(checkpointStore: CheckpointStore, options: LaterOptions): Promise<number> {
  const { dataDir, progress } = options
  const dir = logDir(dataDir)
  const partBytes = readLater(dir)?.partBytes
  if (partBytes === undefined) return 0
  const missing = missingSegments(dir)
  let done = 0
  for (const segment of [...missing].reverse()) {
    await fetchSegment(checkpointStore, segment, partBytes, options)
    progress?.(++done, missing.length)
  }
  removeLater(dir)
  return done
}

async function fetchSegment(
  checkpointStore: CheckpointStore,
  segment: LaterSegment,
  partBytes: number,
  { dataDir, onBad }: LaterOptions,
): Promise<void> {
  const name = `log/${segment.name}`
  const aside = join(dataDir, 'log-fetching')
  for (const { id, header } of await checkpointStore.list()) {
    if (!has(header, segment, partBytes)) continue
    rmSync(aside, { recursive: true, force: true })
    mkdirSync(logDir(aside), { recursive: true })
    try {
      await checkpointStore.read(id, (source) => writeFiles(source, aside, [name]))
      renameSync(join(aside, name), join(dataDir, name))
      syncDirectory(logDir(dataDir))
      return
    } catch (error) {
      onBad(error as Error)
    } finally {
      rmSync(aside, { recursive: true, force: true })
    }
  }
  throw new OperatorError(
    `${checkpointStore.name} no longer has a checkpoint with the segment ${segment.name}, which ${logDir(dataDir)} still lacks. The service ` +
      'continues without it; for a complete log, stop it, move DATA_DIR away and start with an empty one',
    { exitCode: EXIT.badFile },
  )
}

const has = ({ files, partBytes }: Checkpoint, segment: LaterSegment, bytes: number): boolean =>
  partBytes === bytes &&
  files.some(({ name, parts }) => name === `log/${segment.name}` && parts.join() === segment.parts.join())
