import { statfsSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../base/log.ts'
import { stateFile } from './open.ts'

/**
 * Bytes that stay free: what the commits until a checkpoint write and the checkpoint after them (some 50 MB), so that none fails
 * half-way. Folding goes on only when there is half as much again, so that it does not stop with every block.
 */
const RESERVE_BYTES = 64 << 20
const ENOUGH_BYTES = 1.5 * RESERVE_BYTES
/**
 * Bytes of the state's write-ahead log from which a reader is named as the cause. It has at most some 30 MB otherwise: our own readers
 * take a new snapshot every few milliseconds, or copy the file. Another program's transaction cannot be ended from here; the log then
 * grows by 2 MB/s at most, and folding stops before the disk is full.
 */
const HELD_BYTES = 512 << 20
/** milliseconds between two looks while there is no room */
const LOOK_MS = 1_000

export interface DiskStatus {
  readonly freeBytes: number
  readonly bytes: number
  /** why nothing is folded; null while there is room */
  readonly problem: string | null
  readonly walBytes: number
  /** why the write-ahead log cannot be reused; null while it can */
  readonly held: string | null
}

/** The room on the disk of the data directory. A block that could not be written is not folded: memory never gets ahead of the disk. */
export type DiskRoom = ReturnType<typeof createDiskRoom>

interface DiskRoomOptions {
  readonly logger: Logger
  /** bytes free, and in all; for tests */
  readonly room?: (dir: string) => { readonly freeBytes: number; readonly bytes: number }
  readonly heldBytes?: number
}

function roomOf(dir: string): { freeBytes: number; bytes: number } {
  const { bavail, blocks, bsize } = statfsSync(dir)
  return { freeBytes: bavail * bsize, bytes: blocks * bsize }
}

export function createDiskRoom(dir: string, options: DiskRoomOptions) {
  const { logger, room = roomOf, heldBytes = HELD_BYTES } = options
  const wal = `${stateFile(dir)}-wal`
  let isShort = false
  let isHeld = false

  function walStatus(): Pick<DiskStatus, 'walBytes' | 'held'> {
    const walBytes = statSync(wal, { throwIfNoEntry: false })?.size ?? 0
    const wasHeld = isHeld
    isHeld = walBytes >= heldBytes
    const held = isHeld ? heldWords(wal, walBytes) : null
    if (isHeld && !wasHeld)
      logger.warn({ path: wal, bytes: walBytes }, 'a reader holds the write-ahead log of the state')
    return { walBytes, held }
  }

  function status(): DiskStatus {
    const { freeBytes, bytes } = room(dir)
    const short = freeBytes < (isShort ? ENOUGH_BYTES : RESERVE_BYTES)
    if (short !== isShort) {
      if (short)
        logger.error({ dir, free_bytes: freeBytes }, 'the disk is full: nothing more is folded until there is room')
      else logger.info({ dir, free_bytes: freeBytes }, 'the disk has room again: folding goes on')
    }
    isShort = short
    return { freeBytes, bytes, problem: short ? wordsOf(dir, freeBytes) : null, ...walStatus() }
  }

  async function waitLong(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      await pause(LOOK_MS, undefined, { signal }).catch(() => {})
      if (status().problem === null) return true
    }
    return false
  }

  return {
    status,
    /** True once there is room; false if `signal` aborts before. Cheap while there is. */
    wait: (signal: AbortSignal): Promise<boolean> | true => (status().problem === null ? true : waitLong(signal)),
  }
}

const MB = 1 << 20

/** Writes a file of a megabyte and removes it; the error that this fails with, null for none. A quota has no other sign. */
export async function writeProbe(dir: string): Promise<Error | null> {
  const path = join(dir, 'write-probe')
  try {
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(Buffer.alloc(MB))
      await file.sync()
    } finally {
      await file.close()
    }
    return null
  } catch (error) {
    return Object.assign(error as Error, { path: dir })
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

const heldWords = (path: string, bytes: number): string =>
  `another program has read the state for minutes, so that ${path} grows (${Math.floor(bytes / MB)} MB): \`fuser -v\` names it, end it`
const wordsOf = (dir: string, freeBytes: number): string =>
  `the disk of ${dir} is full (${Math.floor(freeBytes / MB)} MB left): nothing more is folded until ${ENOUGH_BYTES / MB} MB are free`
