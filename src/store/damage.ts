import { EXIT, OperatorError } from '../base/errors.ts'

/**
 * The state is not what was written: a record's checksum is wrong, one is missing that must exist, or SQLite cannot read its
 * file. The state is a fold of the log, so it can be made again; it must not be answered from or committed to.
 */
export class DamagedState extends OperatorError {
  constructor(path: string, what: string, cause?: unknown) {
    super(
      `${path} is damaged: ${what}. The service folds it again from the log by itself; \`verify\` checks all of it`,
      {
        exitCode: EXIT.badFile,
        ...(cause === undefined ? {} : { cause }),
      },
    )
  }
}

/** Refuses a file that is not ours to change. */
export const refuse = (path: string, why: string): OperatorError =>
  new OperatorError(`${path} cannot be used: ${why}. Nothing was changed`, { exitCode: EXIT.badFile })
