import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Family } from '@ti/core/model/bundles.ts'
import { shareOf } from '@ti/service/cli/fold-until.ts'
import { type Io, throwIfInterrupted } from '@ti/service/cli/io.ts'
import { createThreadedEntryStream } from '@ti/service/ingest/thread.ts'
import { decodeEntry, readHead } from '@ti/service/log/codec.ts'
import { COMMIT_REPLAY, openNode } from '@ti/service/service/node.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { AGES, LABELLED_AGES, type Material } from '../evaluate/looks.ts'
import { createWatch } from '../evaluate/watch.ts'
import { readTruth, type TruthToken, truthPath } from '../simulator/truth.ts'

interface PassOptions {
  /** Families of evidence to ignore. */
  readonly hide: readonly Family[]
  /** Labelled tokens: few, and nothing is known of one after its last trade. */
  readonly isLabelled: boolean
}

/** Folds the capture once and observes it between blocks. */
export async function pass(
  file: string,
  { hide, isLabelled }: PassOptions,
  io: Io,
  update: (share: number) => void,
): Promise<Material> {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const removed = io.leaves(dir)
  try {
    const { info } = await openCapture(file)
    const node = await openNode(dir, { hide })
    try {
      const { engine, store } = node
      const watch = createWatch(engine, store, await truthOf(file), {
        ages: isLabelled ? LABELLED_AGES : AGES,
        isCensored: isLabelled,
      })
      let entry: ReturnType<typeof decodeEntry> | null = null
      const pipeline = node.feed(createThreadedEntryStream(`capture:${file}?speed=0`, dir), {
        // entry by entry, because answers also read the store
        commit: { ...COMMIT_REPLAY, events: 1 },
        beforeEntry(bytes) {
          const { kind, slot } = readHead(0, bytes)
          if (kind === 'block') watch.before(slot)
          entry = decodeEntry(0, bytes)
        },
        afterEntry() {
          if (entry?.kind === 'block') watch.after(entry)
          update(shareOf(engine.globals.slot, info.firstSlot, info.lastSlot))
        },
      })
      await pipeline.run(io.signal)
      throwIfInterrupted(io)
      const name = info.header.source
      return { name, slots: [info.firstSlot, info.lastSlot], trades: engine.globals.nextTrade, ...watch.finish() }
    } finally {
      await node.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
    removed()
  }
}

/** By mint; empty if unknown. */
async function truthOf(file: string): Promise<Map<string, TruthToken>> {
  const tokens = new Map<string, TruthToken>()
  if (!existsSync(truthPath(file))) return tokens
  for await (const token of readTruth(truthPath(file))) tokens.set(token.mint, token)
  return tokens
}
