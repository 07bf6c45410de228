import { EXIT, OperatorError } from '../base/errors.ts'

/**
 * Compares the chain of a log ('': none is named yet) with that of a source (null: the material does not say). True if the log
 * has to be named first. Throws an OperatorError if they differ, because entries of two chains in one log cannot be told apart
 * later.
 */
export function isLogToBeNamed(log: string, source: string | null): boolean {
  if (log === '') return source !== null
  if (source === null) throw new OperatorError(unnamedSource(log), { exitCode: EXIT.otherLog })
  if (source !== log) throw new OperatorError(foreignSource(log, source), { exitCode: EXIT.otherLog })
  return false
}

const foreignSource = (log: string, source: string): string =>
  `SOURCE brings the chain ${source}, and the log is of the chain ${log}: nothing was written. Correct SOURCE or LOG_URL, or ` +
  'begin a log of its own in an empty DATA_DIR'

const unnamedSource = (log: string): string =>
  `SOURCE does not say which chain it brings, and the log is of the chain ${log}: nothing was written. With yellowstone: set ` +
  'SOURCE_RPC_URL to a node of the same chain; material that names no chain needs an empty DATA_DIR of its own'

/** The error of a node whose shared log is of another chain than its own state. */
export const foreignLog = (log: string, own: string): OperatorError =>
  new OperatorError(
    `LOG_URL: the log is of ${nameOf(log)}, and the state in DATA_DIR of ${nameOf(own)}: nothing was changed. Correct LOG_URL or DATA_DIR`,
    { exitCode: EXIT.otherLog },
  )

const nameOf = (chain: string): string => (chain === '' ? 'a chain without a name' : `the chain ${chain}`)
