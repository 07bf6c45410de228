import { EXIT, OperatorError } from './errors.ts'

/** Advice to the operator for each system error code. */
const ADVICE: Readonly<Record<string, string>> = {
  EROFS: 'the volume is mounted read-only: mount it for writing, or choose another DATA_DIR',
  EACCES: 'check the owner and permissions of the path',
  EPERM: 'check the owner and permissions of the path',
  ENOSPC: 'the volume is full: make room and start again; nothing acknowledged is lost',
  EDQUOT: 'the quota is used up: make room and start again; nothing acknowledged is lost',
  EFBIG: 'a file may not grow further (ulimit -f): nothing acknowledged is lost',
  EMFILE: 'the process may not open more files: raise its limit (ulimit -n)',
  ENFILE: 'the system has no more files to open: raise fs.file-max',
  EIO: 'the volume cannot be read or written: check the disk',
  ENOMEM: 'the machine has no memory left',
  ENOENT: 'there is no such path',
  ENOTDIR: 'a part of the path is not a directory',
}

/** causes to follow at most */
const DEPTH = 8

/**
 * Describes a system error or a damaged database for the operator; a stack would add nothing about a read-only volume.
 * Null: a programming error, which keeps its stack.
 */
export function systemError(error: unknown): OperatorError | null {
  let at: unknown = error
  for (let i = 0; i < DEPTH && typeof at === 'object' && at !== null; i++) {
    if (at instanceof OperatorError) return at
    const { name, message, code, syscall, path, cause } = at as NodeJS.ErrnoException
    if (name === 'Damage') {
      return new OperatorError(`the embedded database is damaged: ${message}`, { exitCode: EXIT.badFile, cause: error })
    }
    const advice = code !== undefined && Object.hasOwn(ADVICE, code) ? ADVICE[code] : undefined
    if (advice !== undefined && syscall !== undefined) {
      const where = path ?? 'the data directory'
      return new OperatorError(`${where} cannot be used (${syscall}: ${code}): ${advice}`, { cause: error })
    }
    at = cause
  }
  return null
}
