import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { isShortage } from '../../base/shortage.ts'
import { Damage } from './damage.ts'
import { type Journal, openJournal, printEntries, readEntries } from './journal.ts'
import {
  type Manifest,
  printManifest,
  readManifest,
  sealAgain,
  sealAll,
  type Touched,
  verifyFiles,
} from './manifest.ts'
import type { Places } from './paths.ts'
import { openWitness, readControl, readWitness, type Stretch, verifyWal, type Witness } from './wal.ts'

/**
 * What the files of the database have to be: their pages at the last checkpoint (manifest), which of them were written since
 * (journal), and how far the WAL reached when a change was acknowledged last (witness).
 */
export interface SealState {
  readonly manifest: Manifest
  readonly touched: Touched
  readonly stretch: Stretch
}

const manifestOf = (folder: string): string => join(folder, 'manifest')
const journalOf = (folder: string, id: string): string => join(folder, `journal-${id}`)
const witnessOf = (folder: string, id: string): string => join(folder, `witness-${id}`)

export const isSealed = ({ seal }: Pick<Places, 'seal'>): boolean => existsSync(manifestOf(seal))

export function readSeal(folder: string): SealState {
  const manifest = readManifest(manifestOf(folder))
  return {
    manifest,
    touched: readEntries(journalOf(folder, manifest.id)),
    stretch: readWitness(witnessOf(folder, manifest.id)),
  }
}

/** Reads everything and changes nothing; Damage where the database is not what was acknowledged. */
export async function verifySeal({ database }: Pick<Places, 'database'>, state: SealState): Promise<void> {
  if (!existsSync(database)) throw new Damage('the directory accounts is missing')
  await verifyFiles(database, state.manifest, state.touched)
  verifyWal(database, readControl(database), state.stretch)
}

/** Puts a seal into an empty or absent directory. */
export function writeSeal(folder: string, { manifest, touched, stretch }: SealState, database: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(journalOf(folder, manifest.id), printEntries(touched))
  openWitness(witnessOf(folder, manifest.id), database, stretch).close()
  putManifest(folder, manifest)
}

function putManifest(folder: string, manifest: Manifest): void {
  const aside = join(folder, 'manifest.new')
  writeFileSync(aside, printManifest(manifest))
  const file = openSync(aside, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, manifestOf(folder))
}

/** Journals of older manifests are obsolete; if they cannot be removed now, the next seal removes them. */
function forgetOthers(folder: string, id: string): void {
  try {
    for (const name of readdirSync(folder)) {
      if (/^(journal|witness)-|^room$/.test(name) && !name.endsWith(id)) rmSync(join(folder, name), { force: true })
    }
  } catch (error) {
    if (!isShortage(error)) throw error
  }
}

/** The seal of a database that is open in this process. */
export interface LiveSeal {
  readonly state: SealState
  /** the files are at a checkpoint, and nothing has been written since */
  renew(): void
  readonly journal: Journal
  readonly witness: Witness
  close(): void
}

/** Continues a verified seal, or makes the first one of a database that is at a checkpoint. */
export function openLiveSeal({ database, seal }: Places, begin: SealState | null): LiveSeal {
  mkdirSync(seal, { recursive: true })
  let { manifest, journal, witness } = begin === null ? put(sealAll(database)) : goOn(begin)

  function goOn({ manifest, stretch }: SealState) {
    const journal = openJournal(journalOf(seal, manifest.id))
    return { manifest, journal, witness: openWitness(witnessOf(seal, manifest.id), database, stretch) }
  }

  function put(next: Manifest) {
    const { redo: lsn } = readControl(database)
    const journal = openJournal(journalOf(seal, next.id))
    let witness: Witness | null = null
    try {
      witness = openWitness(witnessOf(seal, next.id), database, { from: lsn, to: lsn, crc: 0 })
      putManifest(seal, next)
    } catch (error) {
      // the seal that is there stays
      journal.close()
      witness?.close()
      for (const path of [journalOf(seal, next.id), witnessOf(seal, next.id)]) rmSync(path, { force: true })
      throw error
    }
    forgetOthers(seal, next.id)
    return { manifest: next, journal, witness }
  }

  const closeFiles = (): void => {
    journal.close()
    witness.close()
  }
  return {
    get state() {
      return { manifest, touched: journal.touched, stretch: witness.stretch }
    },
    get journal() {
      return journal
    },
    get witness() {
      return witness
    },
    renew() {
      const next = put(sealAgain(database, manifest, journal.touched))
      closeFiles()
      ;({ manifest, journal, witness } = next)
    },
    close: closeFiles,
  }
}
