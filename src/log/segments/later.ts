import { closeSync, existsSync, fsyncSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { DamagedLog } from './damaged.ts'
import { syncDirectory } from './directory.ts'

const Later = z.object({
  /** bytes of each part but the last of a segment */
  partBytes: z.int().positive(),
  segments: z
    .array(
      z.object({
        name: z.string().regex(/^\d{16}\.log$/),
        bytes: z.int().positive(),
        /** SHA-256 of each part */
        parts: z.array(z.string().regex(/^[0-9a-f]{64}$/)).min(1),
      }),
    )
    .min(1),
})

/**
 * Closed segments in front of those that are here, oldest first: a node that began with the state of a checkpoint fetches them
 * beside its service, the newest first, so that those that are here always follow each other.
 */
export type LaterSegments = z.infer<typeof Later>
export type LaterSegment = LaterSegments['segments'][number]

const fileIn = (dir: string): string => join(dir, 'later.json')

/** Null: all of the log is here. DamagedLog where the list cannot be read. */
export function readLater(dir: string): LaterSegments | null {
  const path = fileIn(dir)
  if (!existsSync(path)) return null
  const list = Later.safeParse(parsed(readFileSync(path, 'utf8')))
  if (list.success) return list.data
  throw new DamagedLog(path, undefined, 'it is no list of segments that are still to be fetched')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What a log that begins behind them is allowed to lack. */
export const laterNames = (dir: string): readonly string[] => readLater(dir)?.segments.map(({ name }) => name) ?? []

/** Of those in the list, the ones that have not come yet, oldest first. */
export const missingSegments = (dir: string): readonly LaterSegment[] =>
  (readLater(dir)?.segments ?? []).filter(({ name }) => !existsSync(join(dir, name)))

/** On disk when it returns. */
export function writeLater(dir: string, later: LaterSegments): void {
  const file = openSync(fileIn(dir), 'wx')
  try {
    writeFileSync(file, JSON.stringify(later))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  syncDirectory(dir)
}

/** All have come. */
export function removeLater(dir: string): void {
  unlinkSync(fileIn(dir))
  syncDirectory(dir)
}
