import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { writeSimulation } from '@ti/lab/cli/simulate.ts'
import { freePort } from '../../ports.mjs'

/**
 * What the Dockerfile puts together, started without a container engine: its files, variables, user and commands in namespaces
 * of their own (bubblewrap), on this machine's Debian or on the root file system that ROOTFS names. The root is read-only, the
 * volume a directory.
 */
const ROOT = resolve(import.meta.dirname, '../../..')
const [, LAST = ''] = /\nFROM \S+\n([\s\S]*)$/.exec(readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')) ?? []

const field = (pattern: RegExp): string => {
  const [, found] = pattern.exec(LAST) ?? []
  assert.ok(found !== undefined, `the Dockerfile has no ${pattern}`)
  return found
}
const VARIABLES = field(/^ENV (.+)$/m)
  .split(' ')
  .map((pair) => pair.split('=', 2) as [string, string])
const ENTRYPOINT: string[] = JSON.parse(field(/^ENTRYPOINT (.+)$/m))
const CMD: string[] = JSON.parse(field(/^CMD (.+)$/m))
const HEALTH: string[] = JSON.parse(field(/^HEALTHCHECK [\s\S]*?\n {2}CMD (.+)$/m))
const [, UID = '', GID = ''] = /^USER (\d+):(\d+)$/m.exec(LAST) ?? []

const ROOTFS = process.env.ROOTFS ?? null
/** the directories of a merged /usr, as Debian has them */
const BASE =
  ROOTFS === null
    ? [
        ...bind('/usr'),
        ...bind('/etc'),
        ...link('usr/bin', '/bin'),
        ...link('usr/lib', '/lib'),
        ...link('usr/lib64', '/lib64'),
      ]
    : ['usr', 'etc', 'bin', 'lib', 'lib64'].flatMap((name) => bind(join(ROOTFS, name), `/${name}`))

function bind(from: string, to = from): string[] {
  return ['--ro-bind', from, to]
}
function link(target: string, at: string): string[] {
  return ['--symlink', target, at]
}

/** Of a container with this directory as its volume; the ports are those of the machine. */
function boxOf(volume: string, port: string, more: Readonly<Record<string, string>> = {}): string[] {
  const files = [...LAST.matchAll(/^COPY --from=build (\/app\/\S+) (\/app\/\S+)$/gm)].flatMap(([, from, to]) =>
    bind(join(ROOT, from!.slice('/app/'.length)), to),
  )
  const named = [...LAST.matchAll(/ln -s (\S+) (\/usr\/local\/\S+)/g)].flatMap(([, from, to]) => link(from!, to!))
  const source = { SOURCE: 'capture:/tmp/day.capture?speed=0' }
  const variables = Object.entries({ ...Object.fromEntries(VARIABLES), PORT: port, ...source, ...more })
  return [
    ...['--unshare-all', '--share-net', '--die-with-parent', '--as-pid-1', '--uid', UID, '--gid', GID],
    ...BASE,
    ...['--tmpfs', '/usr/local', '--ro-bind', process.execPath, '/usr/local/bin/node', ...named, ...files],
    ...[
      '--bind',
      volume,
      '/data',
      '--tmpfs',
      '/tmp',
      '--ro-bind',
      CAPTURE,
      '/tmp/day.capture',
      '--proc',
      '/proc',
      '--dev',
      '/dev',
      '--remount-ro',
      '/',
    ],
    ...['--chdir', '/app', '--clearenv', '--setenv', 'PATH', '/usr/local/bin:/usr/bin:/bin'],
    ...variables.flatMap(([name, value]) => ['--setenv', name, value]),
  ]
}

const build = ['scripts/build.mjs', 'operator']
execFileSync(process.execPath, build, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] })

const material = mkdtempSync(join(tmpdir(), 'material-'))
after(() => rmSync(material, { recursive: true, force: true }))
const CAPTURE = join(material, 'day.capture')
await writeSimulation(CAPTURE, { trades: 3_000, seed: '1' })

const MISSING = missing()
function missing(): string | false {
  const tried = spawnSync('bwrap', ['--unshare-all', '--uid', UID, ...BASE, '--proc', '/proc', '/bin/true'])
  if (tried.error !== undefined) return 'bubblewrap is not installed'
  return tried.status === 0 ? false : `bubblewrap may not make namespaces here: ${String(tried.stderr).trim()}`
}

interface Container {
  readonly child: ChildProcess
  /** what it prints until it listens */
  readonly banner: string
  /** its signal goes to process 1 of the container, as an engine sends it */
  stop(): Promise<void>
}

async function run(t: TestContext, volume: string, port: string): Promise<Container> {
  const args = ['--json-status-fd', '3', ...boxOf(volume, port), ...ENTRYPOINT, ...CMD]
  const child = spawn('bwrap', args, { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  let [printed, errors, status] = ['', '', '']
  child.stderr!.on('data', (text) => {
    errors += text
  })
  child.stdio[3]!.on('data', (text) => {
    status += text
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  await new Promise<void>((done, fail) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      printed += `${line}\n`
      if (line.startsWith('reference')) done()
    })
    ended.then((code) => fail(new Error(`it ended with ${code}: ${errors}`)))
  })
  return {
    child,
    banner: printed,
    async stop() {
      process.kill(JSON.parse(status.split('\n')[0]!)['child-pid'], 'SIGTERM')
      assert.equal(await ended, 0, errors)
    },
  }
}

test('the image starts as its user on a read-only root, is healthy, and its banner’s commands work inside', {
  skip: MISSING,
}, async (t) => {
  const volume = mkdtempSync(join(tmpdir(), 'volume-'))
  t.after(() => rmSync(volume, { recursive: true, force: true }))
  mkdirSync(join(volume, 'data'))
  // as the image does
  chmodSync(join(ROOT, 'packages/service/dist/main.js'), 0o755)
  const port = `${await freePort()}`
  const data = join(volume, 'data')
  const inside = (command: readonly string[], more: Record<string, string> = {}) =>
    promisify(execFile)('bwrap', [...boxOf(data, port, more), ...command], { timeout: 60_000 })

  assert.equal((await inside(['id', '-u'])).stdout.trim(), UID)
  await assert.rejects(inside(['touch', '/app/x']), 'the root is read-only')
  await assert.rejects(inside(HEALTH), 'nothing listens yet')
  const first = await run(t, data, port)
  await inside(HEALTH)
  const [, makeKey] = /^key +(\S.*)$/m.exec(first.banner) ?? []
  assert.equal(makeKey, 'token-intelligence keys create')
  const key = (await inside(makeKey.split(' '))).stdout.trim()
  assert.match(key, /^sk_live_/)
  const [, curl] = /^ {2}curl -s -H '[^']*' (http\S+)$/m.exec(first.banner) ?? []
  const ask = () => fetch(curl!, { headers: { authorization: `Bearer ${key}` } })
  assert.equal((await ask()).status, 200)
  const [, name] = /^commands +(?:TI_URL=\S+ )?(token-intelligence) board, .*tail frames;/m.exec(first.banner) ?? []
  const tailed = [name!, 'tail', 'frames', '--url', new URL(curl!).origin, '--after-seq', '0', '--count', '3']
  assert.equal((await inside(tailed, { TI_KEY: key })).stdout.trim().split('\n').length, 4, 'a head and three trades')
  await first.stop()

  const second = await run(t, data, port)
  assert.equal((await ask()).status, 200, 'key and history are in the volume')
  await second.stop()
})
