import {
  chmodSync,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { EXIT, OperatorError } from './errors.ts'

/** permission bits of group and others */
const OTHERS = 0o077
/** directories 0700, files and sockets 0600; set before any file is created, and inherited by child processes */
export const PRIVATE_UMASK = OTHERS

/** Windows has no such modes. */
const HAS_MODES = process.platform !== 'win32'

/**
 * Closes a directory and everything below it to other users: directories 0700, the rest without permissions for group and
 * others. Returns how many entries were open before. Throws an OperatorError (badFile) with the command that fixes it if an
 * entry belongs to another user than this one or root, cannot be changed, or is a link to something open; link targets are
 * never changed.
 */
export function closeToOthers(root: string): number {
  if (!HAS_MODES) return 0
  let opened = 0
  const close = (path: string): void => {
    const entry = lstatSync(path, { throwIfNoEntry: false })
    // a file removed meanwhile needs no change
    if (entry === undefined) return
    if (!isTrusted(entry)) throw foreign(root, path)
    if (entry.isSymbolicLink()) return checkLink(root, path)
    if ((entry.mode & OTHERS) !== 0) {
      closeOne(root, path, entry)
      opened++
    }
    if (entry.isDirectory()) for (const name of list(path)) close(join(path, name))
  }
  close(root)
  return opened
}

/** Root reads everything anyway. */
const isTrusted = ({ uid }: Stats): boolean => uid === 0 || uid === process.geteuid!()

function closeOne(root: string, path: string, { mode }: Stats): void {
  try {
    chmodSync(path, mode & ~OTHERS & 0o7777)
  } catch (cause) {
    throw new OperatorError(
      `${path} is open to other users (mode ${octal(mode)}) and cannot be closed (${(cause as NodeJS.ErrnoException).code}).
As its owner:

  chmod -R go= ${quoted(root)}`,
      { exitCode: EXIT.badFile, cause },
    )
  }
}

/** A directory of root's that is closed to us, such as `lost+found`, holds no file of ours. */
function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'EACCES') return []
    throw error
  }
}

function checkLink(root: string, path: string): void {
  const target = statSync(path, { throwIfNoEntry: false })
  if (target === undefined || (isTrusted(target) && (target.mode & OTHERS) === 0)) return
  throw new OperatorError(
    `${path} is a link to something that other users can reach (mode ${octal(target.mode)}).
Close it, or put it into ${root} itself:

  chmod -R go= "$(readlink -f ${quoted(path)})"`,
    { exitCode: EXIT.badFile },
  )
}

const foreign = (root: string, path: string): OperatorError =>
  new OperatorError(
    `${path} belongs to another user, who can change it at any time. As root:

  chown -R ${process.geteuid!()} ${quoted(root)} && chmod -R go= ${quoted(root)}`,
    { exitCode: EXIT.badFile },
  )

/**
 * Null if a secret file is readable by this user alone; otherwise the problem and the command that fixes it. A file of
 * root's may be readable by this process's group, as mounted secrets in containers are.
 */
export function exposureOf({ uid, mode }: Pick<Stats, 'uid' | 'mode'>, path: string): string | null {
  if (!HAS_MODES) return null
  const own = process.geteuid!()
  if (uid !== own && uid !== 0) return `${path} belongs to another user: chown ${own} ${quoted(path)}`
  const open = uid === own ? OTHERS : OTHERS & ~0o040
  return (mode & open) === 0 ? null : `${path} is open to other users (mode ${octal(mode)}): chmod go= ${quoted(path)}`
}

const octal = (mode: number): string => (mode & 0o777).toString(8).padStart(4, '0')
const quoted = (path: string): string => (/^[\w./+-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

interface PrivateText {
  /** the variable that names the file */
  readonly name: string
  /** a description of the variable's expected value */
  readonly what: string
  readonly bytesMax: number
}

/** The text of a secret file; OperatorError, without any of that text, if other users can read the file or this user cannot. */
export function readPrivateText(path: string, { name, what, bytesMax }: PrivateText): string {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const exposed = exposureOf(fstatSync(file), path)
    if (exposed !== null) throw new OperatorError(`${name}: the file is not this user's alone: ${exposed}`)
    const bytes = Buffer.alloc(bytesMax)
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${what}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
