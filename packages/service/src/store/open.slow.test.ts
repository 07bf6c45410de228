import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { markState, OTHER_FINGERPRINT } from '../../../../test/support/other-fold.ts'
import { commit, type Given, keyOf, position, token, trade, wallet } from '../../../../test/support/store-scene.ts'
import { EXIT, OperatorError } from '../base/errors.ts'
import { DamagedLog } from '../log/segments/damaged.ts'
import { DamagedState } from './damage.ts'
import { logDir, openStore, openStoreToRead, stateDir, stateFile } from './open.ts'
import { FORMAT_VERSION } from './schema.ts'
import type { Store } from './store.ts'

const COMMITS = 60
/** Bytes of an SQLite page. */
const PAGE = 4_096
const base = mkdtempSync(join(tmpdir(), 'open-'))
/** Everything in the main file, as after a stop; and everything in the write-ahead log, as after a kill. */
const stopped = join(base, 'stopped')
const killed = join(base, 'killed')
const wal = (dir: string): string => `${stateFile(dir)}-wal`
const segment = (dir: string): string => join(logDir(dir), readdirSync(logDir(dir)).sort().at(-1)!)
/** The state's contents after each commit. */
const contents: string[] = []

/** Everything readable; throws if it differs from what was written. */
function everythingIn(store: Store): string {
  const { nextToken = 0, nextWallet = 0 } = store.globals() ?? {}
  const tokens = Array.from({ length: nextToken }, (_, id) => ({
    token: store.token(id),
    positions: store.positions(id),
    bundles: store.bundles(id),
    found: store.tokenIdByMint(keyOf(id)),
  }))
  const wallets = Array.from({ length: nextWallet }, (_, id) => [store.wallet(id), store.walletIdByAddress(keyOf(id))])
  return JSON.stringify([store.globals(), tokens, wallets, [...store.trades(0)], store.liveTokenIds()])
}

/** The contents of commit `i`: a token, two wallets, a changed token. */
function oneMore(i: number): Given {
  const [newTokens, newWallets] = [[token(i)], [wallet(2 * i), wallet(2 * i + 1)]]
  const positions = [position(i, 2 * i), position(i >> 1, 2 * i + 1)]
  const tokens = i === 0 ? newTokens : [...newTokens, token(i >> 1, i)]
  const trades = Array.from({ length: 8 }, (_, k) => trade(8 * i + k, 8 * i + k - 1))
  return { tokens, newTokens, newWallets, wallets: newWallets, positions, trades, live: new Map([[i, true]]) }
}

before(async () => {
  const store = openStore(stopped)
  for (let i = 0; i < COMMITS; i++) {
    commit(store, oneMore(i))
    contents.push(everythingIn(store))
  }
  cpSync(stopped, killed, { recursive: true })
  await store.close()
})
after(() => rmSync(base, { recursive: true }))

let copies = 0

function copyOf(original: string, change: (dir: string) => void): string {
  const dir = join(base, `copy-${copies++}`)
  cpSync(original, dir, { recursive: true })
  change(dir)
  return dir
}

const filesIn = (dir: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(dir, name)).isFile() && !name.endsWith('-shm'))
      .map((name) => [name, readFileSync(join(dir, name))]),
  )

/** Opens, reads everything and commits. Returns the number of intact commits, or why it cannot be used. */
async function outcome(dir: string): Promise<number | DamagedState | DamagedLog> {
  let store: Store | null = null
  try {
    store = openStore(dir)
    const { seq } = store.position()
    if (seq >= 0) assert.equal(everythingIn(store), contents[seq])
    // if the log continues, the caller would fold the rest
    if (store.log.newest() === seq) commit(store, oneMore(seq + 1))
    return seq + 1
  } catch (error) {
    if (error instanceof DamagedState || error instanceof DamagedLog) return error
    throw error
  } finally {
    await store?.close()
  }
}

/** Every `step`th length, and lengths around page ends. */
function lengthsOf(path: string, step: number): number[] {
  const { size } = statSync(path)
  const lengths = new Set([0, 1, 15, 16, 100, 4_095, 4_096, 4_097, 8_192, size - 4_096, size - 1])
  for (let length = step; length < size; length += step) lengths.add(length)
  return [...lengths].filter((length) => length >= 0 && length < size)
}

test('sound directories open with everything', async () => {
  assert.ok(statSync(wal(killed)).size > 100_000 && !(existsSync(wal(stopped)) && statSync(wal(stopped)).size > 0))
  for (const sound of [stopped, killed]) assert.equal(await outcome(copyOf(sound, () => {})), COMMITS)
})

test('a state file cut short at any length is found damaged', async () => {
  const whole = readFileSync(stateFile(stopped))
  for (const length of lengthsOf(stateFile(stopped), 40_000)) {
    const dir = copyOf(stopped, (dir) => truncateSync(stateFile(dir), length))
    const found = await outcome(dir)
    // a truncated page reads as zeros, so nothing is missing if it ended in zeros
    const isWhole = whole.length - length < PAGE && whole.subarray(length).every((byte) => byte === 0)
    assert.ok(isWhole ? found === COMMITS : found instanceof DamagedState, `cut to ${length}: ${found}`)
  }
})

test('a write-ahead log cut short at any length gives a state as of an earlier commit, or is found damaged', async (t) => {
  const ends = new Set<number>()
  for (const length of lengthsOf(wal(killed), 67_000)) {
    const end = await outcome(copyOf(killed, (dir) => truncateSync(wal(dir), length)))
    assert.ok(end instanceof DamagedState || (typeof end === 'number' && end < COMMITS), `cut to ${length}: ${end}`)
    if (typeof end === 'number') ends.add(end)
  }
  t.diagnostic(`commits that were left: ${[...ends].join(' ')}`)
  assert.ok(ends.size > 5)
})

test('a log cut short at any length is refused by name, and left as it is', async () => {
  for (const length of lengthsOf(segment(stopped), 397)) {
    const dir = copyOf(stopped, (dir) => truncateSync(segment(dir), length))
    const before = filesIn(dir)
    const end = await outcome(dir)
    assert.ok(end instanceof DamagedLog && end.message.includes(logDir(dir)), `cut to ${length}: ${end}`)
    assert.deepEqual(filesIn(dir), before, `cut to ${length}`)
  }
})

/** Overwrites bytes of the file at `path`. */
function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = readFileSync(path)
  bytes.copy(file, at)
  writeFileSync(path, file)
}

test('torn and foreign state files are found damaged and left as they are', async () => {
  const zeros = (bytes: number) => Buffer.alloc(bytes)
  const files: Record<string, (path: string) => void> = {
    text: (path) => writeFileSync(path, 'hello\n'.repeat(10_000)),
    zeros: (path) => writeFileSync(path, zeros(1 << 20)),
    ones: (path) => writeFileSync(path, Buffer.alloc(1 << 20, 0xff)),
    'its first words only': (path) => writeFileSync(path, `SQLite format 3\0${'x'.repeat(20_000)}`),
    'first page torn': (path) => overwrite(path, 0, zeros(4_096)),
    'second page torn': (path) => overwrite(path, 4_096, zeros(4_096)),
    'first word changed': (path) => overwrite(path, 3, Buffer.from([1])),
    'page size changed': (path) => overwrite(path, 16, Buffer.from([3, 1])),
    // a copy that was preallocated and then interrupted
    'length without data': (path) => overwrite(path, 4_096, zeros(statSync(path).size - 4_096)),
  }
  for (const [name, change] of Object.entries(files)) {
    const dir = copyOf(stopped, (dir) => change(stateFile(dir)))
    const before = filesIn(dir)
    assert.ok((await outcome(dir)) instanceof DamagedState, name)
    assert.deepEqual(filesIn(dir)['state/state.db'], before['state/state.db'], name)
  }
})

test('a changed byte anywhere in the state is found, or changes nothing that is read', async (t) => {
  const { size } = statSync(stateFile(stopped))
  let found = 0
  for (let at = 40; at < size; at += 2_003) {
    const end = await outcome(
      copyOf(stopped, (dir) => {
        const bytes = readFileSync(stateFile(dir))
        bytes[at]! ^= 1 << (at % 8)
        writeFileSync(stateFile(dir), bytes)
      }),
    )
    assert.ok(end instanceof DamagedState || end === COMMITS, `byte ${at}: ${end}`)
    if (end !== COMMITS) found++
  }
  t.diagnostic(`${found} of ${Math.ceil((size - 40) / 2_003)} were found`)
  assert.ok(found > 20)
})

test('what is no file in the place of the state is refused and does not hang', {
  skip: process.platform === 'win32' && 'no pipes',
}, () => {
  const pipe = copyOf(stopped, (dir) => rmSync(stateFile(dir)))
  execFileSync('mkfifo', [stateFile(pipe)])
  const folder = copyOf(stopped, (dir) => rmSync(stateFile(dir)))
  mkdirSync(stateFile(folder))
  const script = `
    const { openStore, openStoreToRead } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
    for (const open of [openStore, openStoreToRead]) {
      try {
        open(process.argv[1])
      } catch (error) {
        console.log(error.exitCode, error.message)
      }
    }`
  for (const dir of [pipe, folder]) {
    const args = ['--import', 'tsx', '--input-type=module', '-e', script, dir]
    const { stdout, stderr, signal } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 180_000 })
    assert.equal(signal, null, 'it hangs')
    const line = `${EXIT.badFile} ${stateFile(dir)} cannot be used: it is not a regular file. Nothing was changed`
    assert.deepEqual(stdout.trim().split('\n'), [line, line], stderr)
  }
})

test('whatever lies in the file of shared memory beside the write-ahead log, a sound state opens', async () => {
  for (const content of ['', 'x', 'y'.repeat(32_768), 'z'.repeat(100_001)]) {
    assert.equal(await outcome(copyOf(killed, (dir) => writeFileSync(`${stateFile(dir)}-shm`, content))), COMMITS)
  }
})

test('what a crash left of making the state does not disturb the next start', async () => {
  const dir = join(base, 'half-made')
  mkdirSync(join(dir, 'state-new'), { recursive: true })
  writeFileSync(join(dir, 'state-new', 'state.db'), 'half')
  const store = openStore(dir)
  assert.deepEqual([store.log.newest(), store.position().seq], [-1, -1])
  await store.close()
  assert.deepEqual(readdirSync(dir).sort(), ['log', 'state'])
})

test('a state file beside the write-ahead log of another time is found damaged, either way round', async () => {
  const dir = join(base, 'times')
  const early = join(base, 'early')
  let store = openStore(dir)
  commit(store, { tokens: [token(0)], newTokens: [token(0)] })
  cpSync(dir, early, { recursive: true })
  await store.close()
  store = openStore(dir)
  commit(store, { tokens: [token(0, 5), token(1)], newTokens: [token(1)] })
  const late = copyOf(dir, () => {})
  await store.close()
  assert.ok(statSync(wal(early)).size > 0 && statSync(wal(late)).size > 0)
  for (const [main, other] of [
    [early, late],
    [late, early],
  ] as const) {
    const mixed = copyOf(late, (dir) => {
      cpSync(stateFile(main), stateFile(dir))
      cpSync(wal(other), wal(dir))
    })
    assert.throws(() => openStore(mixed), DamagedState, `the state of ${main}`)
  }
  for (const sound of [early, late]) await openStore(copyOf(sound, () => {})).close()
})

function refusal(dir: string, open: (dir: string) => Store): OperatorError {
  const before = filesIn(dir)
  try {
    open(dir)
  } catch (error) {
    assert.ok(error instanceof OperatorError && !(error instanceof DamagedState), String(error))
    assert.equal(error.exitCode, EXIT.badFile)
    assert.ok(error.message.includes(stateFile(dir)), error.message)
    assert.deepEqual(filesIn(dir), before)
    return error
  }
  throw new Error('it opened')
}

test('a state of another fold or format is refused with what folds it again, and nothing is changed', async () => {
  const refused = [
    [
      { fingerprint: OTHER_FINGERPRINT },
      /another build \(fingerprint 0123456789abcdef, this one has [0-9a-f]{16}\).*`verify --repair`/,
    ],
    [{ format: 6 }, new RegExp(`its format is 6, this program reads ${FORMAT_VERSION}.*\`verify --repair\``)],
    [
      { format: FORMAT_VERSION + 1, fingerprint: 'of another length' },
      new RegExp(`its format is ${FORMAT_VERSION + 1}`),
    ],
  ] as const
  for (const [change, why] of refused) {
    const other = copyOf(stopped, (dir) => markState(dir, change))
    for (const open of [openStore, openStoreToRead]) assert.match(refusal(other, open).message, why)
  }
})

test('a state without its log, and one beside another log, are refused and left as they are', async () => {
  const without = copyOf(stopped, (dir) => rmSync(logDir(dir), { recursive: true }))
  assert.match(refusal(without, (dir) => openStore(dir)).message, /log beside it.*is missing/)
  assert.equal(existsSync(logDir(without)), false)
  const other = join(base, 'other')
  const store = openStore(other)
  for (let i = 0; i < COMMITS; i++) commit(store)
  await store.close()
  const swapped = copyOf(stopped, (dir) => {
    rmSync(logDir(dir), { recursive: true })
    cpSync(logDir(other), logDir(dir), { recursive: true })
  })
  assert.match(refusal(swapped, (dir) => openStore(dir)).message, /it belongs to log .* the log beside it is/)
})

test('there is nothing to read where there is no state, and none is made', () => {
  const dir = join(base, 'nothing')
  mkdirSync(dir)
  assert.match(refusal(dir, (dir) => openStoreToRead(dir)).message, /there is no such file/)
  assert.deepEqual(readdirSync(dir), [])
  assert.equal(existsSync(stateDir(dir)), false)
})
