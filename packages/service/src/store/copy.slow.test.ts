import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commit, emptyDir, trade } from '../../../../test/support/store-scene.ts'
import { copyState } from './copy.ts'
import { openStore, openStoreToRead } from './open.ts'

const COPIES = 8
const ROWS = 50

/** Commits batches of rows that contain the batch number, endlessly. */
const writer = `
  import { writeSync } from 'node:fs'
  const { openStore } = await import(${JSON.stringify(new URL('./open.ts', import.meta.url).href)})
  const { commit, trade } = await import(${JSON.stringify(new URL('../../../../test/support/store-scene.ts', import.meta.url).href)})
  const store = openStore(process.argv[1])
  for (let i = store.log.newest() + 1; ; i++) {
    commit(store, {
      trades: Array.from({ length: ${ROWS} }, (_, k) => ({ ...trade(i * ${ROWS} + k, -1), slot: i })),
      frameMarks: [[i, i]],
    })
    if (i % 20 === 0) writeSync(1, i + '\\n')
  }`

test('a copy that is made while another process commits is the state as of one commit', async (t) => {
  const dir = emptyDir(t)
  const args = ['--import', 'tsx', '--input-type=module', '-e', writer, dir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  const ends: number[] = []
  for (let i = 0; i < COPIES; i++) {
    const to = emptyDir(t)
    await copyState(dir, to)
    assert.deepEqual(readdirSync(join(to, 'state')), ['state.db'])
    const store = openStoreToRead(to)
    const { seq } = store.position()
    assert.equal(store.globals()?.seq, seq)
    const slots = Array.from(store.trades(0), ({ slot }) => slot)
    assert.deepEqual([slots.length, slots.at(-1)], [(seq + 1) * ROWS, seq])
    assert.deepEqual([store.frameMark(seq), store.entries().frames], [[seq, seq], seq + 1])
    await store.close()
    ends.push(seq)
    // commits continue meanwhile
    await once(child.stdout, 'data')
  }
  child.kill('SIGKILL')
  await ended
  assert.equal(new Set(ends).size, COPIES, ends.join(' '))
  assert.deepEqual(
    ends,
    [...ends].sort((a, b) => a - b),
  )
})

test('a copy is no part of what it was made of', async (t) => {
  const [dir, to] = [emptyDir(t), emptyDir(t)]
  const store = openStore(dir)
  commit(store, { trades: [trade(0, -1)] })
  await copyState(dir, to)
  commit(store, { trades: [trade(1, 0)] })
  const copy = openStoreToRead(to)
  assert.deepEqual([copy.entries().trades, copy.trade(1)], [1, undefined])
  await copy.close()
  await store.close()
})

test('where there is no state nothing is made', async (t) => {
  const [dir, to] = [emptyDir(t), emptyDir(t)]
  await assert.rejects(copyState(dir, to), /there is no such file/)
  assert.equal(existsSync(join(to, 'state')), false)
})
