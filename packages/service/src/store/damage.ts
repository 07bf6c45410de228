import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, OperatorError } from '../base/errors.ts'

/**
 * The state is not what was written: a record's checksum is wrong, one is missing that must exist, or SQLite cannot read its
 * file. The state is a fold of the log, so it can be made again; it must not be answered from or committed to.
 */
export class DamagedState extends OperatorError {
  /** what is wrong, without the advice */
  readonly what: string

  constructor(path: string, what: string, cause?: unknown) {
    super(
      `${path} is damaged: ${what}. The service folds it again from the log by itself; \`verify\` checks all of it`,
      {
        exitCode: EXIT.badFile,
        ...(cause === undefined ? {} : { cause }),
      },
    )
    this.what = what
  }
}

const markOf = (path: string): string => join(dirname(path), 'damaged')

/**
 * What is found while the state is in use may be a record that no opening reads: the mark beside the file makes the next one
 * set it aside.
 */
export function markDamaged(path: string, { what }: DamagedState): void {
  try {
    writeFileSync(markOf(path), what)
  } catch {
    // on a disk that takes nothing the next reading finds it again
  }
}

/** What was found; null where nothing was. */
export function markedDamage(path: string): string | null {
  try {
    return readFileSync(markOf(path), 'utf8')
  } catch {
    return null
  }
}

/** Refuses a file that is not ours to change. */
export const refuse = (path: string, why: string): OperatorError =>
  new OperatorError(`${path} cannot be used: ${why}. Nothing was changed`, { exitCode: EXIT.badFile })
