import { lockDataDir } from './base/lock.ts'
import { LIMITS } from './config/limits.ts'
import type { Family } from './engine/bundles/state.ts'
import { FORMULAS_VERSION } from './engine/constants.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import type { EntryStream } from './ingest/entries.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from './ingest/pipeline.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'

/** A data directory in use: locked, opened, its live state in memory. */
export interface Node {
  readonly store: Store
  readonly engine: Engine
  /** a pipeline that feeds this node */
  feed(entries: EntryStream, options: FeedOptions): Pipeline
  close(): Promise<void>
}

export interface FeedOptions extends Pick<PipelineOptions, 'onCommit' | 'beforeEntry' | 'afterEntry'> {
  readonly commit: { readonly events: number; readonly delayMs: number }
}

export interface NodeOptions {
  /** evidence families that bundles are found without: for evaluation only */
  readonly hide?: readonly Family[]
}

export async function openNode(dataDir: string, { hide = [] }: NodeOptions = {}): Promise<Node> {
  const lock = await lockDataDir(dataDir)
  try {
    const store = openStore(dataDir, { formulasVersion: FORMULAS_VERSION })
    const engine = createEngine({ reader: store, walletsCached: LIMITS.walletsCached, hide })
    return {
      store,
      engine,
      feed: (entries, { commit, ...hooks }) =>
        createPipeline({
          entries,
          engine,
          log: store.log,
          store,
          now: Date.now,
          bounds: { commitEvents: commit.events, commitDelayMs: commit.delayMs, liveLagSeconds: LIMITS.liveLagSeconds },
          ...hooks,
        }),
      async close() {
        await store.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
