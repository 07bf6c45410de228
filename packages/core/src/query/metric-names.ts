import type { MetricName } from '../engine/reading/score.ts'

/** The score's metrics by their API names. */
export const API_NAME = {
  bundle: 'bundle_pct',
  dirty: 'dirty_pct',
  dumpers: 'dumpers_pct',
  jeets: 'jeets_pct',
  alphaHands: 'alpha_hands_pct',
  conviction: 'conviction_score',
  cooktimer: 'cooktimer_slots',
  smartWallets: 'smart_wallets_count',
  // part of the score since formulas 2, shown by `explain`; not a field of the API
  independentHolders: 'independent_holders',
} as const satisfies Record<MetricName, string>
