// A throw-away PostgreSQL for one run of the tests: own folder, own port on loopback, own password, gone afterwards.
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from './ports.mjs'

const INSTALLED = '/usr/lib/postgresql'
const READY_MS = 30_000
const PORTS_TRIED = 3

/** The newest installed version's programs, or null. */
function findPrograms() {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : []
  const programs = versions.map((version) => join(INSTALLED, version, 'bin'))
  return programs.find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** PostgreSQL refuses to run as root: another user's ids, {} where we are somebody else already, null where none is found. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  const id = (flag, user) => spawnSync('id', [flag, user], { encoding: 'utf8' })
  const user = ['postgres', 'nobody'].find((name) => id('-u', name).status === 0)
  return user === undefined ? null : { uid: Number(id('-u', user).stdout), gid: Number(id('-g', user).stdout) }
}

/** Resolves to true once it answers, to false when it ended before or took too long. */
async function answers(programs, port, server) {
  for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause(50)) {
    if (server.exitCode !== null || server.signalCode !== null) return false
    const asked = spawnSync(join(programs, 'pg_isready'), ['-q', '-h', '127.0.0.1', '-p', String(port)])
    if (asked.status === 0) return true
  }
  return false
}

/** A server in a folder of its own, whose data its maker has to put into `data`. */
function createServer(programs, user) {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (user.uid !== undefined) for (const path of [folder, data]) chownSync(path, user.uid, user.gid)
  chmodSync(folder, 0o700)
  let server = null
  const tool = (name, args) => {
    const { status, stderr } = spawnSync(join(programs, name), args, { ...user, cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${name} failed: ${stderr}`)
  }
  const run = (port) => {
    const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', fsync: 'off' }
    const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    server = spawn(join(programs, 'postgres'), ['-D', data, ...args], { ...user, cwd: folder, stdio: 'ignore' })
    server.on('error', () => {})
    return answers(programs, port, server)
  }
  const kill = async () => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return
    const gone = new Promise((done) => server.once('exit', done))
    server.kill('SIGKILL')
    await gone
  }
  /** What the crashed one left behind ends by itself, and until then the next one refuses to start. */
  const start = async (port) => {
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline; await pause(50)) if (await run(port)) return
    throw new Error('PostgreSQL does not start again')
  }
  const stop = () => {
    // at once, as nothing in it is wanted any more, but by its own hand: it leaves no shared memory behind
    const how = ['stop', '-D', data, '-m', 'immediate', '-w', '-t', '10']
    if (server !== null) spawnSync(join(programs, 'pg_ctl'), how, { ...user, cwd: folder })
    server?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  return { folder, data, tool, run, kill, start, stop }
}

/** A standby that follows the server at `url` by streaming, from a copy of what it has now. */
async function follow(programs, user, url) {
  const { data, tool, start, stop } = createServer(programs, user)
  try {
    const at = new URL(url)
    tool('pg_basebackup', ['-d', url, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync'])
    const port = await freePort()
    await start(port)
    at.port = String(port)
    return {
      url: at.href,
      stop,
      /** it follows no longer, as behind a broken network */
      cut() {
        appendFileSync(join(data, 'postgresql.auto.conf'), "primary_conninfo = ''\n")
        tool('pg_ctl', ['reload', '-D', data])
      },
      /** it takes over with what it has */
      promote: () => tool('pg_ctl', ['promote', '-D', data, '-w']),
    }
  } catch (error) {
    stop()
    throw error
  }
}

/**
 * Resolves to `{ url, stop, kill, start, standby }`, or to `{ missing }`: why there is none; throws where there is one that does
 * not work. The user in the URL may create databases; tests make their own. `stop` is synchronous, so that it can run when
 * this process ends for whatever reason. `kill` ends it as a crash does (SIGKILL), `start` starts it again on the same data
 * and port. `standby` makes a second server that follows it.
 */
export async function startPostgres() {
  const programs = findPrograms()
  if (programs === null) return { missing: `PostgreSQL is not installed (${INSTALLED}/*/bin/initdb)` }
  const user = unprivileged()
  if (user === null) return { missing: 'PostgreSQL does not run as root, and there is no user postgres or nobody' }

  const { folder, data, tool, run, kill, start, stop } = createServer(programs, user)
  const password = randomBytes(16).toString('hex')
  const passwordFile = join(folder, 'password')
  try {
    writeFileSync(passwordFile, password, { mode: 0o600 })
    if (user.uid !== undefined) chownSync(passwordFile, user.uid, user.gid)
    const how = ['-D', data, '-U', 'test', '-A', 'scram-sha-256', '--pwfile', passwordFile, '-E', 'UTF8', '--no-locale']
    tool('initdb', [...how, '--no-sync'])
    for (let tries = 0; tries < PORTS_TRIED; tries++) {
      const port = await freePort()
      if (await run(port)) {
        const url = `postgres://test:${password}@127.0.0.1:${port}/postgres`
        return { url, stop, kill, start: () => start(port), standby: () => follow(programs, user, url) }
      }
      await kill()
    }
    throw new Error('it did not start')
  } catch (error) {
    stop()
    throw new Error(`the PostgreSQL in ${programs} could not be used: ${error.message}`)
  }
}
