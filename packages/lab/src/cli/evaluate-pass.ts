import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Family } from '@ti/core/model/bundles.ts'
import type { Wallet } from '@ti/core/model/state.ts'
import { shareOf } from '@ti/service/cli/fold-until.ts'
import { type Io, throwIfInterrupted } from '@ti/service/cli/io.ts'
import { createThreadedEntryStream } from '@ti/service/ingest/thread.ts'
import { decodeEntry, readHead } from '@ti/service/log/codec.ts'
import { COMMIT_REPLAY, type Node, openNode } from '@ti/service/service/node.ts'
import { openCapture } from '@ti/service/source/capture/capture.ts'
import { type ActorsFound, collectActors } from '../evaluate/actors.ts'
import { createPaths } from '../evaluate/outcomes.ts'
import { countedBy, readOutlook } from '../evaluate/outlook.ts'
import type { SourceNote } from '../evaluate/sample.ts'
import { type SmartMoney, smartMoney } from '../evaluate/smart.ts'
import { createWatch, type Watched } from '../evaluate/watch.ts'
import { hashServed } from './evaluate-cuts.ts'

interface Pass extends Watched {
  /** SHA-256 of the log's entries, independent of when the file was made. */
  readonly dataHash: string
  readonly slots: readonly [number, number]
  readonly trades: number
  readonly tokens: number
  readonly stateHash: string
  /** For each cut, the last block before it, and the hash of what was served until the next block. */
  readonly served: readonly { readonly slot: number; readonly hash: string }[]
  readonly smart: SmartMoney
  readonly actors: ActorsFound
  /** Outcomes of each question as counted by the fold. */
  readonly counted: SourceNote['counted']['fold']
}

interface PassOptions {
  /** Families of evidence to ignore. Then only groups are examined, as with `groupsOnly`. */
  readonly hide?: readonly Family[]
  readonly groupsOnly?: boolean
  readonly cuts?: readonly number[]
}

/** Folds the capture once and observes it between blocks. */
export async function pass(
  file: string,
  { hide = [], groupsOnly = hide.length > 0, cuts = [] }: PassOptions,
  io: Io,
  update: (share: number) => void,
): Promise<Pass> {
  const dir = mkdtempSync(join(tmpdir(), 'token-intelligence-'))
  const removed = io.leaves(dir)
  try {
    const { info } = await openCapture(file)
    const node = await openNode(dir, { hide })
    try {
      const { engine, store } = node
      const { globals } = engine
      const served: { slot: number; hash: string }[] = []
      const paths = createPaths()
      const watch = createWatch(engine, store, groupsOnly ? null : readOutlook)
      const hash = createHash('sha256')
      const pipeline = node.feed(createThreadedEntryStream(`capture:${file}?speed=0`, dir), {
        commit: COMMIT_REPLAY,
        beforeEntry(bytes) {
          const { kind, slot } = readHead(0, bytes)
          if (kind === 'block') {
            // served until this block
            const isCut = served.length < cuts.length && slot > cuts[served.length]!
            if (isCut && globals.slot >= 0) served.push({ slot: globals.slot, hash: hashServed(node) })
            watch.before(slot)
          }
          if (groupsOnly) return
          hash.update(bytes)
          paths.take(decodeEntry(0, bytes))
        },
        afterEntry() {
          watch.after()
          update(shareOf(globals.slot, info.firstSlot, info.lastSlot))
        },
      })
      await pipeline.run(io.signal)
      throwIfInterrupted(io)
      return {
        ...watch.finish(paths),
        ...{ dataHash: hash.digest('hex'), served, stateHash: store.stateHash() },
        slots: [info.firstSlot, info.lastSlot],
        trades: globals.nextTrade,
        tokens: globals.nextToken,
        smart: smartMoney(allWallets(node), globals.population),
        actors: collectActors(store),
        counted: countedBy(globals.outlook),
      }
    } finally {
      await node.close()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
    removed()
  }
}

function* allWallets({ engine, store }: Node): Generator<Wallet> {
  for (let id = 0; id < engine.globals.nextWallet; id++) yield store.wallet(id)!
}
