import type { Key } from '@ti/core/base/ids.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { createPoller } from '../base/poller.ts'
import type { Options } from '../config/options.ts'
import { isLiveSource } from '../config/options.ts'
import type { EntryStream } from '../ingest/entries.ts'
import { fundersToFollow } from './priorities/funders-to-follow.ts'
import { holdersToFollow } from './priorities/holders-to-follow.ts'

/** milliseconds between two lists of holders, which cost some of the wire each */
const ORDER_MS = 10_000

interface FollowingParts {
  readonly options: Pick<Options, 'followHolders' | 'followExchanges' | 'followDeployers' | 'source'>
  readonly engine: Pick<Engine, 'tokens' | 'wallet' | 'globals'>
  readonly entries: Pick<EntryStream, 'followHolders' | 'followFunders'>
  /**
   * The wallets of exchanges. It is null until the operator's list was read: before that, an exchange would pass for an unknown
   * wallet.
   */
  readonly exchanges: () => ReadonlyMap<Key, string> | null
  /** The milliseconds between two lists. */
  readonly everyMs?: number
}

/** Keeps telling the source which holders and funders to follow. Returns a function that stops it. */
export function startFollowing(parts: FollowingParts): () => void {
  const { options, engine, entries, exchanges, everyMs = ORDER_MS } = parts
  const { followHolders, followExchanges, followDeployers, source } = options
  const followsFunders = followExchanges || followDeployers > 0
  if ((followHolders === 0 && !followsFunders) || !isLiveSource(source)) return () => {}
  let isStopped = false

  function followFunders(): void {
    const known = followsFunders ? exchanges() : null
    if (known === null) return
    const funders = fundersToFollow(engine, known.keys(), followDeployers)
    entries.followFunders?.(followExchanges ? funders : { ...funders, exchanges: [] })
  }

  async function followTheHolders(): Promise<void> {
    if (followHolders === 0) return
    const holdings = await holdersToFollow(engine.tokens.live(), engine.globals.slot, engine.wallet, followHolders)
    if (!isStopped) entries.followHolders?.(holdings)
  }

  const poller = createPoller({
    what: 'following holders and funders',
    everyMs,
    async run() {
      followFunders()
      await followTheHolders()
    },
  })
  return () => {
    isStopped = true
    void poller.stop()
  }
}
