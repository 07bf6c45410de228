import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { openNode } from '@ti/service/service/node.ts'
import { useSmallBounds } from '../damage/bounds.ts'
import { afterPowerCut, generator, writtenTo } from '../power/cut.ts'
import { buildRecorder, type Operation, readJournal, recording } from '../power/journal.ts'
import { feedMarket } from '../soak/feed.ts'
import { createMarket } from '../soak/market.ts'
import { seed } from '../support/chance.ts'

/**
 * The power goes at any moment of a node's life, from its first file on. Of what was not synced nothing is left, or any part of
 * it. STORE_CUTS: how many cuts in all.
 */
const SEED = seed(17)
const CUTS = Number(process.env.STORE_CUTS ?? 20)
const ENTRIES = 120

const room = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'store-power-'))
process.on('exit', () => rmSync(room, { recursive: true, force: true }))
/** of a plain fold, by entry; -1: an empty node */
const hashes = new Map<number, string>()

before(async () => {
  useSmallBounds()
  const market = createMarket(SEED, 'live')
  const twin = await openNode(join(room, 'twin'))
  for (let end = 0; end <= ENTRIES; end++) {
    if (end > 0) await feedMarket(twin, market, { end })
    hashes.set(end - 1, twin.store.stateHash())
  }
  await twin.close()
})

function record(t: TestContext, mode: string): Operation[] | null {
  const built = buildRecorder(room)
  if ('reason' in built) {
    t.skip(built.reason)
    return null
  }
  const [dir, journal] = [join(room, mode), join(room, `${mode}.journal`)]
  mkdirSync(dir)
  const writer = join(import.meta.dirname, '../power/store-writer.ts')
  const args = ['--import', 'tsx', writer, dir, String(SEED), String(ENTRIES), mode]
  const env = { ...process.env, ...recording(built.library, dir, journal) }
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  assert.equal(status, 0)
  const operations = readJournal(journal)
  assert.equal(writtenTo(operations, operations.length, 'acknowledged').trim().split('\n').length, ENTRIES)
  return operations
}

for (const [no, mode] of ['serving', 'folding'].entries()) {
  const cuts = Math.ceil(CUTS / 2)
  test(`${cuts} power cuts while ${mode}: everything acknowledged is there, as a plain fold gives it`, async (t) => {
    t.diagnostic(`seed ${SEED}`)
    const operations = record(t, mode)
    if (operations === null) return
    const random = generator(SEED * 31 + no)
    const seen = { beyond: 0, behind: 0, repaired: 0, dropped: 0 }
    for (let cut = 0; cut < cuts; cut++) {
      const count = random(operations.length + 1)
      const into = join(room, `${mode}-cut-${cut}`)
      mkdirSync(into)
      const isDropped = cut % 3 === 0
      afterPowerCut(operations, count, isDropped ? 'dropped' : { seed: SEED * 1_000 + cut }, into)
      const acknowledged = Number(writtenTo(operations, count, 'acknowledged').trim().split('\n').at(-1) || -1)
      const told = { folded: false, repaired: '' }
      const node = await openNode(into, {
        onPreparation: () => (told.folded = true),
        onRepair: (why) => (told.repaired = why),
      })
      const { store } = node
      const newest = store.log.newest()
      const where = `cut ${cut} behind operation ${count}, ${isDropped ? 'all unsynced dropped' : 'some kept'}`
      assert.ok(newest >= acknowledged, `${where}: ${acknowledged} was acknowledged, ${newest} is there`)
      assert.equal(store.stateHash(), hashes.get(newest), `${where}: the state at ${newest}`)
      await node.close()
      rmSync(into, { recursive: true })
      if (newest > acknowledged) seen.beyond++
      if (told.folded) seen.behind++
      if (told.repaired !== '') {
        seen.repaired++
        t.diagnostic(`${where}: ${told.repaired}`)
      }
      if (isDropped) seen.dropped++
    }
    t.diagnostic(`${mode}: ${operations.length} operations, ${cuts} cuts: ${JSON.stringify(seen)}`)
    // a state that a power cut leaves behind its log is usual; one that must be folded anew is not
    assert.equal(seen.repaired, 0)
    assert.ok(seen.behind > 0, 'no cut left the state behind its log')
  })
}
