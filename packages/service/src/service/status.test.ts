import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCounts } from '@ti/core/base/counts.ts'
import type { Globals } from '@ti/core/model/state.ts'
import { readiness } from '../faces/status.ts'
import { FOLD_FINGERPRINT } from '../store/fingerprint.ts'
import { SOURCE_LOST_MS, statusOf, type Watched } from './status.ts'

const NOW = 1_760_000_000_000

/** A live service whose newest block is `behindMs` old, `silentMs` after its last commit of a block. */
function at(changes: { behindMs?: number; silentMs?: number; firstSlot?: number } & Partial<Watched> = {}) {
  const { behindMs = 800, silentMs = 300, firstSlot = 10, ...watched } = changes
  const globals = { firstSlot, time: (NOW - behindMs) / 1000, seq: 7, slot: 20 } as Globals
  return statusOf({
    globals,
    progress: { ended: false, blockMs: NOW - silentMs, failed: false },
    isLive: true,
    nowMs: NOW,
    leftS: null,
    ...{ broken: null, source: null, observers: null, scrub: null, setAside: null },
    disk: { freeBytes: 1e9, bytes: 1e10, problem: null, walBytes: 0, held: null },
    ...watched,
  })
}

test('a service that follows is ready, and says how far behind it is', () => {
  const { ready, reason, lagSlots, seq, slot } = at()
  assert.deepEqual({ ready, reason, lagSlots, seq, slot }, { ready: true, reason: null, lagSlots: 2, seq: 7, slot: 20 })
})

test('a node whose build folds otherwise than its log’s nodes serve is not ready, and names both fingerprints', () => {
  const shared = { read: 5, pending: 0, atMs: NOW }
  const [own, other] = [FOLD_FINGERPRINT, '0123456789abcdef']
  const same = at({ shared, agreed: own })
  assert.deepEqual([same.ready, same.fold], [true, { own, agreed: own }])
  const differs = at({ shared, agreed: other })
  assert.deepEqual([differs.ready, differs.fold], [false, { own, agreed: other }])
  assert.match(differs.reason!, new RegExp(`fingerprint ${own}, and its nodes serve ${other}: \`adopt\``))
  assert.deepEqual([at({ shared, agreed: null }).ready, at().fold], [false, undefined])
  const json = readiness(differs, null, null, null) as { fold: unknown }
  assert.deepEqual(json.fold, { own, agreed: other })
})

test('a damaged state is said before anything else', () => {
  const { ready, reason } = at({ broken: 'damaged', silentMs: SOURCE_LOST_MS + 1 })
  assert.deepEqual([ready, reason], [false, 'the state was found damaged and is folded again from the log'])
})

test('after a failed commit it is not ready, before anybody has heard of it', () => {
  const { ready, reason } = at({ progress: { ended: false, blockMs: NOW, failed: true } })
  assert.deepEqual([ready, reason], [false, 'the state could not be written and is opened again'])
  assert.equal(at({ broken: 'unwritten' }).reason, reason)
})

test('before the first block it is starting, also when slots were given up first', () => {
  const { ready, starting, reason } = at({ firstSlot: -1 })
  assert.deepEqual([ready, starting, reason], [false, true, 'waiting for the first block'])
})

test('without a block for too long the source is lost, until it has ended on purpose', () => {
  const silentMs = SOURCE_LOST_MS + 1
  assert.deepEqual([at({ silentMs: SOURCE_LOST_MS }).ready, at({ silentMs }).ready], [true, false])
  assert.match(at({ silentMs }).reason!, /no block from the source/)
  const ended = at({ silentMs, progress: { ended: true, blockMs: NOW - silentMs, failed: false } })
  assert.deepEqual([ended.ready, ended.lagSlots], [true, null])
})

test('a live source whose blocks are old is not ready; a recording is as old as it is', () => {
  const behindMs = SOURCE_LOST_MS + 1_000
  assert.deepEqual([at({ behindMs }).ready, at({ behindMs }).reason], [false, 'catching up: 61 s behind'])
  assert.deepEqual([at({ behindMs, isLive: false }).ready, at({ behindMs: SOURCE_LOST_MS }).ready], [true, true])
})

test('what is wrong with the source is the reason only where it keeps the service from being ready', () => {
  const problem = 'the node is too old'
  const source = {
    ...{ endpoints: 1, connected: 1, newestSlot: 20, filling: 4, missing: 0, heldBytes: 0, problem },
    counts: createCounts(),
  }
  const silentMs = SOURCE_LOST_MS + 1
  assert.equal(at({ source, silentMs }).reason, 'no block from the source for too long: the node is too old')
  assert.deepEqual([at({ source }).ready, at({ source }).reason], [true, null])
  for (const status of [at({ source, silentMs }), at({ source })])
    assert.equal((readiness(status, null, null, null) as { source: { problem: string } }).source.problem, problem)
  assert.equal('problem' in (readiness(at({ source: null }), null, null, null) as object), false)
})

test('what waits outside is counted by observer', () => {
  assert.equal(at().waitingOutside, null)
  const observers = [{ name: 'metadata', waiting: 3, inFlight: 1, counts: createCounts() }]
  assert.deepEqual(at({ observers }).waitingOutside, { metadata: 3 })
})
