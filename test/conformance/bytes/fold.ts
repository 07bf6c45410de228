import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Counts } from '@ti/core/base/counts.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { createDecoder, type Decoder } from '@ti/core/decode/block.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import type { Query } from '@ti/core/query/query.ts'
import { createStreams } from '@ti/core/query/streams.ts'
import { type ImportReport, importFiles } from '@ti/lab/import/import.ts'
import { createSimulator } from '@ti/lab/simulator/simulator.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import type { SourceCursor, SourceItem } from '@ti/service/source/source.ts'
import { createMemoryStore, type MemoryStore } from '../../support/memory-store.ts'

/** Material on its whole way: import, decoder, log entries, engine, answers. */
export interface Folded {
  readonly engine: Engine
  readonly store: MemoryStore
  readonly events: readonly ChainEvent[]
  readonly counts: Counts
  readonly report: ImportReport | null
  snapshot(mint: Key): Record<string, Record<string, unknown>>
  trader(wallet: Key): Record<string, unknown>
  /** Base units by address, of those who hold any. */
  holders(mint: Key): Map<string, number>
  /** Answers by base58; null if there is none. */
  readonly query: Query
  /** messages of `tokens:live` */
  told(): { readonly type: string; readonly data: Record<string, unknown> }[]
}

const COMMIT_ENTRIES = 500

/** Folds entries, several in a commit; with `after`, each in a commit of its own. */
export function foldEntries(
  entries: readonly LogEntry[],
  counts: Counts = new Map(),
  report: ImportReport | null = null,
  after: ((entry: LogEntry, folded: Folded) => void) | null = null,
): Folded {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 100_000 })
  const folded = createFolded(engine, store, entries, counts, report)
  for (const [seq, entry] of entries.entries()) {
    engine.apply(seq, entry)
    if (after === null && seq % COMMIT_ENTRIES !== 0 && seq < entries.length - 1) continue
    store.write(engine.changes())
    engine.committed()
    after?.(entry, folded)
  }
  return folded
}

function createFolded(
  engine: Engine,
  store: MemoryStore,
  entries: readonly LogEntry[],
  counts: Counts,
  report: ImportReport | null,
): Folded {
  const query = createQuery({ engine, store })
  const streams = createStreams({ engine, store, bounds: { resumeMessages: 10_000 } })
  return {
    engine,
    store,
    counts,
    report,
    query,
    events: entries.flatMap((entry) => (entry.kind === 'block' ? entry.events : [])),
    snapshot: (mint) => {
      const answer = query.snapshot(keyToBase58(mint), ['meta', 'status', 'market', 'holders', 'bundles'])
      if (answer === null) throw new Error(`${keyToBase58(mint)} is not known`)
      return JSON.parse(answer.bytes.toString()) as Record<string, Record<string, unknown>>
    },
    trader: (wallet) => JSON.parse(query.trader(keyToBase58(wallet))!.bytes.toString()) as Record<string, unknown>,
    holders: (mint) => {
      const positions = [...store.positions(store.tokenIdByMint(mint) ?? -1)].filter(({ balance }) => balance > 0)
      return new Map(positions.map(({ wallet, balance }) => [keyToBase58(store.wallet(wallet)!.address), balance]))
    },
    told: () => streams['tokens:live'].read(0, 10_000).map(({ payload }) => JSON.parse(payload)),
  }
}

/** Imports `records` (values of JSON, one a file) or files, as `capture import` does, and folds what they hold. */
export async function foldMaterial(
  material: readonly (string | object)[],
  solUsd = 150,
  after: ((entry: LogEntry, folded: Folded) => void) | null = null,
): Promise<Folded> {
  const dir = mkdtempSync(join(tmpdir(), 'fold-'))
  try {
    const files = material.map((one, i) => {
      if (typeof one === 'string') return one
      const file = join(dir, `${i}.json`)
      writeFileSync(file, JSON.stringify(one))
      return file
    })
    const out = join(dir, 'out.capture')
    const report = await importFiles(files, out, { solUsd })
    const capture = await openCapture(out)
    return await foldItems(capture.items(EMPTY, new AbortController().signal), report, after)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const EMPTY: SourceCursor = { slot: -1, time: 0, facts: 0 }

/** Decodes and folds what a source yields. */
export async function foldItems(
  items: AsyncIterable<SourceItem>,
  report: ImportReport | null = null,
  after: ((entry: LogEntry, folded: Folded) => void) | null = null,
): Promise<Folded> {
  const decoder = createDecoder()
  return foldEntries(await entriesOf(items, decoder), decoder.counts, report, after)
}

async function entriesOf(items: AsyncIterable<SourceItem>, decoder: Decoder): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  for await (const item of items) entries.push(entryOf(item, decoder))
  return entries
}

/** The log of a simulated market. */
export const simulated = (seed: number, slots: number, market = 3): Promise<LogEntry[]> =>
  entriesOf(
    createSimulator({ seed, speed: 0, slots, tps: 20, market }).items(EMPTY, new AbortController().signal),
    createDecoder(),
  )

function entryOf(item: SourceItem, decoder: Decoder): LogEntry {
  switch (item.kind) {
    case 'raw':
      return decoder.decodeBlock(item.block)
    case 'decoded':
      return { kind: 'block', slot: item.slot, parent: item.parent, time: item.time, events: item.events }
    case 'facts':
      return { kind: 'facts', time: item.time, byOperator: false, facts: item.facts }
    case 'gap':
      return item
  }
}
