import { num, numbers, type Open, table } from './field.ts'

/** Population-wide running figures. */
export const POPULATION = table('Population', {
  /** resolved picks, and the healthy ones among them */
  picks: num,
  healthyPicks: num,
  /** sells of known holding time by quarter-octave bin, the prior's 100 sells of 150 slots included */
  holds: numbers,
  /** wallets with at least 20 closed positions, and how many of them are in each of 64 bins of profit, return and win bound */
  veterans: num,
  veteranPnl: numbers,
  veteranRoi: numbers,
  veteranWin: numbers,
  /** how often each bin of transaction budgets was new on a mint lately, and how many that are */
  budgetBins: numbers,
  budgets: num,
  /** places in blocks lately, and how many of them were transactions that traded what is followed here */
  places: num,
  placesTraded: num,
})
export interface Population extends Open<typeof POPULATION> {}
