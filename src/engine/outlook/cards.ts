import type { Card } from './card.ts'

/**
 * Written by `evaluate --fit-cards`: change the fit, not this file. Points by bin of a reading, lowest sums of the bands above the
 * first, and the probability by age class and band in millionths.
 *
 * Data: 14564 outcomes, SHA-256 1fae7931f84f77d8861ae34222e08f6a74860bd54ef550a8e798f150e5b9d393
 * simulator:market=2&seed=111&tps=16&slots=20000
 * simulator:market=2&seed=112&tps=16&slots=20000
 * simulator:market=2&seed=113&tps=16&slots=20000
 * simulator:market=2&seed=114&tps=16&slots=20000
 * simulator:market=2&seed=101&tps=8&slots=17000
 * simulator:market=2&seed=102&tps=8&slots=17000
 * simulator:market=2&seed=103&tps=8&slots=17000
 * simulator:market=2&seed=104&tps=8&slots=17000
 */
export const CARDS: Readonly<Record<'drain' | 'halving' | 'buyer', Card>> = {
  drain: {
    inputs: [
      { input: 'dirty_pct', edges: [24, 62, 99, 100], points: [-18, -27, -6, 8, 53], unknown: -5 },
      { input: 'age_slots', edges: [150, 750, 2300], points: [23, 19, -22, -28], unknown: 0 },
      { input: 'groups_held_pct', edges: [6, 14], points: [-32, 22, 57], unknown: 0 },
      { input: 'coverage', edges: [1.8e-8, 0.34, 0.78], points: [16, -10, -4, 40], unknown: 0 },
      { input: 'jeets_pct', edges: [3.1], points: [11, -40], unknown: 9 },
      { input: 'holders', edges: [3, 6, 9, 15, 26], points: [-44, 6, 4, 10, -2, -3], unknown: 0 },
    ],
    bands: [-59, -38, -20, -7, 3, 17, 28, 50, 70, 84, 123],
    table: [
      [363982, 571100, 645379, 782822, 782822, 782822, 890675, 905497, 963725, 995000, 995000, 995000],
      [368332, 553932, 587812, 812587, 812587, 812587, 844586, 886281, 979710, 993971, 993971, 993971],
      [353296, 610260, 610260, 763036, 763036, 763036, 858902, 898148, 968889, 992561, 992561, 992561],
    ],
  },
  halving: {
    inputs: [{ input: 'insiders_peak_pct', edges: [9.5, 27, 34], points: [-56, 19, 20, 39], unknown: 0 }],
    bands: [-56, -55, 19, 20, 21, 22, 23, 24, 25, 26, 39],
    table: [
      [500000, 528440, 528440, 676159, 676159, 676159, 676159, 676159, 676159, 676159, 676159, 985554],
      [410638, 410638, 500000, 621061, 621061, 621061, 621061, 621061, 621061, 621061, 621061, 977703],
      [442353, 442353, 500000, 602251, 602251, 602251, 602251, 602251, 602251, 602251, 602251, 974359],
    ],
  },
  buyer: {
    inputs: [
      { input: 'return_1m', edges: [0, 0.0000065, 0.09, 0.31], points: [22, -4, 19, -17, -52], unknown: 0 },
      { input: 'dirty_pct', edges: [30, 92, 100], points: [22, 14, -25, -16], unknown: 6 },
      { input: 'idle_slots', edges: [3, 14, 72, 160, 690], points: [43, 33, 12, -9, -29, -75], unknown: 0 },
      { input: 'price_multiple', edges: [1, 1.1, 1.3, 1.6], points: [56, -18, 3, -8, -13], unknown: 0 },
      { input: 'independent_holders', edges: [1, 4, 8], points: [-27, 10, 4, 13], unknown: 0 },
      { input: 'dumpers_pct', edges: [0.93, 36, 74, 100], points: [-10, 18, 14, -21, 5], unknown: -2 },
      { input: 'deployer_peak_pct', edges: [0.036, 0.36, 2.5, 6.8], points: [9, 8, 2, -18, -23], unknown: 0 },
      { input: 'bundle_pct', edges: [46], points: [2, -41], unknown: 4 },
    ],
    bands: [-101, -81, -64, -54, -39, -28, -15, -3, 9, 26, 46],
    table: [
      [5000, 5000, 6159, 8338, 8942, 27120, 32126, 34123, 52848, 93251, 115074, 214466],
      [5000, 5000, 5000, 6221, 6221, 38048, 45284, 56553, 85222, 141153, 141153, 269412],
      [5000, 5000, 5000, 5107, 5782, 21245, 65507, 73502, 73502, 142699, 142699, 272497],
    ],
  },
}
