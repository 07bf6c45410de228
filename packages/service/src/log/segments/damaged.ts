import { EXIT, OperatorError } from '../../base/errors.ts'

/** A log segment differs from what was written. Names the file and, if known, the entry. */
export class DamagedLog extends OperatorError {
  readonly file: string
  /** The first entry that cannot be read; undefined if the whole file is affected. */
  readonly seq: number | undefined

  constructor(file: string, seq: number | undefined, what: string) {
    super(
      `the log is damaged: ${file}${seq === undefined ? '' : ` at entry ${seq}`}: ${what}. ` +
        'Nothing was changed. Put that file back from a copy (a checkpoint, or another node with the same log), or move ' +
        'DATA_DIR away and restore the newest checkpoint',
      { exitCode: EXIT.badFile },
    )
    this.file = file
    this.seq = seq
  }
}

/** Rejects a segment of another format. The file is kept: it is not damage, and nothing else has its contents. */
export const otherFormat = (file: string, what: string): OperatorError =>
  new OperatorError(
    `${file} cannot be read: ${what}. Nothing was changed. \`serve\` with an empty DATA_DIR begins a log anew`,
    { exitCode: EXIT.badFile },
  )

/** A file operation of the log failed: the disk is full, read-only or failing. */
export function cannot(what: string, file: string, cause: unknown): OperatorError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause)
  const advice =
    code === 'ENOSPC' || code === 'EDQUOT'
      ? 'Free some space and start again'
      : code === 'EACCES' || code === 'EROFS' || code === 'EPERM'
        ? 'Give this user the right to write there and start again'
        : 'Check the disk and start again'
  return new OperatorError(`the log cannot be ${what}: ${file}: ${code}. ${advice}; everything acknowledged is kept`, {
    cause,
  })
}
