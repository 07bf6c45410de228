import { closeSync, existsSync, fsyncSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory } from '../../base/sync-path.ts'
import { DamagedLog } from './damaged.ts'

/**
 * Closed segments before the local ones, oldest first. A node that began with a checkpoint's state fetches them in the
 * background, newest first, so that the local ones are always contiguous.
 */
export interface LaterSegments {
  /** Bytes of each part except the last of a segment. */
  readonly partBytes: number
  readonly segments: readonly LaterSegment[]
}

export interface LaterSegment {
  readonly name: string
  readonly bytes: number
  /** SHA-256 of each part. */
  readonly parts: readonly string[]
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0

/** True for a non-empty list whose members all pass. */
const isListOf = (list: unknown, isMember: (one: unknown) => boolean): boolean =>
  Array.isArray(list) && list.length > 0 && list.every(isMember)

const isText = (shape: RegExp) => (value: unknown) => typeof value === 'string' && shape.test(value)

const isSegment = (value: unknown): boolean => {
  const { name, bytes, parts } = (value ?? {}) as Partial<LaterSegment>
  return isText(/^\d{16}\.log$/)(name) && isCount(bytes) && isListOf(parts, isText(/^[0-9a-f]{64}$/))
}

// hand-written, because every command opens a log, and loading a schema library takes longer
function isLater(value: unknown): value is LaterSegments {
  const { partBytes, segments } = (value ?? {}) as Partial<LaterSegments>
  return isCount(partBytes) && isListOf(segments, isSegment)
}

const fileIn = (dir: string): string => join(dir, 'later.json')

/** Null if the whole log is local. Throws DamagedLog if the list cannot be read. */
export function readLater(dir: string): LaterSegments | null {
  const path = fileIn(dir)
  if (!existsSync(path)) return null
  const list = parsed(readFileSync(path, 'utf8'))
  if (isLater(list)) return list
  throw new DamagedLog(path, undefined, 'it is no list of segments that are still to be fetched')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Names of the segments that the log may still lack. */
export const laterNames = (dir: string): readonly string[] => readLater(dir)?.segments.map(({ name }) => name) ?? []

/** The listed segments that have not arrived yet, oldest first. */
export const missingSegments = (dir: string): readonly LaterSegment[] =>
  (readLater(dir)?.segments ?? []).filter(({ name }) => !existsSync(join(dir, name)))

/** Durable when it returns. */
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

/** Called when all segments have arrived. */
export function removeLater(dir: string): void {
  unlinkSync(fileIn(dir))
  syncDirectory(dir)
}
