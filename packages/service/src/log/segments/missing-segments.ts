import { closeSync, existsSync, fsyncSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncDirectory } from '../../base/sync-path.ts'
import { DamagedLog } from './damaged.ts'

/**
 * Closed segments in front of those that are here, oldest first: a node that began with the state of a checkpoint fetches them
 * beside its service, the newest first, so that those that are here always follow each other.
 */
export interface LaterSegments {
  /** bytes of each part but the last of a segment */
  readonly partBytes: number
  readonly segments: readonly LaterSegment[]
}

export interface LaterSegment {
  readonly name: string
  readonly bytes: number
  /** SHA-256 of each part */
  readonly parts: readonly string[]
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0

/** A list that is not empty, and whose members all pass. */
const isListOf = (list: unknown, isMember: (one: unknown) => boolean): boolean =>
  Array.isArray(list) && list.length > 0 && list.every(isMember)

const isText = (shape: RegExp) => (value: unknown) => typeof value === 'string' && shape.test(value)

const isSegment = (value: unknown): boolean => {
  const { name, bytes, parts } = (value ?? {}) as Partial<LaterSegment>
  return isText(/^\d{16}\.log$/)(name) && isCount(bytes) && isListOf(parts, isText(/^[0-9a-f]{64}$/))
}

// by hand: every command opens a log, and loading a library of schemas takes longer than that
function isLater(value: unknown): value is LaterSegments {
  const { partBytes, segments } = (value ?? {}) as Partial<LaterSegments>
  return isCount(partBytes) && isListOf(segments, isSegment)
}

const fileIn = (dir: string): string => join(dir, 'later.json')

/** Null: all of the log is here. DamagedLog where the list cannot be read. */
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
