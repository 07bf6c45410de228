import type { TokenSnapshot } from '../contract/resources.ts'
import type { Reading } from '../engine/reading/reading.ts'
import { maybe, percent } from './round.ts'

export const scoreGroup = ({
  shares,
  conviction,
  cooktimer,
  smartWallets,
  score,
}: Reading): TokenSnapshot['score'] => ({
  alpha_hands_pct: percent(shares.alphaHands),
  bundle_pct: percent(shares.bundle),
  conviction_score: maybe(conviction, percent),
  cooktimer_slots: cooktimer,
  dirty_pct: percent(shares.dirty),
  dumpers_pct: percent(shares.dumpers),
  in_profit_pct: percent(shares.inProfit),
  jeets_pct: percent(shares.jeets),
  smart_wallets_count: smartWallets,
  value: score.value,
})
