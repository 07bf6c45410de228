/**
 * An operating error a person can act on: what went wrong, where, and what to do. The CLI prints the message and
 * leaves with `exitCode`; anything else that is thrown is a programmer's error and keeps its stack.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError'
  readonly exitCode: number

  constructor(message: string, options: { exitCode?: number; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.exitCode = options.exitCode ?? 1
  }
}

/** Exit codes of the CLI. */
export const EXIT = { failed: 1, usage: 2, dataDirBusy: 3, badFile: 4 } as const
