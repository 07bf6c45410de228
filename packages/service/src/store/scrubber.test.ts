import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { DatabaseSync } from '@photostructure/sqlite'
import { commit, emptyDir, trade } from '../../../../test/support/store-scene.ts'
import { eventually } from '../../../../test/support/wait.ts'
import { markedDamage } from './damage.ts'
import { logDir, openStore, stateFile } from './open.ts'
import { startScrubber } from './scrubber.ts'

const OPTIONS = { formulasVersion: '1' }
const PACE = { share: 1, pauseMs: 0, lookMs: 10 }
const ROWS = 200

function scene(t: TestContext) {
  const dir = emptyDir(t)
  const store = openStore(dir, { ...OPTIONS, serving: true })
  const found: { state: string[]; log: string[]; failed: Error[] } = { state: [], log: [], failed: [] }
  const scrubber = startScrubber(dir, {
    ...OPTIONS,
    pace: PACE,
    onDamagedState: (what) => found.state.push(what),
    onDamagedLog: (damage) => found.log.push(...damage),
    onFailed: (error) => found.failed.push(error),
  })
  t.after(async () => {
    await scrubber.close()
    await store.close()
  })
  let rows = 0
  const add = (): void => {
    commit(store, { trades: Array.from({ length: ROWS }, () => trade(rows++, -1)) })
  }
  return { dir, found, scrubber, add }
}

test('log and state are read whole beside commits, again and again, and nothing wrong is found', async (t) => {
  const { found, scrubber, add } = scene(t)
  const ended = new Set<number>()
  for (let i = 0; i < 50 || ended.size < 5; i++) {
    add()
    await new Promise((resolve) => setTimeout(resolve, 5))
    const last = scrubber.last()
    if (last !== null) ended.add(last.endedMs)
  }
  assert.deepEqual(found, { state: [], log: [], failed: [] })
  const { records, logBytes } = scrubber.last()!
  assert.ok(records > ROWS && logBytes > 0)
})

test('a changed byte of the log is reported, and the state stays as it is', async (t) => {
  const { dir, found, add } = scene(t)
  for (let i = 0; i < 5; i++) add()
  const segment = join(logDir(dir), readdirSync(logDir(dir))[0]!)
  const bytes = readFileSync(segment)
  bytes[100]! ^= 1
  writeFileSync(segment, bytes)
  await eventually('the damage is reported', () => found.log.length > 0)
  assert.match(found.log[0]!, /0000000000000000\.log: damaged at entry 0, /)
  assert.equal(markedDamage(stateFile(dir)), null)
})

test('a changed record of the state is reported, and marked for the next opening', async (t) => {
  const { dir, found, add } = scene(t)
  for (let i = 0; i < 5; i++) add()
  const other = new DatabaseSync(stateFile(dir))
  other.exec('pragma busy_timeout = 10000; update trades set sum = sum + 1 where id = 700')
  other.close()
  await eventually('the damage is reported', () => found.state.length > 0)
  assert.match(found.state[0]!, /trades 700 has a wrong checksum/)
  assert.match(markedDamage(stateFile(dir)) ?? '', /trades 700/)
})
