import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { open } from 'lmdb'
import { EXIT, OperatorError } from '../base/errors.ts'
import { encodeEntry } from '../log/codec.ts'
import { openStore } from './open.ts'

const OPTIONS = { formulasVersion: '1' }
const ENTRIES = 3000
const base = mkdtempSync(join(tmpdir(), 'open-'))
const sound = join(base, 'sound')
const data = (dir: string): string => join(dir, 'data.mdb')
/** bytes of the sound file that hold data, and those with a little of the spare behind them */
let usedBytes = 0
let soundBytes = Buffer.alloc(0)

before(async () => {
  const store = openStore(sound, OPTIONS)
  for (let seq = 0; seq < ENTRIES; seq += 100) {
    store.transaction(() => {
      for (let i = seq; i < seq + 100; i++) store.log.append(i, encodeEntry({ kind: 'gap', from: i, to: i + 1e12 }))
    })
  }
  usedBytes = store.sizes().usedBytes
  await store.close()
  soundBytes = readFileSync(data(sound)).subarray(0, usedBytes + 200_000)
})
after(() => rmSync(base, { recursive: true }))

/** Opens each directory in another process and says what came of it: a crash there ends that process, not this one. */
function openElsewhere(dirs: readonly string[]): string[] {
  const script = `
    import { writeSync } from 'node:fs'
    const { openStore } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
    const { encodeEntry } = await import(${JSON.stringify(new URL('../log/codec.ts', import.meta.url).href)})
    for (const dir of process.argv.slice(1)) {
      let answer
      try {
        const store = openStore(dir, ${JSON.stringify(OPTIONS)})
        let count = 0
        for (const { seq, entry } of store.log.read(0)) if (entry.from === seq) count++
        store.transaction(() => store.log.append(store.log.newest() + 1, encodeEntry({ kind: 'gap', from: 0, to: 0 })))
        answer = 'opened ' + count
        await store.close()
      } catch (error) {
        answer = (error.exitCode === ${EXIT.badFile} ? 'refused ' : 'threw ') + error.message
      }
      writeSync(1, answer + '\\n')
    }`
  const args = ['--import', 'tsx', '--input-type=module', '-e', script, ...dirs]
  const run = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const answers = run.stdout.split('\n').slice(0, -1)
  assert.equal(run.signal, null, `${run.signal} at ${dirs[answers.length]}\n${run.stderr}`)
  assert.equal(answers.length, dirs.length, run.stderr)
  return answers
}

/** A directory whose data file is a copy of the sound one, changed. */
function copyOf(name: string, change: (path: string) => void): string {
  const dir = join(base, name)
  mkdirSync(dir)
  writeFileSync(data(dir), soundBytes)
  change(data(dir))
  return dir
}

test('a file cut short at any length is refused or opens with everything that was committed', () => {
  assert.ok(usedBytes > 100_000)
  const lengths = [0, 1, 100, 167, 168, 2048, 4095, 4096, 4200, 4264, 8191, 8192, 12_288]
  for (let pages = 4; pages < usedBytes / 4096; pages += 3) lengths.push(pages * 4096, pages * 4096 + 1000)
  lengths.push(usedBytes - 4096, usedBytes - 1, usedBytes, usedBytes + 1, usedBytes + 100_000)
  const dirs = lengths.map((length, i) => copyOf(`cut-${i}`, (path) => truncateSync(path, length)))
  const before = dirs.map((dir) => statSync(data(dir)).mtimeMs)
  const answers = openElsewhere(dirs)
  for (const [i, length] of lengths.entries()) {
    const [dir, answer] = [dirs[i]!, answers[i]!]
    if (length >= usedBytes) {
      assert.equal(answer, `opened ${ENTRIES}`, `cut to ${length}`)
    } else {
      assert.ok(answer.startsWith(`refused ${data(dir)} cannot be used`), `cut to ${length}: ${answer}`)
      assert.equal(statSync(data(dir)).size, length)
      assert.equal(statSync(data(dir)).mtimeMs, before[i])
      assert.ok(readFileSync(data(dir)).equals(soundBytes.subarray(0, length)), `cut to ${length}: changed`)
    }
  }
})

/** Overwrites bytes of the file at `path`. */
function overwrite(path: string, at: number, bytes: Buffer): void {
  const file = readFileSync(path)
  bytes.copy(file, at)
  writeFileSync(path, file)
}

test('torn and foreign files are refused by name and left as they are', () => {
  const zeros = (bytes: number) => Buffer.alloc(bytes)
  const stockLmdb = zeros(8192)
  for (const page of [0, 4096]) {
    stockLmdb.writeUInt16LE(8, page + 10)
    stockLmdb.writeUInt32LE(0xbeefc0de, page + 16)
    stockLmdb.writeUInt32LE(1, page + 20)
  }
  const files: Record<string, (path: string) => void> = {
    text: (path) => writeFileSync(path, 'hello\n'.repeat(10_000)),
    zeros: (path) => writeFileSync(path, zeros(1 << 20)),
    ones: (path) => writeFileSync(path, Buffer.alloc(1 << 20, 0xff)),
    sqlite: (path) => writeFileSync(path, `SQLite format 3\0${'x'.repeat(20_000)}`),
    'stock-lmdb': (path) => writeFileSync(path, stockLmdb),
    'first-page-torn': (path) => overwrite(path, 0, zeros(4096)),
    'second-page-torn': (path) => overwrite(path, 4096, zeros(4096)),
    'magic-changed': (path) => overwrite(path, 24, Buffer.from([1])),
    'version-changed': (path) => overwrite(path, 28, Buffer.from([9])),
    'page-size-changed': (path) => overwrite(path, 48, Buffer.from([1, 2, 3, 4])),
    // a copy that was given its full length first and then broken off
    'length-without-data': (path) => overwrite(path, 8192, zeros(usedBytes - 8192)),
    directory: (path) => {
      rmSync(path)
      mkdirSync(path)
    },
  }
  const dirs = Object.entries(files).map(([name, change]) => copyOf(name, change))
  const mtimes = dirs.map((dir) => statSync(data(dir)).mtimeMs)
  const bytes = (dir: string) => (statSync(data(dir)).isFile() ? readFileSync(data(dir)) : zeros(0))
  const contents = dirs.map(bytes)
  for (const [i, answer] of openElsewhere(dirs).entries()) {
    const dir = dirs[i]!
    assert.ok(answer.startsWith(`refused ${data(dir)} cannot be used`), `${dir}: ${answer}`)
    assert.equal(statSync(data(dir)).mtimeMs, mtimes[i], dir)
    assert.ok(bytes(dir).equals(contents[i]!), dir)
  }
})

test('a named pipe in the place of the file does not hang', {
  skip: process.platform === 'win32' && 'no pipes',
}, () => {
  const dir = join(base, 'pipe')
  mkdirSync(dir)
  execFileSync('mkfifo', [data(dir)])
  assert.match(openElsewhere([dir])[0]!, /^refused .*not a regular file/)
})

test('whatever lies in the lock file, a sound store opens', () => {
  const contents = ['', 'x', 'y'.repeat(8192), 'z'.repeat(100_001)]
  const dirs = contents.map((content, i) => {
    const dir = copyOf(`lock-${i}`, () => {})
    writeFileSync(join(dir, 'lock.mdb'), content)
    return dir
  })
  assert.deepEqual(
    openElsewhere(dirs),
    contents.map(() => `opened ${ENTRIES}`),
  )
})

test('what a crash left of making the store does not disturb the next start', async () => {
  const dir = join(base, 'half-made')
  mkdirSync(join(dir, 'new'), { recursive: true })
  writeFileSync(join(dir, 'new', 'data.mdb'), 'half')
  const store = openStore(dir, OPTIONS)
  assert.equal(store.log.newest(), -1)
  await store.close()
})

function refusal(dir: string, options: { formulasVersion: string }): OperatorError {
  const mtime = statSync(data(dir)).mtimeMs
  const content = readFileSync(data(dir))
  try {
    openStore(dir, options)
  } catch (error) {
    assert.ok(error instanceof OperatorError, String(error))
    assert.equal(error.exitCode, EXIT.badFile)
    assert.ok(error.message.includes(data(dir)))
    assert.equal(statSync(data(dir)).mtimeMs, mtime)
    assert.ok(readFileSync(data(dir)).equals(content))
    return error
  }
  throw new Error('it opened')
}

test('state of other formulas is refused, both versions named, and opens again with its own', async () => {
  assert.match(refusal(sound, { formulasVersion: '2' }).message, /format 3 and formulas 1.* format 3 and formulas 2/)
  const store = openStore(sound, OPTIONS)
  assert.equal(store.log.newest(), ENTRIES - 1)
  await store.close()
})

test('an LMDB file of another program is refused', async () => {
  const dir = join(base, 'other')
  const root = open({ path: dir, noSubdir: false, overlappingSync: false })
  await root.put('their', 'data')
  await root.close()
  assert.match(refusal(dir, OPTIONS).message, /another program/)
})
