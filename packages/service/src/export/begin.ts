import { createHash } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { sigToBase58 } from '@ti/core/base/base58.ts'
import { isoMicrosOrNull } from '@ti/core/base/time.ts'
import { FORMULAS_VERSION } from '@ti/core/engine/constants.ts'
import type { Globals } from '@ti/core/model/state.ts'
import { OperatorError } from '../base/errors.ts'
import { syncFile } from '../base/sync-path.ts'
import { copyState } from '../store/copy.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { openStoreToRead, stateFile } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { COPY, COPY_ASIDE, DRAFT, moveInto, replaceFile, tidy } from './directory.ts'
import { type Draft, EXPORT_FORMAT, emptyParts, forEachTable, type Manifest } from './manifest.ts'
import { START } from './table.ts'

interface BeginOptions {
  readonly dataDir: string
  readonly out: string
  /** Called with the number of bytes about to be copied. */
  readonly copying: (bytes: number) => void
}

/** Copies the store for the export, with an empty draft beside the copy. Returns false if there is nothing new. */
export async function begin({ dataDir, out, copying }: BeginOptions, finished: Manifest | null): Promise<boolean> {
  const aside = join(out, COPY_ASIDE)
  rmSync(aside, { recursive: true, force: true })
  if (!existsSync(stateFile(dataDir))) {
    throw new OperatorError(
      `there is no store in ${dataDir}: --data-dir or DATA_DIR names the service's data directory`,
    )
  }
  if (finished !== null && finished.fingerprint !== FOLD_FINGERPRINT) {
    throw new OperatorError(
      `${out} was made by another build (fingerprint ${finished.fingerprint}, this one has ${FOLD_FINGERPRINT}): rows of ` +
        'both do not belong together. Name a new or an empty directory',
    )
  }
  const { seq, usedBytes } = await lookAt(dataDir, out, finished)
  if (finished !== null && seq === finished.seq) return false
  tidy(out, finished)
  checkRoom(out, usedBytes)
  copying(usedBytes)
  try {
    await copyState(dataDir, aside)
    syncFile(stateFile(aside))
    const store = openStoreToRead(aside)
    try {
      replaceFile(join(aside, DRAFT), JSON.stringify(draftOf(store, out, finished)))
    } finally {
      await store.close()
    }
    moveInto(aside, join(out, COPY))
    return true
  } catch (error) {
    rmSync(aside, { recursive: true, force: true })
    throw error
  }
}

/** The position and size of the store, after checking that it continues the finished export. */
async function lookAt(dataDir: string, out: string, finished: Manifest | null) {
  const store = openStoreToRead(dataDir)
  try {
    const { seq } = globalsOf(store, dataDir)
    if (
      finished !== null &&
      (seq < finished.seq || lastTrade(store, finished.tables.trades.rows) !== finished.last_trade)
    ) {
      throw new OperatorError(
        `${out} is of another log, or of a later entry (${finished.seq}) than this store has (${seq}): ` +
          'name a new or an empty directory',
      )
    }
    return { seq, usedBytes: store.sizes().usedBytes }
  } finally {
    await store.close()
  }
}

export function globalsOf(store: Store, dataDir: string): Globals {
  const globals = store.globals()
  if (globals === null) throw new OperatorError(`${dataDir} holds no block yet: there is nothing to export`)
  return globals
}

/** Trades continue after those of the finished export; all other tables start over. */
function draftOf(store: Store, out: string, finished: Manifest | null): Draft {
  const globals = globalsOf(store, out)
  const { seq, slot, time, nextTrade } = globals
  const before = finished?.tables.trades ?? emptyParts()
  const manifest: Manifest = {
    format: EXPORT_FORMAT,
    formulas: FORMULAS_VERSION,
    fingerprint: FOLD_FINGERPRINT,
    seq,
    slot,
    time: isoMicrosOrNull(time),
    previous: finished?.seq ?? null,
    last_trade: lastTrade(store, nextTrade),
    tables: { ...forEachTable(emptyParts), trades: before },
  }
  return { manifest, next: { ...forEachTable(() => START), trades: [before.rows, 0] } }
}

/** SHA-256 over the last trade and the history before it; null without trades. */
function lastTrade(store: Store, trades: number): string | null {
  const row = trades > 0 ? store.trade(trades - 1) : undefined
  if (row === undefined) return null
  const { no, sig, outer, inner, slot, token, wallet, lamports, tokens, buysBefore, pnlLamports } = row
  const fields = [no, sigToBase58(sig), outer, inner, slot, token, wallet, lamports, tokens, buysBefore, pnlLamports]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

/** Fails before the copy, rather than on a full disk. */
function checkRoom(out: string, bytes: number): void {
  const { bavail, bsize, blocks } = statfsSync(out)
  // some file systems report nothing
  if (blocks === 0 || bavail * bsize > bytes) return
  const mb = (n: number): string => `${Math.ceil(n / 1e6)} MB`
  throw new OperatorError(
    `the disk of ${out} has ${mb(bavail * bsize)} left, the copy of the store needs ${mb(bytes)} while the ` +
      'export lasts, plus room for the tables',
  )
}
