import { lockDataDir } from './base/lock.ts'
import { LIMITS } from './config/limits.ts'
import { createDecoder, type Decoder } from './decode/block.ts'
import { FORMULAS_VERSION } from './engine/constants.ts'
import { createEngine, type Engine } from './engine/engine.ts'
import { createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts'
import type { Source } from './source/source.ts'
import { openStore } from './store/open.ts'
import type { Store } from './store/store.ts'

/** A data directory in use: locked, opened, its live state in memory. */
export interface Node {
  readonly store: Store
  readonly engine: Engine
  readonly decoder: Decoder
  /** a pipeline that feeds this node from `source` */
  feed(source: Source, options: FeedOptions): Pipeline
  close(): Promise<void>
}

export interface FeedOptions {
  readonly commit: { readonly events: number; readonly delayMs: number }
  readonly onCommit?: PipelineOptions['onCommit']
}

export async function openNode(dataDir: string): Promise<Node> {
  const lock = await lockDataDir(dataDir)
  try {
    const store = openStore(dataDir, { formulasVersion: FORMULAS_VERSION })
    const engine = createEngine({ reader: store, walletsCached: LIMITS.walletsCached })
    const decoder = createDecoder({
      resolvePool: (pool) => {
        const id = engine.tokens.idByPool(pool)
        const token = id === undefined ? undefined : (engine.tokens.peekId(id)?.token ?? store.token(id))
        return token === undefined ? undefined : { mint: token.mint, quote: token.quote, decimals: token.decimals }
      },
    })
    return {
      store,
      engine,
      decoder,
      feed: (source, { commit, onCommit }) =>
        createPipeline({
          source,
          decodeBlock: decoder.decodeBlock,
          engine,
          log: store.log,
          store,
          now: Date.now,
          bounds: { commitEvents: commit.events, commitDelayMs: commit.delayMs, liveLagSeconds: LIMITS.liveLagSeconds },
          ...(onCommit === undefined ? {} : { onCommit }),
        }),
      async close() {
        await store.flushed()
        await store.close()
        await lock.release()
      },
    }
  } catch (error) {
    await lock.release()
    throw error
  }
}
