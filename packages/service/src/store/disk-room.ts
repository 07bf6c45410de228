import { statfsSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../base/log.ts'

/**
 * Bytes that stay free: what the commits until a checkpoint write and the checkpoint after them (some 50 MB), so that none fails
 * half-way. Folding goes on only when there is half as much again, so that it does not stop with every block.
 */
const RESERVE_BYTES = 64 << 20
const ENOUGH_BYTES = 1.5 * RESERVE_BYTES
/** milliseconds between two looks while there is no room */
const LOOK_MS = 1_000

export interface DiskStatus {
  readonly freeBytes: number
  readonly bytes: number
  /** why nothing is folded; null while there is room */
  readonly problem: string | null
}

/** The room on the disk of the data directory. A block that could not be written is not folded: memory never gets ahead of the disk. */
export interface DiskRoom {
  status(): DiskStatus
  /** True once there is room; false if `signal` aborts before. Cheap while there is. */
  wait(signal: AbortSignal): Promise<boolean> | true
}

interface DiskRoomOptions {
  readonly logger: Logger
  /** bytes free, and in all; for tests */
  readonly room?: (dir: string) => { readonly freeBytes: number; readonly bytes: number }
}

function roomOf(dir: string): { freeBytes: number; bytes: number } {
  const { bavail, blocks, bsize } = statfsSync(dir)
  return { freeBytes: bavail * bsize, bytes: blocks * bsize }
}

export function createDiskRoom(dir: string, { logger, room = roomOf }: DiskRoomOptions): DiskRoom {
  let isShort = false

  function status(): DiskStatus {
    const { freeBytes, bytes } = room(dir)
    const short = freeBytes < (isShort ? ENOUGH_BYTES : RESERVE_BYTES)
    if (short !== isShort) {
      if (short)
        logger.error({ dir, free_bytes: freeBytes }, 'the disk is full: nothing more is folded until there is room')
      else logger.info({ dir, free_bytes: freeBytes }, 'the disk has room again: folding goes on')
    }
    isShort = short
    return { freeBytes, bytes, problem: short ? wordsOf(dir, freeBytes) : null }
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
    wait: (signal) => (status().problem === null ? true : waitLong(signal)),
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
    return error as Error
  } finally {
    await rm(path, { force: true }).catch(() => {})
  }
}

const wordsOf = (dir: string, freeBytes: number): string =>
  `the disk of ${dir} is full (${Math.floor(freeBytes / MB)} MB left): nothing more is folded until ${ENOUGH_BYTES / MB} MB are free`
