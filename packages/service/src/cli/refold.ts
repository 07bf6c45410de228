import { createCounts } from '@ti/core/base/counts.ts'
import { OperatorError } from '../base/errors.ts'
import type { EntryStream } from '../ingest/entries.ts'
import { openSegmentLogToRead } from '../log/segments/log-reader.ts'
import { COMMIT_REPLAY, openNode, REFOLD } from '../service/node.ts'
import { logDir } from '../store/open.ts'
import { type Io, throwIfInterrupted } from './io.ts'

/** Folds the log in `from`, of any formulas version, into `dataDir`; continues an interrupted call. */
export async function refold(from: string, dataDir: string, io: Io) {
  const old = openSegmentLogToRead(logDir(from))
  const bar = io.progress('refold')
  io.leaves(dataDir, 'the same command continues')
  try {
    const node = await openNode(dataDir)
    const { globals } = node.engine
    try {
      const last = old.newest()
      if (old.oldest() > globals.seq + 1) {
        throw new OperatorError(
          `the log of ${from} begins with entry ${old.oldest()}: ${globals.seq + 1} is needed. Where a node is still fetching its older part, wait for \`checkpoint later\``,
        )
      }
      if (globals.seq > last) throw new OperatorError(`${dataDir} is ahead of ${from}: it has another log`)
      const pipeline = node.feed(entriesAfter(old, globals.seq), {
        commit: COMMIT_REPLAY,
        afterEntry: () => bar.update((globals.seq + 1) / (last + 1), () => `entry ${globals.seq} of ${last}`),
      })
      await pipeline.run(io.signal)
      throwIfInterrupted(io)
      bar.done()
      return { seq: globals.seq, slot: globals.slot, state_hash: node.store.stateHash() }
    } finally {
      await node.close()
    }
  } finally {
    old.close()
  }
}

/** Reads in pieces, so that no snapshot stays open in a store that another process writes. */
function entriesAfter(log: { bytes(fromSeq: number, limit: number): Buffer[] }, seq: number): EntryStream {
  return {
    counts: createCounts(),
    async *batches() {
      for (let next = seq + 1; ; ) {
        const batch = log.bytes(next, REFOLD.entries)
        if (batch.length === 0) return
        next += batch.length
        yield batch
      }
    },
  }
}
