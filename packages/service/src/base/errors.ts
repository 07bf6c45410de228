/**
 * An error that the operator can fix: it names the failure, its place and the remedy. The CLI prints the message and exits
 * with `exitCode`; every other exception is a programming error and keeps its stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly exitCode: number

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.exitCode = options.exitCode ?? 1
  }
}

/** Exit codes of the CLI. `otherLog`: source, state and log are of different chains or services. */
export const EXIT = { failed: 1, usage: 2, dataDirBusy: 3, badFile: 4, otherLog: 5 } as const
