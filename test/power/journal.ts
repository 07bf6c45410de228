import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** What a process did to the files below a directory, in order: recorded by `journal.c`. Paths are relative to it. */
export type Operation =
  | { readonly op: 'write'; readonly path: string; readonly offset: number; readonly data: Buffer }
  | { readonly op: 'truncate'; readonly path: string; readonly length: number }
  | { readonly op: 'rename'; readonly path: string; readonly to: string }
  | {
      readonly op: 'create' | 'sync' | 'unlink' | 'sync directory' | 'make directory' | 'remove directory'
      readonly path: string
    }

const OPS = [
  '',
  'create',
  'write',
  'truncate',
  'sync',
  'rename',
  'unlink',
  'sync directory',
  'make directory',
  'remove directory',
] as const
const HEAD_BYTES = 15

/** Compiles the library that records into `dir`; undefined with the reason where it cannot be had. */
export function buildRecorder(dir: string): { library: string } | { reason: string } {
  if (process.platform !== 'linux') return { reason: 'LD_PRELOAD is only tried on Linux' }
  const library = join(dir, 'journal.so')
  const source = resolve('test/power/journal.c')
  const made = spawnSync('cc', ['-O1', '-Wall', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'])
  if (made.error !== undefined) return { reason: 'there is no C compiler (cc)' }
  if (made.status !== 0) throw new Error(`journal.c does not compile:\n${made.stderr}`)
  return { library }
}

/** The disk of a recorded process: from its `at`-th change on (from 1) every one fails with the system's error number `errno`. */
export interface FailingDisk {
  readonly at: number
  readonly errno: number
}

/** Variables with which a process records what it does below `dir` (which exists) in the file `journal` (outside of it). */
export const recording = (
  library: string,
  dir: string,
  journal: string,
  fails?: FailingDisk,
): Record<string, string> => ({
  LD_PRELOAD: library,
  POWER_DIR: dir,
  POWER_JOURNAL: journal,
  ...(fails === undefined ? {} : { POWER_FAIL: `${fails.at} ${fails.errno}` }),
})

/** A record that a kill cut off at the end is left out. Throws where a file was changed in a way that is not recorded. */
export function readJournal(journal: string): Operation[] {
  const bytes = readFileSync(journal)
  const operations: Operation[] = []
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const pathBytes = bytes.readUInt16LE(at + 1)
    const offset = Number(bytes.readBigInt64LE(at + 3))
    const length = bytes.readUInt32LE(at + 11)
    const from = at + HEAD_BYTES + pathBytes
    if (from + length > bytes.length) break
    const path = bytes.toString('utf8', at + HEAD_BYTES, from)
    const data = bytes.subarray(from, from + length)
    const op = OPS[bytes[at]!]
    if (op === undefined || op === '') throw new Error(`${path} was changed in a way that the journal does not know`)
    if (op === 'write') operations.push({ op, path, offset, data })
    else if (op === 'truncate') operations.push({ op, path, length: offset })
    else if (op === 'rename') operations.push({ op, path, to: data.toString() })
    else operations.push({ op, path })
    at = from + length
  }
  return operations
}
