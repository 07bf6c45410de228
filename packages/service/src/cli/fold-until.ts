import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createThreadedEntryStream } from '../ingest/thread.ts'
import { untilSlot } from '../ingest/until.ts'
import { COMMIT_REPLAY, type Node, openNode } from '../service/node.ts'
import { openCapture } from '../source/capture/capture.ts'
import { type Io, throwIfInterrupted } from './io.ts'

/** Folds a capture up to and including slot `until` (all of it if undefined) and passes the result to `use`. */
export async function foldUntil(
  file: string,
  until: number | undefined,
  io: Io,
  use: (node: Node) => void,
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  io.leaves(dir)
  const bar = io.progress('fold')
  try {
    const { info } = await openCapture(file)
    const node = await openNode(dir)
    try {
      const last = Math.min(until ?? info.lastSlot, info.lastSlot)
      const whole = createThreadedEntryStream(`capture:${file}?speed=0`, dir)
      const entries = until === undefined ? whole : untilSlot(whole, until)
      const { globals } = node.engine
      const pipeline = node.feed(entries, {
        commit: COMMIT_REPLAY,
        afterEntry: () => bar.update(shareOf(globals.slot, info.firstSlot, last), () => `${globals.nextTrade} trades`),
      })
      await pipeline.run(io.signal)
      throwIfInterrupted(io)
      bar.done()
      use(node)
    } finally {
      await node.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** The share of the slots `first` to `last` done once `slot` is; 0 if the fold has not begun. */
export const shareOf = (slot: number, first: number, last: number): number =>
  slot < first ? 0 : (slot - first + 1) / (last - first + 1)
