import type { Card } from './card.ts'

/**
 * Written by `evaluate --fit-cards`: change the fit, not this file. Points by bin of a reading, lowest sums of the bands above the
 * first, and the probability by age class and band in millionths.
 *
 * Points: 151470 outcomes of seeds 101 to 118, SHA-256 c762d8662db8a3b1839d25cd9689b644f036fc7ff890ddf04b2d9c0341ba3c61
 * Bands: 50736 outcomes, SHA-256 34876309c17923c9e3c21d889a1327a440dc4faee9abc47435f52ccd5275372b
 *   simulator:market=2&seed=301&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=302&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=9102&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=9201&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=9202&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=9203&tps=25&slots=30000&speed=0
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
    bands: [-135, -83, -63, -44, -21, 5, 23, 36, 62, 83],
    table: [
      [66241, 122496, 139806, 293898, 344608, 428183, 610291, 720922, 785551, 888275, 939200],
      [63524, 96911, 126601, 190320, 303068, 422074, 565113, 579096, 738343, 892077, 907046],
      [5000, 25715, 99702, 208277, 379987, 510130, 664892, 664892, 664892, 869620, 941793],
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
    bands: [-97, -36, -10, 20, 46, 66],
    table: [
      [20760, 224417, 379014, 518965, 646180, 801635, 943335],
      [8232, 214352, 301522, 471545, 625496, 860811, 935855],
      [5847, 164476, 381236, 560094, 636593, 833850, 897545],
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
    bands: [-146, -71, -37, -9, 18, 27, 52, 70],
    table: [
      [5000, 5000, 20948, 32220, 59867, 88611, 134786, 227296, 417287],
      [5000, 5000, 15417, 37737, 79893, 103544, 163115, 212810, 257124],
      [5000, 5000, 18316, 26342, 51760, 87992, 138100, 160589, 246444],
    ],
  },
}
