import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LIMITS } from '../config/limits.ts'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { untilSlot } from '../ingest/until.ts'
import { type Node, openNode } from '../node.ts'
import { openCapture } from '../source/capture/capture.ts'
import { createProgressBar } from './progress.ts'

/** Folds a capture up to and with slot `until` (all of it when undefined) and lets `use` look at the result. */
export async function foldUntil(file: string, until: number | undefined, use: (node: Node) => void): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const bar = createProgressBar('fold')
  try {
    const { info } = await openCapture(file)
    const node = await openNode(dir)
    try {
      const last = Math.min(until ?? info.lastSlot, info.lastSlot)
      const whole = createThreadedEntryStream(`capture:${file}?speed=0`, dir)
      const entries = until === undefined ? whole : untilSlot(whole, until)
      const { globals } = node.engine
      const pipeline = node.feed(entries, {
        commit: LIMITS.commitReplay,
        onCommit: () =>
          bar.update((globals.slot - info.firstSlot) / (last - info.firstSlot + 1), `${globals.nextTrade} trades`),
      })
      await pipeline.run(new AbortController().signal)
      bar.done()
      use(node)
    } finally {
      await node.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
