import { createHash } from 'node:crypto'
import { realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { EXIT, OperatorError } from './errors.ts'
import { makeDirectory } from './make-directory.ts'
import { closeToOthers } from './private-files.ts'

export type DataDirLock = Awaited<ReturnType<typeof lockDataDir>>

/** A data directory that is locked for this process and closed to other users of the machine. */
export interface HeldDataDir extends DataDirLock {
  /** files and directories that were open to other users before */
  readonly opened: number
}

/** Locks the directory and closes it to other users; OperatorError (badFile) if it cannot be closed. */
export async function holdDataDir(dir: string): Promise<HeldDataDir> {
  const lock = await lockDataDir(dir)
  try {
    return { ...lock, opened: closeToOthers(realpathSync(dir)) }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** the longest socket path in bytes on the strictest system (macOS: 104 with the closing zero) */
const SOCKET_PATH_BYTES_MAX = 103

/**
 * One process per data directory; OperatorError (dataDirBusy) if there is another. The kernel releases the lock however its
 * holder ends.
 *
 * On Linux the lock is an abstract socket named after the directory; binding it is atomic. Two containers do not see each
 * other's abstract sockets, so a socket file in the directory is held as well and counts while a process answers on it; on
 * other systems it is the only lock. Not covered: another machine on a network file system, a file system without sockets
 * shared by containers, and two processes that cannot see each other's abstract socket and start in the same millisecond.
 */
export async function lockDataDir(dir: string) {
  makeDirectory(dir)
  const real = realpathSync(dir)
  const held: Server[] = []
  const release = async (): Promise<void> => {
    for (const server of held.splice(0)) await new Promise((resolve) => server.close(resolve))
  }
  try {
    if (process.platform === 'linux') held.push(await bind(abstractName(real), real))
    const file = await lockFile(real)
    if (file !== null) held.push(file)
    return { release }
  } catch (error) {
    await release()
    throw error
  }
}

const abstractName = (dir: string): string =>
  `\0token-intelligence-${createHash('sha256').update(dir).digest('hex').slice(0, 32)}`

/** Null if only the abstract socket can be used: the path is too long, or the file system has no sockets. */
async function lockFile(dir: string): Promise<Server | null> {
  const path = join(dir, 'lock.sock')
  const optional = process.platform === 'linux'
  if (optional && Buffer.byteLength(path) > SOCKET_PATH_BYTES_MAX) return null
  if (await answers(path)) throw busy(dir)
  rmSync(path, { force: true })
  try {
    return await bind(path, dir)
  } catch (error) {
    if (optional && !(error instanceof OperatorError) && !isOutOfDescriptors(error)) return null
    throw error
  }
}

const busy = (dir: string): OperatorError =>
  new OperatorError(
    `another process is using the data directory ${dir}: stop it, or choose another directory with DATA_DIR`,
    { exitCode: EXIT.dataDirBusy },
  )

const bind = (address: string, dir: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', (error: NodeJS.ErrnoException) => reject(error.code === 'EADDRINUSE' ? busy(dir) : error))
    server.listen(address, () => resolve(server))
  })

/** This says nothing about the process that holds the directory. */
const isOutOfDescriptors = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes(String((error as NodeJS.ErrnoException).code))

/** No process listens there. Every other failure, except a lack of descriptors, means that one might. */
const FREE: readonly (string | undefined)[] = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK']

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (isOutOfDescriptors(error)) reject(error)
      else resolve(!FREE.includes(error.code))
    })
  })
