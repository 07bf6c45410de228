/** Error codes of a system that has run out of a resource, or whose disk accepts no writes for now. */
const CODES: ReadonlySet<unknown> = new Set([
  'EMFILE',
  'ENFILE',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'ENOMEM',
  'ENOBUFS',
  'EAGAIN',
  'EIO',
  'EROFS',
  // a thread that could not be created for lack of descriptors or memory
  'ERR_WORKER_INIT_FAILED',
])
/** SQLite result codes (sqlite.org/rescode.html), by low byte: NOMEM, READONLY, IOERR, FULL, CANTOPEN */
const SQLITE: ReadonlySet<number> = new Set([7, 8, 10, 13, 14])
/** PostgreSQL error codes: class 53 is insufficient resources, 58030 a disk error, 42501 also a read-only volume */
const SQLSTATE = /^(53[0-9A-Z]{3}|58030|42501)$/

/** causes to follow at most */
const DEPTH = 8

/** True if an error, or its cause, is a shortage of the system: a retry may succeed without any change of ours. */
export function isShortage(error: unknown): boolean {
  let at: unknown = error
  for (let i = 0; i < DEPTH && typeof at === 'object' && at !== null; i++) {
    const { code, errcode, cause } = at as { code?: unknown; errcode?: unknown; cause?: unknown }
    if (CODES.has(code) || (typeof code === 'string' && SQLSTATE.test(code))) return true
    if (typeof errcode === 'number' && SQLITE.has(errcode & 0xff)) return true
    at = cause
  }
  return false
}

/** The short resource, in words, by the codes of the system, of PostgreSQL and of SQLite. */
const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'disk full',
  EDQUOT: 'disk full',
  EFBIG: 'disk full',
  53100: 'disk full',
  EROFS: 'the disk cannot be written',
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  53000: 'too many open files',
  ENOMEM: 'out of memory',
  53200: 'out of memory',
  8: 'the file is read-only',
  13: 'disk full',
}

/** Describes an error for which `isShortage` holds. */
export function shortageWords(error: unknown): string {
  let at: unknown = error
  for (let i = 0; i < DEPTH && typeof at === 'object' && at !== null; i++) {
    const { code, errcode, cause } = at as { code?: unknown; errcode?: unknown; cause?: unknown }
    const known = typeof errcode === 'number' ? `${errcode & 0xff}` : code
    if (typeof known === 'string' && Object.hasOwn(WORDS, known)) return WORDS[known]!
    at = cause
  }
  return 'the machine is out of a resource'
}
