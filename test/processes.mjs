// Runs compiled test files in processes of their own and counts what they did.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const TIMED = new URL('timed.mjs', import.meta.url).href

/**
 * Tests sync many small files: where there is room for them in memory they are made there, unless TMPDIR
 * says where. Several nodes and the page stay on the disk.
 */
function inMemory() {
  if (process.env.TMPDIR || !existsSync(MEMORY)) return {}
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < MEMORY_BYTES) return {}
  const TMPDIR = mkdtempSync(join(MEMORY, 'tests-'))
  process.on('exit', () => rmSync(TMPDIR, { recursive: true, force: true }))
  return { TMPDIR }
}
const MEMORY = '/dev/shm'
/** many times what they ever took together */
const MEMORY_BYTES = 4 * 2 ** 30

let memory = null
export function quickly(env = {}) {
  memory ??= inMemory()
  return { env: { ...memory, ...env } }
}

/** `paths` are of compiled files; `say` gets what they print. */
export function run(paths, concurrency, { flags = [], env = {}, say = (chunk) => process.stdout.write(chunk) } = {}) {
  const args = [
    ...flags,
    '--import',
    TIMED,
    '--enable-source-maps',
    join(root, 'test/in-order.mjs'),
    concurrency,
    ...paths,
  ]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
    // a group of its own: what a test leaves behind would hold the pipe, and nobody would ever see its end
    detached: true,
  })
  const kill = () => killGroup(child.pid, 'SIGTERM')
  process.on('exit', kill)
  let tail = ''
  child.stdout.on('data', (chunk) => {
    say(chunk)
    tail = (tail + chunk).slice(-100_000)
  })
  child.on('exit', () => killGroup(child.pid, 'SIGKILL'))
  const ended = new Promise((done) =>
    child.on('close', (code) => {
      process.off('exit', kill)
      const total = (name) => Number(tail.match(new RegExp(`^. ${name} (\\d+)$`, 'm'))?.[1] ?? 0)
      const [passed, failed, skipped] = ['pass', 'fail', 'skipped'].map(total)
      done({ passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped })
    }),
  )
  return Object.assign(ended, { kill })
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal)
  } catch {
    // all of it has ended
  }
}

export const minutes = (ms) => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`
