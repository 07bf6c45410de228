import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { EXIT, OperatorError } from '../base/errors.ts'
import { LIMITS } from '../config/limits.ts'
import { openSegmentLog } from '../log/segments/segment-log.ts'
import { refuse } from './damage.ts'
import { logDir } from './open.ts'

/**
 * The last release kept log and state in one LMDB file. Its log is copied once into segments, from which the state is then
 * folded like any other; the file itself stays as it is, so that the last release can still be started on it.
 */
interface ConvertOptions {
  readonly onProgress?: (done: number, of: number) => void
  readonly signal?: AbortSignal | undefined
}

const OLD_FILE = 'data.mdb'
const OLD_FORMAT = 3

const isLastRelease = (dir: string): boolean => existsSync(join(dir, OLD_FILE)) && !existsSync(logDir(dir))

/** Does nothing if there is nothing to convert. Continues where it was interrupted. */
export async function convertLastRelease(dir: string, { onProgress, signal }: ConvertOptions = {}): Promise<void> {
  if (!isLastRelease(dir)) return
  const old = await openOldLog(dir)
  const aside = join(dir, 'log-converting')
  mkdirSync(aside, { recursive: true })
  const log = openSegmentLog(aside, { bounds: LIMITS })
  try {
    const last = old.newest()
    for (let next = log.newest() + 1; next <= last; ) {
      if (signal?.aborted) throw new OperatorError('interrupted: the next start continues the conversion')
      const entries = old.bytes(next, LIMITS.refoldEntries)
      if (entries.length === 0) throw refuse(join(dir, OLD_FILE), `its log ends at ${next - 1} and not at ${last}`)
      for (const bytes of entries) log.append(next++, bytes)
      log.sync()
      onProgress?.(next, last + 1)
      await setImmediate()
    }
  } finally {
    log.close()
    await old.close()
  }
  renameSync(aside, logDir(dir))
}

/** `create` is not in the package's types */
const EXISTING_META = { encoding: 'json', keyEncoding: 'ordered-binary', create: false } as const
const EXISTING_LOG = { encoding: 'binary', keyEncoding: 'uint32', create: false } as const

interface OldLog {
  newest(): number
  bytes(fromSeq: number, limit: number): Buffer[]
  close(): Promise<void>
}

/** Opened read-only, so a list of free pages that its library can no longer walk does not matter. */
async function openOldLog(dir: string): Promise<OldLog> {
  const path = join(dir, OLD_FILE)
  const { open } = await import('lmdb')
  const root = open({
    path: dir,
    noSubdir: false,
    overlappingSync: false,
    encoding: 'binary',
    maxDbs: 20,
    readOnly: true,
  })
  try {
    const meta = root.openDB('meta', EXISTING_META)
    const versions = meta?.get('versions') as { format?: unknown } | undefined
    if (versions?.format !== OLD_FORMAT) {
      throw new OperatorError(
        `${path} has format ${String(versions?.format)}: this program converts format ${OLD_FORMAT}, that of the last release. ` +
          'Start the release before this one on it first',
        { exitCode: EXIT.badFile },
      )
    }
    const log = root.openDB('log', EXISTING_LOG)
    return {
      newest() {
        for (const key of log.getKeys({ limit: 1, reverse: true, end: 0, inclusiveEnd: true })) return key as number
        return -1
      },
      bytes: (fromSeq, limit) =>
        Array.from(log.getRange({ start: fromSeq, limit }), ({ value }) => value as unknown as Buffer),
      close: () => root.close(),
    }
  } catch (error) {
    await root.close()
    throw error
  }
}
