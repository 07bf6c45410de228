import { closeSync, cpSync, mkdirSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { mix, randomFrom } from '../test/soak/market.ts'
import { ENGINES, type EngineStore } from './engine-stores.ts'
import type { EngineTask, Measured } from './engines.ts'

/** Runs one engine in a process of its own, which it may crash. */
const task: EngineTask = JSON.parse(process.argv[2]!)
const open = (dir: string): Promise<EngineStore> => ENGINES[task.engine](dir, task.records)
const say = (word: unknown): void => void writeSync(1, `${JSON.stringify(word)}\n`)

const RECORD_BYTES = 300
const BULK = 10_000
const COMMIT = { overwrites: 40, inserts: 20 }

/** Differs for each id and version, and is hard to compress. */
function recordOf(id: number, version: number): Buffer {
  const bytes = Buffer.allocUnsafe(RECORD_BYTES)
  let state = mix(id, version)
  for (let at = 0; at < RECORD_BYTES; at += 4) {
    state = mix(state, at)
    bytes.writeUInt32LE(state, at)
  }
  return bytes
}

async function fill(store: EngineStore, records: number): Promise<void> {
  for (let from = 0; from < records; from += BULK) {
    await store.commit((put) => {
      for (let id = from; id < Math.min(records, from + BULK); id++) put(id, recordOf(id, 0))
    })
  }
}

const cpuUs = (): number => {
  const { user, system } = process.cpuUsage()
  return user + system
}
async function perItem(items: number, work: () => unknown): Promise<number> {
  const before = cpuUs()
  await work()
  return (cpuUs() - before) / items
}

async function measure(): Promise<Measured> {
  const { dir, records } = task
  const random = randomFrom(5)
  const any = (below: number): number => Math.floor(random() * below)
  const store = await open(dir)
  const bulk = await perItem(records, () => fill(store, records))
  const read = await perItem(task.reads, () => {
    for (let i = 0; i < task.reads; i++)
      if (store.get(any(records))?.length !== RECORD_BYTES) throw new Error('missing')
  })
  const range = await perItem(task.reads, async () => {
    for (let i = 0; i < task.reads / 200; i++) {
      const from = any(records - 200)
      if ((await store.range(from, from + 200)) !== 200 * RECORD_BYTES) throw new Error('missing')
    }
  })
  const took: number[] = []
  const commitCpu = await perItem(task.commits, async () => {
    for (let no = 0; no < task.commits; no++) {
      const began = performance.now()
      await store.commit((put) => {
        for (let i = 0; i < COMMIT.overwrites; i++) put(any(records), recordOf(i, no))
        for (let i = 0; i < COMMIT.inserts; i++) put(records + no * COMMIT.inserts + i, recordOf(i, no))
      })
      took.push(performance.now() - began)
    }
  })
  took.sort((a, b) => a - b)
  const copied = await copyWhileWritten(store)
  await store.close()
  const rows = records + task.commits * COMMIT.inserts
  return {
    'bulk put, CPU µs': bulk,
    'point read, CPU µs': read,
    'range read of a row, CPU µs': range,
    'live commit p50, ms': took[took.length >> 1]!,
    'live commit p99, ms': took[Math.floor(took.length * 0.99)]!,
    'live commit, CPU ms': commitCpu / 1_000,
    'bytes a row': sizeOf(dir) / rows,
    ...copied,
  }
}

/** Every commit writes one number to two records, so a copy of one commit has equal numbers. */
async function copyWhileWritten(store: EngineStore): Promise<Measured> {
  if (store.copy === null) return {}
  const to = `${task.dir}-copy`
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  const [first, last] = [0, task.records - 1]
  const write = (no: number): unknown =>
    store.commit((put) => {
      put(first, recordOf(0, no))
      put(last, recordOf(0, no))
    })
  await write(1)
  let copied = false
  let commits = 0
  const began = performance.now()
  const copying = store.copy(to).finally(() => {
    copied = true
  })
  while (!copied) {
    await write(2 + commits++)
    await setImmediate()
  }
  await copying
  const ms = performance.now() - began
  const copy = await open(to)
  const same = Buffer.compare(copy.get(first)!, copy.get(last)!) === 0
  await copy.close()
  rmSync(to, { recursive: true })
  if (!same) throw new Error(`${task.engine}: the copy is of no one commit`)
  return { 'copy while written, ms': ms, 'commits while it was copied': commits }
}

/** Runs in a fresh process; the system's page cache is the same for all engines. */
async function reopen(): Promise<Measured> {
  // excludes the time to load the package
  mkdirSync(`${task.dir}-empty`)
  await (await open(`${task.dir}-empty`)).close()
  rmSync(`${task.dir}-empty`, { recursive: true })
  const before = cpuUs()
  const began = performance.now()
  const store = await open(task.dir)
  if (store.get(task.records >> 1) === undefined) throw new Error('missing')
  const ms = performance.now() - began
  const figures = { 'open and first read, ms': ms, 'open and first read, CPU ms': (cpuUs() - before) / 1_000 }
  await store.close()
  return figures
}

const filesIn = (dir: string): { path: string; bytes: number }[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => ({ path: join(parentPath, name), bytes: statSync(join(parentPath, name)).size }))

/** sizes on disk, because some files have holes */
const sizeOf = (dir: string): number => filesIn(dir).reduce((sum, { path }) => sum + statSync(path).blocks * 512, 0)

/** True for files with records, but not for locks, notes, and the file that stands in for our log. */
const isData = ({ path, bytes }: { path: string; bytes: number }): boolean =>
  bytes > 0 && /\.(mdb|db|ldb|sst|log)$|\/MANIFEST-\d+$/.test(path) && !/\/log\//.test(path)

/** Number of the intact copy: it must read back correctly, or the other results mean nothing. */
const UNDAMAGED = -1

/** Flips one bit in the files, reads everything, and reports whether the damage is detected. */
async function damage(no: number, expected: readonly Buffer[]): Promise<'noticed' | 'different' | 'harmless'> {
  const copy = `${task.dir}-damaged`
  rmSync(copy, { recursive: true, force: true })
  cpSync(task.dir, copy, { recursive: true })
  const random = randomFrom(mix(41, no))
  if (no !== UNDAMAGED) flip(filesIn(copy).filter(isData), random)
  let store: EngineStore | null = null
  try {
    store = await open(copy)
    let bytes = 0
    for (let id = 0; id < task.records; id++) {
      const found = store.get(id)
      if (found === undefined || Buffer.compare(found, expected[id]!) !== 0) return 'different'
      bytes += found.length
    }
    return (await store.range(0, task.records)) === bytes ? 'harmless' : 'different'
  } catch (error) {
    if (no === UNDAMAGED) throw error
    return 'noticed'
  } finally {
    try {
      await store?.close()
    } catch {}
  }
}

function flip(files: { path: string; bytes: number }[], random: () => number): void {
  let at = Math.floor(random() * files.reduce((sum, { bytes }) => sum + bytes, 0))
  for (const { path, bytes } of files) {
    if (at < bytes) {
      const file = openSync(path, 'r+')
      const byte = Buffer.alloc(1)
      readSync(file, byte, 0, 1, at)
      byte[0]! ^= 1 << Math.floor(random() * 8)
      writeSync(file, byte, 0, 1, at)
      closeSync(file)
      return
    }
    at -= bytes
  }
}

switch (task.kind) {
  case 'measure':
    say(await measure())
    break
  case 'reopen':
    say(await reopen())
    break
  case 'fill': {
    const store = await open(task.dir)
    await fill(store, task.records)
    await store.close()
    // reopened once, because LevelDB and RocksDB then move their write-ahead log into tables
    await (await open(task.dir)).close()
    say({})
    break
  }
  case 'damage': {
    const expected = Array.from({ length: task.records }, (_, id) => recordOf(id, 0))
    const control = await damage(UNDAMAGED, expected)
    if (control !== 'harmless') throw new Error(`an undamaged store is ${control}`)
    for (let no = task.from; no < task.until; no++) say(await damage(no, expected))
  }
}
process.exit(0)
