import { createHash } from 'node:crypto'
import { mkdirSync, realpathSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { EXIT, OperatorError } from './errors.ts'

export interface DataDirLock {
  release(): Promise<void>
}

/**
 * One process per data directory. On Linux an abstract socket named after the directory: a second bind fails, and the
 * kernel frees it however the holder dies. Elsewhere a socket file in the directory, which counts as held when somebody
 * answers on it. Neither sees a process in another network namespace (two containers sharing a volume).
 */
export async function lockDataDir(dir: string): Promise<DataDirLock> {
  mkdirSync(dir, { recursive: true })
  const real = realpathSync(dir)
  const abstract = process.platform === 'linux'
  const name = createHash('sha256').update(real).digest('hex').slice(0, 32)
  const address = abstract ? `\0token-intelligence-${name}` : join(real, 'lock.sock')
  if (!abstract && (await answers(address))) throw busy(real)
  if (!abstract) rmSync(address, { force: true })
  const server = createServer((socket) => socket.destroy())
  server.unref()
  await bind(server, address).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? busy(real) : error
  })
  return { release: () => new Promise((resolve) => server.close(() => resolve())) }
}

const busy = (dir: string): OperatorError =>
  new OperatorError(
    `another process is using the data directory ${dir}: stop it, or choose another directory with DATA_DIR`,
    { exitCode: EXIT.dataDirBusy },
  )

const bind = (server: Server, address: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, () => resolve())
  })

const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(address)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
