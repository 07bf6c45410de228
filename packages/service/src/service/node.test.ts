import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import { buildHistory, type Step } from '../../../../test/support/histories.ts'
import { OperatorError } from '../base/errors.ts'
import { encodeEntry } from '../log/codec.ts'
import { DamagedLog } from '../log/segments/damaged.ts'
import { damagedStates, STATE_REPAIRS } from '../store/damaged-states.ts'
import { logDir, stateDir, stateFile } from '../store/open.ts'
import { COMMIT_REPLAY, type Node, type NodeOptions, openNode, type Preparation, REFOLD } from './node.ts'

/** so that a repair takes many commits */
Object.assign(REFOLD, { events: 50, entries: 20 })
const ENTRIES = 400
const steps: Step[] = Array.from({ length: ENTRIES }, (_, i) => ({
  gap: 1 + (i % 3),
  token: i % 7,
  wallet: i % 5,
  action: i % 4 === 3 ? 'sell' : 'buy',
  size: 10 + (i % 90),
}))
const history = buildHistory(steps).map((entry) => Buffer.from(encodeEntry(entry)))

let base = ''
/** folded to its end and stopped; and its state as of half of it */
let whole = ''
let half = ''
let wholeHash = ''

async function feed(node: Node, entries: readonly Buffer[]): Promise<void> {
  const stream = {
    counts: createCounts(),
    async *batches() {
      yield entries
    },
  }
  await node.feed(stream, { commit: COMMIT_REPLAY }).run(new AbortController().signal)
}

before(async () => {
  base = mkdtempSync(join(tmpdir(), 'node-'))
  whole = join(base, 'whole')
  half = join(base, 'half')
  let node = await openNode(whole)
  await feed(node, history.slice(0, history.length >> 1))
  await node.close()
  cpSync(whole, half, { recursive: true })
  node = await openNode(whole)
  await feed(node, history.slice(history.length >> 1))
  wholeHash = node.store.stateHash()
  await node.close()
})
after(() => base !== '' && rmSync(base, { recursive: true, force: true }))

let copies = 0
function copyOf(change: (dir: string) => void): string {
  const dir = join(base, `copy-${copies++}`)
  cpSync(whole, dir, { recursive: true })
  change(dir)
  return dir
}

interface Opened {
  readonly hash: string
  readonly reported: readonly Preparation[]
  readonly repairs: readonly string[]
}

async function open(dir: string, options: NodeOptions = {}): Promise<Opened> {
  const reported: Preparation[] = []
  const repairs: string[] = []
  const node = await openNode(dir, {
    onPreparation: (preparation) => void reported.push(preparation),
    onRepair: (why) => void repairs.push(why),
    ...options,
  })
  try {
    const { seq } = node.engine.globals
    assert.deepEqual([seq, node.store.globals()?.seq], [history.length - 1, history.length - 1])
    return { hash: node.store.stateHash(), reported, repairs }
  } finally {
    await node.close()
  }
}

test('a sound directory is opened without any preparation', async () => {
  assert.deepEqual(await open(copyOf(() => {})), { hash: wholeHash, reported: [], repairs: [] })
})

test('a missing state is folded from the log, to the same state, and says how far it is', async () => {
  const dir = copyOf((dir) => rmSync(stateDir(dir), { recursive: true }))
  const { hash, reported, repairs } = await open(dir)
  assert.deepEqual([hash, repairs], [wholeHash, []])
  assert.ok(reported.length > 5, `${reported.length} commits`)
  assert.ok(reported.every(({ what, of }) => what === 'folding the log' && of === history.length))
  assert.equal(reported.at(-1)!.done, history.length)
  const done = reported.map(({ done }) => done)
  assert.deepEqual(
    done,
    [...new Set(done)].sort((a, b) => a - b),
  )
  assert.deepEqual(await open(dir), { hash: wholeHash, reported: [], repairs: [] })
})

test('a state that is older than the log is folded on from where it is', async () => {
  const dir = copyOf((dir) => {
    rmSync(stateDir(dir), { recursive: true })
    cpSync(stateDir(half), stateDir(dir), { recursive: true })
  })
  const { hash, reported, repairs } = await open(dir)
  assert.deepEqual([hash, repairs], [wholeHash, []])
  const rest = history.length - (history.length >> 1)
  assert.deepEqual([reported.at(-1)!.done, reported.at(-1)!.of], [rest, rest])
})

test('folding that is interrupted goes on at the next start', async () => {
  const dir = copyOf((dir) => rmSync(stateDir(dir), { recursive: true }))
  const stop = new AbortController()
  let done = 0
  const interrupted = open(dir, {
    signal: stop.signal,
    onPreparation(preparation) {
      done = preparation.done
      stop.abort()
    },
  })
  await assert.rejects(
    interrupted,
    (error) => error instanceof OperatorError && /continues from here/.test(error.message),
  )
  assert.ok(done > 0 && done < history.length)
  const { hash, reported } = await open(dir)
  assert.deepEqual([hash, reported.at(-1)!.of], [wholeHash, history.length - done])
})

test('a damaged state is set aside and folded again; the third within an hour is refused', async () => {
  const dir = copyOf(() => {})
  const damage = (): void => {
    const bytes = readFileSync(stateFile(dir))
    bytes.fill(0, 0, bytes.length >> 1)
    writeFileSync(stateFile(dir), bytes)
  }
  for (let i = 1; i <= STATE_REPAIRS; i++) {
    damage()
    const { hash, repairs } = await open(dir)
    assert.deepEqual([hash, repairs.length, damagedStates(dir).length], [wholeHash, 1, i])
    assert.match(repairs[0]!, /state\.db is damaged/)
  }
  damage()
  const before = readFileSync(stateFile(dir))
  await assert.rejects(open(dir), /3 times within an hour/)
  assert.ok(before.equals(readFileSync(stateFile(dir))))
  // the lock was given back
  await assert.rejects(open(dir), /3 times within an hour/)
})

test('a damaged state is set aside also where nobody asked to be told', async () => {
  const dir = copyOf((dir) => truncateSync(stateFile(dir), 5_000))
  const node = await openNode(dir)
  assert.equal(node.store.stateHash(), wholeHash)
  await node.close()
  assert.equal(damagedStates(dir).length, 1)
})

test('a damaged log is refused, and neither log nor state are touched', async () => {
  const name = join('log', '0000000000000000.log')
  const dir = copyOf((dir) => {
    const bytes = readFileSync(join(dir, name))
    writeFileSync(join(dir, name), bytes.subarray(0, bytes.length >> 1))
  })
  const files = (): Buffer[] => [readFileSync(join(dir, name)), readFileSync(stateFile(dir))]
  const before = files()
  await assert.rejects(open(dir), DamagedLog)
  assert.deepEqual(files(), before)
  assert.deepEqual([damagedStates(dir), existsSync(logDir(dir))], [[], true])
})
