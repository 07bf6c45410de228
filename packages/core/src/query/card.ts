import type { TokenCard } from '../contract/resources.ts'
import { countDump, countPump } from '../engine/reading/signals.ts'
import { isMigrated } from '../engine/tokens.ts'
import { duplication } from './duplication.ts'
import { ratingsOf } from './ratings.ts'
import { percent } from './round.ts'
import { scoreGroup } from './score.ts'
import { tokenFacts, tokenLinks } from './token-facts.ts'
import type { TokenView } from './view.ts'

export function renderCard(view: TokenView): TokenCard {
  const { token } = view.live
  const reading = view.reading()
  const conditions = view.conditions()
  const score = scoreGroup(reading)
  return {
    ...tokenFacts(token),
    ...tokenLinks(token),
    agent_bought_at: null,
    agent_buyer: null,
    alpha_hands_pct: score.alpha_hands_pct,
    chart_nukers_pct: percent(reading.shares.nukers),
    conviction_score: score.conviction_score,
    dex_paid: token.dexPaidTime > 0,
    diamond_hands_pct: percent(reading.shares.diamond),
    dirty_pct: score.dirty_pct,
    dump_conditions_met: conditions === null ? null : countDump(conditions),
    duplication: duplication(token.dup),
    has_migrated: isMigrated(token),
    kols_in_count: reading.kols.length,
    mcap: token.mcap,
    name: token.name,
    pump_conditions_met: conditions === null ? null : countPump(conditions),
    ratings: ratingsOf(reading, conditions),
    score: score.value,
    symbol: token.symbol,
  }
}
