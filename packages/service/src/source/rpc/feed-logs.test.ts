import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sigToBase58 } from '@ti/core/base/base58.ts'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Sig } from '@ti/core/base/ids.ts'
import { PUMP } from '@ti/core/model/programs.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { rawTx, sigOf } from '../../../../../test/support/encode.ts'
import { createFollowed } from '../followed.ts'
import type { FeedEntry } from './feed.ts'
import { createLogReader, SETTLE_MS, SETTLE_SLOTS } from './feed-logs.ts'
import type { BlockFetcher } from './fetcher.ts'

const FIRST = 99
const blockOf = (slot: number, signatures: readonly Sig[]): RawBlock => ({
  slot,
  parent: slot - 1,
  time: 7,
  transactions: signatures.map((signature, index) => ({ ...rawTx({}), signature, index })),
})

const message = (slot: number, signature: Sig) => ({
  method: 'logsNotification',
  params: { result: { context: { slot }, value: { signature: sigToBase58(signature), err: null, logs: [] } } },
})

/** A reader of a node that has `blocks`, of which it does not give those in `lost` as a whole. */
function reading(blocks: readonly RawBlock[], lost: ReadonlySet<number> = new Set()) {
  let now = 0
  const asked: string[] = []
  const entries: FeedEntry[] = []
  const bySlot = new Map(blocks.map((block) => [block.slot, block]))
  const fetcher = {
    async fetch(slot: number) {
      asked.push(`block ${slot}`)
      return (lost.has(slot) ? undefined : bySlot.get(slot)) ?? 'unavailable'
    },
    async transaction(signature: Sig) {
      asked.push('transaction')
      for (const { slot, time, transactions } of blocks) {
        const transaction = transactions.find((tx) => tx.signature === signature)
        if (transaction !== undefined) return { slot, time, transaction }
      }
      return 'unavailable'
    },
  } as unknown as BlockFetcher
  const counts = createCounts()
  const reader = createLogReader({
    programs: [PUMP],
    followed: createFollowed([]),
    fetcher,
    clock: { now: () => now, sleep: async () => {} },
    counts,
    signal: new AbortController().signal,
    push: (entry) => entries.push(entry),
    refuse: () => assert.fail('nothing is refused'),
  })
  reader.begin()
  const notice = (slot: number, signature: Sig): void => reader.onMessage(message(slot, signature), 100)
  notice(FIRST, sigOf(0))
  return {
    ...{ reader, counts, entries, asked, notice },
    silence(heard = true) {
      now += SETTLE_MS + 1
      reader.tick(heard)
    },
  }
}

const signaturesOf = async (entry: FeedEntry | undefined) =>
  (await entry?.block)?.transactions.map(({ signature }) => signature)

test('a slot that later ones follow is read from the transactions told', async () => {
  const scene = reading([blockOf(100, [sigOf(1), sigOf(2)])])
  for (const n of [1, 2]) scene.notice(100, sigOf(n))
  for (let slot = 101; slot <= 101 + SETTLE_SLOTS; slot++) scene.notice(slot, sigOf(slot))
  assert.deepEqual(await signaturesOf(scene.entries[0]), [sigOf(1), sigOf(2)])
  assert.deepEqual([scene.entries[0]!.slot, scene.asked], [100, ['transaction', 'transaction']])
})

test('a stream that falls silent within a slot: what comes too late is not lost', async () => {
  const scene = reading([blockOf(100, [sigOf(1), sigOf(2), sigOf(3)])])
  scene.notice(100, sigOf(1))
  scene.silence()
  assert.deepEqual(await signaturesOf(scene.entries[0]), [sigOf(1), sigOf(2), sigOf(3)])
  assert.deepEqual(scene.asked, ['block 100'])
  // by now its slot has been read
  scene.notice(100, sigOf(2))
  assert.equal(scene.counts.get('late_notification'), 1)
  assert.equal(scene.counts.get('block_after_silence'), 1)
  assert.equal(scene.reader.heldBytes, 0)
})

test('of a block that the node does not give, what was told is read', async () => {
  const scene = reading([blockOf(100, [sigOf(1), sigOf(2)])], new Set([100]))
  scene.notice(100, sigOf(1))
  scene.silence()
  assert.deepEqual(await signaturesOf(scene.entries[0]), [sigOf(1)])
})

test('silence while nobody listened closes nothing', () => {
  const scene = reading([])
  scene.notice(100, sigOf(1))
  scene.silence(false)
  assert.deepEqual(scene.entries, [])
  scene.silence()
  assert.equal(scene.entries.length, 1)
})
