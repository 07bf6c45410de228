import { atMost, num, numbers, type Open, table } from './field.ts'

/** Running figures over all wallets and blocks. */
export const POPULATION = table('Population', {
  /** Resolved picks, and the healthy ones. */
  picks: num,
  healthyPicks: num,
  /** Sells of known holding time by quarter-octave bin, including the prior of 100 sells of 150 slots. */
  holds: atMost(64, numbers),
  /** Wallets with at least 20 closed positions, and their number in each of 64 bins of profit, return and win bound. */
  veterans: num,
  veteranPnl: atMost(64, numbers),
  veteranRoi: atMost(64, numbers),
  veteranWin: atMost(64, numbers),
})
export interface Population extends Open<typeof POPULATION> {}
