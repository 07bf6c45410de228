import { keyToBase58 } from '../base/base58.ts'
import { LIMITS } from '../config/limits.ts'
import type { Values } from '../contract/filter.ts'
import type { Engine } from '../engine/engine.ts'
import { isMigrated } from '../engine/tokens.ts'
import { scoreGroup } from '../query/score.ts'
import { tokenFacts } from '../query/token-facts.ts'
import { createViews, type HistoryReader } from '../query/view.ts'
import type { AlertSource } from './worker.ts'

interface Rows extends HistoryReader, Pick<AlertSource, 'trades' | 'tokenEvents'> {}

/** readings kept until the next block: as many tokens as trade in one */
const READINGS = 64

/** What a node has folded and committed, as the worker reads it. */
export function createAlertSource(
  engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>,
  store: Rows,
): AlertSource {
  const { globals, tokens } = engine
  const views = createViews(engine, store, READINGS)

  function values(id: number): Values | null {
    if (store.positionCount(id) > LIMITS.alerts.holders) return null
    const view = views.byId(id)
    const { token } = view.live
    const { launchpad, mint } = tokenFacts(token)
    const reading = view.reading()
    const score = scoreGroup(reading)
    return {
      ...{ mint, launchpad, name: token.name, symbol: token.symbol, mcap: token.mcap, trades: token.trades },
      deployer: token.deployer < 0 ? null : keyToBase58(view.wallet(token.deployer).address),
      ...{ score: score.value, age_slots: globals.slot - token.createdSlot, holders: reading.holders.count },
      ...{ bundled_pct: score.bundle_pct, dirty_pct: score.dirty_pct, dumpers_pct: score.dumpers_pct },
      ...{ alpha_hands_pct: score.alpha_hands_pct, conviction: score.conviction_score, kols: reading.kols.length },
      ...{ graduated: isMigrated(token), dex_paid: token.dexPaidTime > 0 },
      ...{ drained: token.drainedSlot >= 0, rugged: token.ruggedSlot >= 0 },
    }
  }

  return {
    globals,
    trades: store.trades,
    tokenEvents: store.tokenEvents,
    tokenId: (mint) => tokens.peek(mint)?.token.id ?? store.tokenIdByMint(mint),
    walletId: store.walletIdByAddress,
    token: (id) => tokens.peekId(id)?.token ?? store.token(id)!,
    wallet: (id) => store.wallet(id)!,
    values,
  }
}
