import assert from 'node:assert/strict'
import type { RawBlock } from '@ti/core/model/raw.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import type { RawItem, Source, SourceItem } from '@ti/service/source/source.ts'
import type { FakeChain } from '../fakes/yellowstone-chain.ts'
import { createFolder } from '../properties/prefix.ts'

/** What a source told until the last slot of a chain. */
export interface Told {
  readonly items: readonly SourceItem[]
  /** log entries, as the decoding thread would send them */
  readonly entries: readonly Buffer[]
}

export interface Watch {
  /** called before each item goes on */
  readonly onItem?: (item: SourceItem) => void | Promise<void>
}

/** Runs `source` through the real decoder, from right before a chain's first block until its end is told. */
export async function tell(source: Source, { blocks, end }: FakeChain, { onItem }: Watch = {}): Promise<Told> {
  const items: SourceItem[] = []
  const until: Source = {
    name: source.name,
    follow: (mint) => source.follow?.(mint),
    async *items(cursor, signal) {
      for await (const item of source.items(cursor, signal)) {
        items.push(item)
        await onItem?.(item)
        yield item
        if (endOf(item) >= end) return
      }
    },
  }
  const entries: Buffer[] = []
  const stream = createEntryStream(until, 64 << 10)
  const cursor = { slot: blocks[0]!.parent, time: blocks[0]!.time, facts: 0 }
  for await (const batch of stream.batches(cursor, new AbortController().signal)) entries.push(...batch)
  return { items, entries }
}

const endOf = (item: SourceItem): number =>
  item.kind === 'raw' ? item.block.slot : item.kind === 'gap' ? item.to : item.kind === 'decoded' ? item.slot : -1

/** Blocks that are there already. */
export const sourceOf = (blocks: readonly RawBlock[]): Source => ({
  name: 'blocks',
  async *items() {
    for (const block of blocks) yield { kind: 'raw', block } satisfies RawItem
  },
})

/** The state hash after folding `entries` through the real engine into a store. */
export async function stateHash(entries: readonly Buffer[]): Promise<string> {
  const folder = createFolder()
  try {
    folder.fold(entries, 500)
    return folder.store.stateHash()
  } finally {
    await folder.remove()
  }
}

/** Every block once and in order; what is not told lies in gaps, which name nothing that was told and end with a block. */
export function checkGaps(told: Told, blocks: readonly RawBlock[], missing: (slot: number) => boolean): void {
  const bySlot = new Map(blocks.map((block) => [block.slot, block]))
  const seen = new Set<number>()
  let settled = blocks[0]!.parent
  for (const item of told.items) {
    if (item.kind === 'gap') {
      assert.ok(item.from > settled, `the gap from ${item.from} to ${item.to} begins before ${settled}`)
      assert.equal(missing(item.to), true, `slot ${item.to} ends a gap and could be had`)
      for (let slot = settled + 1; slot <= item.to; slot++) {
        if (!bySlot.has(slot)) continue
        assert.ok(slot >= item.from, `block ${slot} is missing and not in the gap from ${item.from} to ${item.to}`)
        assert.equal(missing(slot), true, `block ${slot} was given up and could be had`)
        seen.add(slot)
      }
      settled = item.to
      continue
    }
    assert.equal(item.kind, 'raw')
    const { block } = item as RawItem
    assert.ok(block.slot > settled, `slot ${block.slot} after ${settled}`)
    assert.equal(block.parent, bySlot.get(block.slot)?.parent, `slot ${block.slot} is not of the chain`)
    seen.add(block.slot)
    settled = block.slot
  }
  assert.deepEqual(
    blocks.filter(({ slot }) => slot <= settled && !seen.has(slot)).map(({ slot }) => slot),
    [],
    'blocks that were neither told nor given up',
  )
}
