import type { Card } from './card.ts'

/**
 * Written by `evaluate --fit-cards`: change the fit, not this file. Points by bin of a reading, lowest sums of the bands above the
 * first, and the probability by age class and band in millionths.
 *
 * Points: 151470 outcomes of seeds 101 to 118, SHA-256 c762d8662db8a3b1839d25cd9689b644f036fc7ff890ddf04b2d9c0341ba3c61
 * Bands: 25110 outcomes, SHA-256 384d5d144d8b324d5049754314a04dd205fcafd1c10b61ba260c84960e6ba029
 *   simulator:market=2&seed=301&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=302&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=9102&tps=25&slots=30000&speed=0
 */
export const CARDS: Readonly<Record<'drain' | 'halving' | 'buyer', Card>> = {
  drain: {
    inputs: [
      { input: 'of_ath', edges: [0.47, 0.79, 0.96, 1], points: [-70, -13, 14, 19, 19], unknown: 0 },
      { input: 'dirty_pct', edges: [6, 37, 77, 100], points: [-12, -12, -17, 8, 10], unknown: -32 },
      { input: 'bundle_pct', edges: [60], points: [-7, 48], unknown: -32 },
      { input: 'in_profit_pct', edges: [51, 94, 100], points: [-40, 8, 12, 7], unknown: -33 },
      { input: 'coverage', edges: [0.013, 0.25, 0.58, 0.88], points: [12, -4, -11, -6, 1], unknown: 0 },
      { input: 'idle_slots', edges: [1, 6, 32, 210, 1700], points: [-8, -7, 7, 11, -12, -12], unknown: 0 },
      { input: 'deployer_peak_pct', edges: [0.16, 3.5, 6.7, 9.8], points: [-8, -3, -2, 4, 24], unknown: 0 },
      { input: 'drained', edges: [1], points: [2, -28], unknown: 0 },
      { input: 'effective_holders', edges: [1, 1.6, 3.3, 5.8, 8.9], points: [14, 16, 1, -6, -6, -17], unknown: 0 },
      { input: 'deployer_sold_share', edges: [1], points: [5, -11], unknown: 0 },
    ],
    bands: [-127, -60, -20, 7, 30, 60],
    table: [
      [18853, 138941, 342050, 455385, 635913, 757955, 905004],
      [54084, 102528, 235378, 395980, 574161, 662657, 871223],
      [5709, 31809, 300792, 532136, 663960, 663960, 876802],
    ],
  },
  halving: {
    inputs: [
      { input: 'price_multiple', edges: [1, 2.1, 2.4, 3.1, 5.3], points: [-99, -6, 5, 17, 37, 37], unknown: 0 },
      { input: 'independent_holders', edges: [3, 8, 14, 28, 53], points: [7, 12, -11, -27, -22, 43], unknown: 0 },
      { input: 'buyers_1m', edges: [1, 13, 22, 36], points: [-30, -12, 8, 10, 34], unknown: 0 },
      { input: 'insiders_peak_pct', edges: [0.91, 4.6, 12, 39], points: [-9, -15, -4, 35, 11], unknown: 0 },
      { input: 'top_10_pct', edges: [19, 29, 34, 39, 49], points: [-53, -28, 6, 25, 24, 6], unknown: 0 },
      { input: 'drained', edges: [1], points: [2, -41], unknown: 0 },
      { input: 'graduated', edges: [1], points: [-12, 68], unknown: 0 },
      { input: 'idle_slots', edges: [2, 9, 64, 930], points: [-4, 0, 5, -10, 33], unknown: 0 },
      { input: 'in_profit_pct', edges: [2.3, 68, 97, 100], points: [-75, -31, 7, 10, 12], unknown: -1 },
      { input: 'owned_pct', edges: [32, 34, 39, 48, 67], points: [-34, -13, -1, 8, 29, -44], unknown: 0 },
    ],
    bands: [-107, -15, 30, 68],
    table: [
      [9383, 286568, 551349, 755870, 945648],
      [5000, 165299, 461940, 812626, 974399],
      [10813, 233238, 561677, 795026, 940736],
    ],
  },
  buyer: {
    inputs: [
      { input: 'idle_slots', edges: [3, 14, 65, 390, 740], points: [41, 26, 5, -12, -102, -99], unknown: 0 },
      { input: 'dirty_pct', edges: [0.032, 40, 95, 100], points: [5, 11, 4, -24, -13], unknown: 5 },
      { input: 'groups_held_pct', edges: [0.0118069116103], points: [5, -48], unknown: 0 },
      { input: 'reserve_sol', edges: [0.096, 1.1, 4.2, 11], points: [-21, 0, 16, -5, -9], unknown: 10 },
      { input: 'of_ath', edges: [0.63, 0.83, 0.95, 1], points: [-34, -13, -10, 0, 24], unknown: 0 },
      { input: 'trades_5m', edges: [1, 2, 6, 15, 33], points: [-71, -36, -32, -11, 12, 36], unknown: 0 },
      { input: 'price_multiple', edges: [1, 1.1, 1.3, 1.7], points: [67, 1, -3, 2, -9], unknown: 0 },
      { input: 'net_1m', edges: [0, 0.014, 0.73, 1], points: [-4, -19, 14, -6, -9], unknown: 0 },
      { input: 'age_slots', edges: [150, 750, 2300], points: [9, -7, -8, 16], unknown: 0 },
      { input: 'insiders_peak_pct', edges: [0.18, 2.1, 6.7, 9.8], points: [9, 1, -1, -7, -21], unknown: 0 },
    ],
    bands: [-146, -71, -30, -8, 27, 52, 70],
    table: [
      [5000, 5000, 21374, 35688, 69661, 141056, 245332, 417405],
      [5000, 5451, 16937, 49082, 90316, 172504, 208170, 288137],
      [5000, 7246, 18905, 29800, 48915, 127142, 182184, 296770],
    ],
  },
}
