import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import type { Clock } from '@ti/service/base/clock.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { openNode } from '@ti/service/service/node.ts'
import type { RawItem, Source, SourceCursor, SourceItem } from '@ti/service/source/source.ts'

export const EMPTY: SourceCursor = { slot: -1, time: 0, facts: 0 }

/** Time that runs `speed` times as fast: minutes of waiting in a test are seconds. */
export const fastClock = (speed: number): Clock => ({
  now: () => performance.now() * speed,
  sleep: (ms, signal) => sleep(Math.max(1, ms / speed), undefined, { signal }).catch(() => {}),
})

/**
 * Blocks of a simulated market, with skipped slots among them. A node is asked for what names a launchpad's program, and
 * numbers what it has: nothing else is in them.
 */
export async function simulatedBlocks(options: Parameters<typeof createSimulator>[0]): Promise<RawBlock[]> {
  const blocks: RawBlock[] = []
  const { signal } = new AbortController()
  for await (const item of createSimulator({ speed: 0, ...options }).items(EMPTY, signal))
    if (item.kind === 'raw') {
      const ours = item.block.transactions.filter(({ keys }) => keys.some((key) => LAUNCHPAD_PROGRAMS.includes(key)))
      blocks.push({ ...item.block, transactions: ours.map((tx, index) => ({ ...tx, index })) })
    }
  return blocks
}

export const sourceOf = (blocks: readonly RawBlock[]): Source => ({
  name: 'blocks',
  async *items(cursor) {
    for (const block of blocks) if (block.slot > cursor.slot) yield { kind: 'raw', block } satisfies RawItem
  },
})

export interface Cut {
  /** where an empty store begins */
  readonly from: number
  /** the last slot it takes */
  readonly last: number
  readonly see?: (item: SourceItem) => void
}

/** The part of a source with the slots from `from` to `last`. */
export const cut = (source: Source, { from, last, see = () => {} }: Cut): Source => ({
  name: source.name,
  async *items(cursor, signal) {
    if (cursor.slot >= last) return
    const start = cursor.slot < 0 ? { slot: from - 1, time: 0, facts: 0 } : cursor
    for await (const item of source.items(start, signal)) {
      see(item)
      yield item
      if (item.kind === 'raw' && item.block.slot >= last) return
    }
  },
})

/**
 * What a log and a whole block have in common: successful transactions of our programs, without places, parents and an
 * order in the block.
 */
export const levelled = (source: Source): Source => ({
  name: source.name,
  async *items(cursor, signal) {
    for await (const item of source.items(cursor, signal)) {
      if (item.kind !== 'raw') {
        yield item
        continue
      }
      const transactions = item.block.transactions
        .filter((tx) => !tx.failed && tx.keys.some((key) => LAUNCHPAD_PROGRAMS.includes(key)))
        .map((tx) => ({ ...tx, index: -1 }))
        .sort((a, b) => (a.signature < b.signature ? -1 : 1))
      if (transactions.length > 0)
        yield { kind: 'raw', block: { slot: item.block.slot, parent: -1, time: item.block.time, transactions } }
    }
  },
})

/** The state after folding all of `sources`, each from where the one before ended, as a service that is started again. */
export async function stateHash(...sources: readonly Source[]): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'rpc-test-'))
  try {
    for (const source of sources.slice(0, -1)) await fold(dir, source)
    return await fold(dir, sources.at(-1)!)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

async function fold(dir: string, source: Source): Promise<string> {
  const node = await openNode(dir)
  try {
    const pipeline = node.feed(createEntryStream(source, 256 << 10), { commit: { events: 5_000, delayMs: 1_000 } })
    await pipeline.run(new AbortController().signal)
    return node.store.stateHash()
  } finally {
    await node.close()
  }
}
