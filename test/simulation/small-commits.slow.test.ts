import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { openNode } from '@ti/service/service/node.ts'

/** As a live chain is folded: every block is a commit. A market like it made the store's list of free pages fail after 1,868. */
const MARKET = { seed: 5, tps: 120, speed: 0, slots: 1_250 } as const

test('two thousand commits of a block each', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'small-commits-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const node = await openNode(dir)
  try {
    const entries = createEntryStream(createSimulator(MARKET))
    const pipeline = node.feed(entries, { commit: { events: 1, delayMs: 0 } })
    await pipeline.run(new AbortController().signal)
    assert.ok(pipeline.progress.commits > 1_900, `${pipeline.progress.commits} commits`)
  } finally {
    await node.close()
  }
})
