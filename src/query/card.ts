import type { TokenCard } from '../contract/resources.ts'
import type { LiveToken } from '../engine/token-book.ts'
import { isMigrated } from '../engine/tokens.ts'
import { duplication, NO_RATINGS } from './readings.ts'
import { tokenFacts, tokenLinks } from './token-facts.ts'

/** A token as the lists show it. */
export const renderCard = ({ token }: LiveToken): TokenCard => ({
  ...tokenFacts(token),
  ...tokenLinks(token),
  agent_bought_at: null,
  agent_buyer: null,
  alpha_hands_pct: 0,
  chart_nukers_pct: 0,
  conviction_score: null,
  dex_paid: token.dexPaidTime > 0,
  diamond_hands_pct: 0,
  dirty_pct: 0,
  dump_conditions_met: null,
  duplication: duplication(token.dup),
  has_migrated: isMigrated(token),
  kols_in_count: 0,
  mcap: token.mcap,
  name: token.name,
  pump_conditions_met: null,
  ratings: NO_RATINGS,
  score: 0,
  symbol: token.symbol,
})
