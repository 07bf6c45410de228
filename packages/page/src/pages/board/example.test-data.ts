import type { BoardCard } from '@ti/core/contract/app.ts'

/** A card for tests with the given fields. */
export const cardOf = (some: Partial<BoardCard>): BoardCard => ({
  mint: 'FxtVmSj9eHyxxvnnMJ6TUgfcM7iRrZuWDtHAjvqDEw4Z',
  symbol: 'EX',
  name: 'Example',
  deployed_at: '2026-11-21T19:50:00.000000Z',
  telegram: null,
  twitter: null,
  website: null,
  colour: 'neutral',
  why: 'Its holders are first read 30 s after the launch.',
  facts: [],
  buys_1m: 0,
  sells_1m: 0,
  agent_buyer: null,
  agent_bought_at: null,
  values: {
    ...{ score: 5, mcap: 10_000, age_slots: 300, holders: 12, kols: 0, actors: 0, bad_actors: 0, copied: false },
    ...{
      deployer_pct: 0,
      top_10_pct: 20,
      bundled_pct: 0,
      dirty_pct: 30,
      snipers_pct: 1,
      fresh_pct: 2,
      curve_pct: null,
    },
  },
  ...some,
})
