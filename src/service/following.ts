import { every } from '../base/every.ts'
import { LIMITS } from '../config/limits.ts'
import { isLiveSource } from '../config/variables.ts'
import type { Engine } from '../engine/engine.ts'
import type { EntryStream } from '../ingest/entries.ts'
import { holdersToFollow } from './followed-order.ts'

interface FollowingParts {
  /** FOLLOW_HOLDERS, 0: none are followed */
  readonly options: { readonly followHolders: number; readonly source: string }
  readonly engine: Pick<Engine, 'tokens' | 'wallet' | 'globals'>
  readonly entries: Pick<EntryStream, 'followHolders'>
  /** milliseconds between two lists */
  readonly everyMs?: number
}

/** Gives the source the holders to follow, again and again; the answer stops it. */
export function startFollowing(parts: FollowingParts): () => void {
  const { options, engine, entries, everyMs = LIMITS.followedOrderMs } = parts
  const { followHolders: most, source } = options
  if (most === 0 || !isLiveSource(source)) return () => {}
  let isBusy = false
  let isStopped = false
  const stop = every({
    what: 'following holders',
    ms: everyMs,
    async run() {
      if (isBusy) return
      isBusy = true
      try {
        const holdings = await holdersToFollow(engine.tokens.live(), engine.globals.slot, engine.wallet, most)
        if (!isStopped) entries.followHolders?.(holdings)
      } finally {
        isBusy = false
      }
    },
  })
  return () => {
    isStopped = true
    stop()
  }
}
