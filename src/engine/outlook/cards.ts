import type { Card } from './card.ts'

/**
 * Written by `evaluate --fit-cards`: change the fit, not this file. Points by bin of a reading, lowest sums of the bands above the
 * first, and the probability by age class and band in millionths.
 *
 * Data: 72420 outcomes, SHA-256 1c7771bde9ecac0df02585352c6e735f01ec71f6079d3120785d887cbb7514ee
 * simulator:market=2&seed=101&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=102&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=103&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=104&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=105&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=106&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=107&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=108&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=109&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=110&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=111&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=112&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=113&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=114&tps=25&slots=24000&speed=0
 * simulator:market=2&seed=115&tps=25&slots=24000&speed=0
 */
export const CARDS: Readonly<Record<'drain' | 'halving' | 'buyer', Card>> = {
  drain: {
    inputs: [
      { input: 'dirty_pct', edges: [7.7, 41, 81, 100], points: [-6, -5, -11, 13, 12], unknown: -21 },
      { input: 'in_profit_pct', edges: [37, 85, 97, 100], points: [-54, -6, 17, 13, 6], unknown: -22 },
      { input: 'independent_holders', edges: [1, 2, 5, 9, 15], points: [22, 14, 6, -13, -15, -24], unknown: 0 },
      {
        input: 'cooktimer_slots',
        edges: [-2800, -240, 110, 200, 330],
        points: [-17, -18, 11, 0, -10, -11],
        unknown: 8,
      },
      { input: 'groups_held_pct', edges: [11], points: [-6, 20], unknown: 0 },
      { input: 'idle_slots', edges: [1, 6, 26, 110, 1100], points: [-10, -8, 4, 14, -5, 2], unknown: 0 },
      { input: 'net_1m', edges: [0, 0.73, 0.98, 1], points: [-24, -6, 7, 19, 8], unknown: 0 },
      { input: 'drained', edges: [1], points: [2, -39], unknown: 0 },
      { input: 'deployer_peak_pct', edges: [0.071, 2.6, 6.7, 9.8], points: [-6, -7, -3, 9, 27], unknown: 0 },
      { input: 'bundle_pct', edges: [67], points: [-2, 34], unknown: -21 },
    ],
    bands: [-80, -45, -29, -18, -8, 3, 14, 28, 44, 59, 81],
    table: [
      [230426, 283916, 351719, 463734, 536357, 576560, 641991, 710221, 811444, 854752, 902726, 940693],
      [114587, 257212, 338677, 398715, 457784, 559713, 593961, 754962, 792473, 808787, 891402, 896181],
      [20852, 216532, 415235, 626829, 626829, 626829, 683639, 683639, 683639, 683639, 865208, 952378],
    ],
  },
  halving: {
    inputs: [
      { input: 'top_10_pct', edges: [28, 32, 35, 41, 49], points: [-45, -28, 14, 29, 32, -4], unknown: 0 },
      { input: 'buyers_1m', edges: [6, 14, 23, 35], points: [-53, -12, 17, 23, 32], unknown: 0 },
      { input: 'insiders_peak_pct', edges: [0.49, 3.5, 11, 28], points: [-6, -24, -8, 20, 28], unknown: 0 },
      { input: 'independent_holders', edges: [3, 8, 12, 22, 39], points: [-17, 12, 3, -10, -4, 38], unknown: 0 },
      { input: 'return_5m', edges: [0, 0.38, 1.1, 1.5, 2.6], points: [10, 28, -21, -11, -12, 34], unknown: 0 },
      { input: 'drained', edges: [1], points: [10, -31], unknown: 0 },
      { input: 'deployer_launches', edges: [3, 5], points: [-8, 16, -2], unknown: 0 },
      { input: 'dumpers_pct', edges: [19, 26, 38, 56, 81], points: [-16, -18, -7, -9, 4, 34], unknown: 7 },
      { input: 'dirty_pct', edges: [11, 36, 65, 90, 99], points: [4, -10, -8, 2, 22, -3], unknown: 0 },
    ],
    bands: [-71, -49, -34, -19, -9, 3, 13, 24, 38, 58, 88],
    table: [
      [76036, 242839, 384168, 384168, 455255, 518187, 540576, 680374, 747709, 855411, 924944, 955898],
      [72688, 225871, 326279, 420346, 420346, 554669, 554669, 616752, 726204, 825351, 875488, 974377],
      [45218, 295492, 425889, 502541, 518398, 527140, 556240, 700459, 759591, 861394, 916571, 958128],
    ],
  },
  buyer: {
    inputs: [
      { input: 'idle_slots', edges: [3, 12, 55, 200, 710], points: [36, 25, 6, -8, -61, -100], unknown: 0 },
      { input: 'dirty_pct', edges: [0.38, 47, 96, 100], points: [3, 11, 2, -20, -12], unknown: -8 },
      { input: 'price_multiple', edges: [1, 1.1, 1.3, 1.8], points: [110, 4, 8, -12, -31], unknown: 0 },
      { input: 'bundle_pct', edges: [14], points: [11, -44], unknown: -9 },
      { input: 'trades_5m', edges: [1, 2, 6, 13, 28], points: [-57, -41, -34, -15, 15, 41], unknown: 0 },
      { input: 'of_ath', edges: [0.83, 0.93, 0.98, 1], points: [-9, -16, -12, -6, 19], unknown: 0 },
      { input: 'net_1m', edges: [0, 0.19, 0.89, 1], points: [-15, -2, 12, -12, -9], unknown: 0 },
      { input: 'deployer_peak_pct', edges: [0.036, 0.81, 3.5, 6.7], points: [9, 0, -3, 7, -21], unknown: 0 },
      { input: 'age_slots', edges: [150, 750, 2300], points: [10, -7, -10, -5], unknown: 0 },
      { input: 'holders', edges: [1, 3, 9, 16], points: [0, 1, 6, -12, 2], unknown: 0 },
    ],
    bands: [-143, -113, -79, -61, -45, -31, -18, -5, 11, 28, 51],
    table: [
      [5000, 5000, 5000, 6402, 20900, 22388, 31941, 47570, 62836, 92337, 155109, 326724],
      [5000, 5000, 5000, 16908, 24174, 24174, 79644, 79644, 83198, 118825, 164199, 224025],
      [5000, 5000, 6074, 9174, 20548, 32639, 57455, 57455, 91171, 97938, 172358, 220298],
    ],
  },
}
