import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EXIT, OperatorError } from '../base/errors.ts'

/**
 * The state differs from what was written: a wrong checksum, a missing record, or a file that SQLite cannot read. It
 * must not be used any more, but can be folded again from the log.
 */
export class DamagedState extends OperatorError {
  /** The fault, without the advice. */
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

/** Leaves a mark, so that the next start sets the state aside: opening it may not touch the damaged record. */
export function markDamaged(path: string, { what }: DamagedState): void {
  try {
    writeFileSync(markOf(path), what)
  } catch {
    // if the disk accepts nothing, the next read finds the damage again
  }
}

/** The recorded damage, or null. */
export function markedDamage(path: string): string | null {
  try {
    return readFileSync(markOf(path), 'utf8')
  } catch {
    return null
  }
}

/** Rejects a file that must not be changed. */
export const refuse = (path: string, why: string): OperatorError =>
  new OperatorError(`${path} cannot be used: ${why}. Nothing was changed`, { exitCode: EXIT.badFile })
