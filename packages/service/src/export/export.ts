import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EXIT, OperatorError } from '../base/errors.ts'
import { lockDataDir } from '../base/lock.ts'
import { openStoreToRead } from '../store/open.ts'
import { begin, globalsOf } from './begin.ts'
import { COPY, COPY_ASIDE, readDirectory, tidy, writeManifest } from './directory.ts'
import { LAUNCHES } from './launches.ts'
import type { Manifest } from './manifest.ts'
import { MONEY } from './money.ts'
import { createNames } from './names.ts'
import type { ExportNews } from './news.ts'
import { EXPORT } from './part.ts'
import { POSITIONS } from './positions.ts'
import { READINGS } from './readings.ts'
import { createTableWriter } from './table-writer.ts'
import { TRADES } from './trades.ts'
import { VERDICTS } from './verdicts.ts'
import { WALLETS } from './wallets.ts'

interface ExportOptions {
  readonly dataDir: string
  readonly out: string
  readonly bounds?: Readonly<typeof EXPORT>
  readonly onNews: (news: ExportNews) => void
}

/**
 * Writes the store of `dataDir` as Parquet files into `out`, as of one log entry, while a service may be writing it.
 * Continues an interrupted call, and adds new rows to a finished export. Throws an OperatorError on failure.
 */
export async function exportParquet(options: ExportOptions): Promise<{ manifest: Manifest; isNew: boolean }> {
  const { dataDir, out, bounds = EXPORT, onNews } = options
  // before anything of ours is put into a directory that is not ours
  readDirectory(out, bounds.manifestBytes)
  const lock = await lockDataDir(out).catch((error: unknown) => {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(`another process is writing ${out}: wait until it ends`, { exitCode: EXIT.dataDirBusy })
  })
  try {
    const finished = readDirectory(out, bounds.manifestBytes)
    if (existsSync(join(out, COPY))) onNews({ kind: 'going on' })
    else {
      const copying = (bytes: number): void => onNews({ kind: 'copying', bytes })
      const isNew = await begin({ dataDir, out, copying }, finished)
      if (!isNew) return { manifest: finished!, isNew }
    }
    return { manifest: await writeAll(options), isNew: true }
  } catch (error) {
    throw isDiskFull(error) ? diskFull(out, error) : error
  } finally {
    await lock.release()
  }
}

/** Writes from the copy what is not there yet, then the manifest. */
async function writeAll({ out, bounds = EXPORT, onNews }: ExportOptions): Promise<Manifest> {
  const copy = join(out, COPY)
  const store = openCopy(copy)
  let manifest: Manifest
  try {
    const source = { store, globals: globalsOf(store, copy) }
    const writer = createTableWriter({ out, source, names: createNames(store, bounds.names), bounds, onNews })
    writer.write(TRADES)
    writer.write(LAUNCHES)
    writer.write(WALLETS)
    writer.write(POSITIONS)
    writer.write(VERDICTS)
    writer.write(READINGS)
    writer.write(MONEY)
    manifest = writer.manifest()
  } finally {
    await store.close()
  }
  writeManifest(out, manifest)
  // renamed first, because a half-removed copy would look like one to continue
  renameSync(copy, join(out, COPY_ASIDE))
  rmSync(join(out, COPY_ASIDE), { recursive: true, force: true })
  tidy(out, manifest)
  return manifest
}

function openCopy(copy: string) {
  try {
    return openStoreToRead(copy)
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new OperatorError(
      `the interrupted export cannot continue: ${error.message}.\nRun the program that began it, or remove ${copy} to ` +
        'begin anew',
      { exitCode: EXIT.badFile, cause: error },
    )
  }
}

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (/^(ENOSPC|EDQUOT)$/.test(String('code' in error && error.code)) || /no space left/i.test(error.message))

const diskFull = (out: string, cause: unknown): OperatorError =>
  new OperatorError(`the disk of ${out} is full. Finished files stay: make room and run the same command to continue`, {
    cause,
  })
