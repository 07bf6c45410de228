import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { emptyDir } from '../../../../test/support/store-scene.ts'
import { type Checkpointer, createCheckpointer } from './checkpointer.ts'
import { type CommitsParts, createCommits } from './commits.ts'
import { type Connection, openConnection } from './connection.ts'
import { createMeta, START } from './meta.ts'
import { createTables } from './schema.ts'

type Log = NonNullable<CommitsParts['log']>

interface Scene {
  readonly connection: Connection
  readonly meta: ReturnType<typeof createMeta>
  /** Actions in order. */
  readonly done: string[]
  readonly path: string
  open(
    log?: Partial<Log>,
    checkpointer?: Checkpointer | null,
    bounds?: CommitsParts['bounds'],
  ): ReturnType<typeof createCommits>
  /** Committed rows of the written table, as another connection sees them. */
  committed(): number
}

const NO_CHECKPOINTS = { bytes: 1e12, bytesMax: 1e12 }

function scene(t: TestContext): Scene {
  const path = join(emptyDir(t), 'state.db')
  const connection = openConnection(path, { cacheKiB: 256 })
  createTables(connection)
  const meta = createMeta(connection)
  meta.writePosition({ ...START, chain: 1 })
  const other = openConnection(path, { cacheKiB: 256, readOnly: true })
  t.after(() => {
    other.close()
    connection.close()
  })
  const count = other.prepare('select count(*) as n from tokens')
  const committed = (): number => (count.get() as unknown as { n: number }).n
  const done: string[] = []
  return {
    ...{ connection, meta, done, path, committed },
    open: (log, checkpointer = null, bounds = NO_CHECKPOINTS) =>
      createCommits({
        ...{ connection, meta, checkpointer, bounds, found: { generation: 0, walBytes: 0 } },
        log: {
          sync: () => void done.push(`sync, ${committed()} committed`),
          discard: () => void done.push('discard'),
          chain: (seq) => seq * 10,
          ...log,
        },
        onRollback: () => void done.push('forget'),
      }),
  }
}

const insert = ({ connection }: Scene, id: number, bytes = 10): void => {
  connection.prepare('insert into tokens values (?, ?, 0)').run(id, Buffer.alloc(bytes))
  connection.count(bytes)
}

test('the log is on disk before the state says that it was folded', (t) => {
  const made = scene(t)
  const commits = made.open()
  const answer = commits.transaction(() => {
    insert(made, 0)
    commits.stage({ ...START, seq: 3, frames: 2 })
    return 'done'
  })
  assert.equal(answer, 'done')
  assert.deepEqual(made.done, ['sync, 0 committed'])
  assert.equal(made.committed(), 1)
  // each opening sets a generation of its own
  const position = { ...START, seq: 3, frames: 2, chain: 30, generation: 1 }
  assert.deepEqual([commits.position(), made.meta.position()], [position, position])
})

test('where the log cannot be written, nothing is committed', (t) => {
  const made = scene(t)
  const before = made.meta.position()
  const commits = made.open({
    sync() {
      throw new Error('the disk is full')
    },
  })
  const work = () => {
    insert(made, 0)
    commits.stage({ ...START, seq: 3 })
  }
  assert.throws(() => commits.transaction(work), /the disk is full/)
  assert.deepEqual(made.done, ['discard', 'forget'])
  assert.equal(made.committed(), 0)
  assert.deepEqual([commits.position(), made.meta.position()], [before, before])
})

test('work that fails, and what no entry of the log gives, leave everything as it was, and the next one is committed', (t) => {
  const made = scene(t)
  const before = made.meta.position()
  const commits = made.open({ chain: (seq) => (seq === 4 ? 44 : undefined) })
  const failing = () => {
    insert(made, 0)
    throw new Error('stop')
  }
  assert.throws(() => commits.transaction(failing), /stop/)
  assert.throws(() => commits.transaction(() => commits.stage({ ...START, seq: 5 })), /the log has no entry 5/)
  assert.equal(made.committed(), 0)
  assert.deepEqual([commits.position(), made.meta.position()], [before, before])
  commits.transaction(() => {
    insert(made, 0)
    commits.stage({ ...START, seq: 4 })
  })
  assert.deepEqual([made.committed(), commits.position().chain], [1, 44])
  assert.deepEqual(made.done.slice(0, 2), ['discard', 'forget'])
})

test('what stages nothing is committed where it stood', (t) => {
  const made = scene(t)
  const commits = made.open()
  commits.transaction(() => insert(made, 0))
  assert.deepEqual([made.committed(), commits.position().seq], [1, -1])
})

test('the write-ahead log is used again, and what the main file has is counted', (t) => {
  const made = scene(t)
  const commits = made.open({}, createCheckpointer(made.connection), {
    bytes: 200_000,
    bytesMax: 400_000,
  })
  let largest = 0
  for (let seq = 0; seq < 60; seq++) {
    commits.transaction(() => {
      insert(made, seq, 50_000)
      commits.stage({ ...commits.position(), seq })
    })
    largest = Math.max(largest, statSync(`${made.path}-wal`).size)
  }
  const { generation, floor } = commits.position()
  assert.ok(generation >= 10 && floor === generation - 1, JSON.stringify(commits.position()))
  assert.ok(largest < 1_000_000 && statSync(made.path).size > 2_500_000, `${largest} bytes`)
})

test('a checkpoint that was not complete is not counted, and only one runs at a time', (t) => {
  const made = scene(t)
  let asked = 0
  let finish: (() => void) | null = null
  const slow: Checkpointer = {
    run(_, done) {
      asked++
      finish = () => {
        finish = null
        done()
      }
    },
    running: () => finish !== null,
    close: async () => {},
  }
  const commits = made.open({}, slow, { bytes: 1_000, bytesMax: 50_000 })
  const next = (): void => {
    const seq = commits.position().seq + 1
    commits.transaction(() => {
      insert(made, seq, 2_000)
      commits.stage({ ...commits.position(), seq })
    })
  }
  for (let i = 0; i < 4; i++) next()
  assert.deepEqual([asked, commits.position().generation, commits.position().floor], [1, 1, 0])
  finish!()
  next()
  assert.deepEqual([asked, commits.position().generation, commits.position().floor], [2, 2, 1])
})

test('closing moves everything into the main file, under a generation of its own', async (t) => {
  const made = scene(t)
  const commits = made.open()
  commits.transaction(() => {
    insert(made, 0)
    commits.stage({ ...START, seq: 3 })
  })
  await commits.close()
  assert.equal(statSync(`${made.path}-wal`).size, 0)
  assert.deepEqual(made.meta.position(), { ...START, seq: 3, chain: 30, generation: 2 })
})
