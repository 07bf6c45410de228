import type { Card } from './card.ts'

/**
 * Written by `evaluate --fit-cards`: change the fit, not this file. Points by bin of a reading, lowest sums of the bands above the
 * first, and the probability by age class and band in millionths.
 *
 * Points: 203006 outcomes, SHA-256 67b38989d778ef357ac9b6d17ed99cf2bf63b12d9ac859ece4fa0e625550234d
 *   simulator:market=2&seed=600&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=601&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=602&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=603&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=604&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=605&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=606&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=607&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=610&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=611&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=612&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=613&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=614&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=615&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=616&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=617&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=620&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=621&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=622&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=623&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=624&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=625&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=626&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=627&tps=25&slots=30000&speed=0
 * Bands: 117925 outcomes, SHA-256 28d9e82f620b7da629fb338e621233de8258806269c2c5be82369cfeb8fb7662
 *   simulator:market=2&seed=501&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=502&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=503&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=504&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=505&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=506&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=507&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=521&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=522&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=523&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=524&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=525&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=526&tps=25&slots=30000&speed=0
 *   simulator:market=2&seed=527&tps=25&slots=30000&speed=0
 */
export const CARDS: Readonly<Record<'drain' | 'halving' | 'buyer', Card>> = {
  drain: {
    inputs: [
      {
        input: 'of_ath',
        edges: [0.25, 0.46, 0.71, 0.89, 0.96, 0.99, 1],
        points: [-102, -28, -7, 15, 24, 23, 22, 12],
        unknown: 0,
      },
      { input: 'dirty_pct', edges: [5.3, 28, 54, 77, 95, 100], points: [-8, -12, -14, -12, 2, 11, 7], unknown: -39 },
      { input: 'bundle_pct', edges: [64, 89], points: [-11, 21, 20], unknown: -39 },
      { input: 'in_profit_pct', edges: [30, 80, 94, 99, 100], points: [-36, -1, 17, 11, 15, 9], unknown: -39 },
      {
        input: 'cooktimer_slots',
        edges: [-6900, -4200, -1900, -200, 98, 170, 240, 400, 650],
        points: [-30, -30, -12, -8, 13, 15, 5, -6, -10, -7],
        unknown: 6,
      },
      {
        input: 'effective_holders',
        edges: [1, 1.3, 2.2, 3.2, 4.5, 6.4, 8.9, 12],
        points: [26, 15, 3, -8, -11, -12, -10, -12, -27],
        unknown: 0,
      },
      {
        input: 'idle_slots',
        edges: [1, 4, 13, 33, 78, 500, 1700, 2900],
        points: [-11, -6, -3, 5, 8, -3, -5, -8, 11],
        unknown: 0,
      },
      {
        input: 'deployer_peak_pct',
        edges: [0.036, 1, 3.5, 6.7, 9.8, 15],
        points: [-6, -9, 0, -3, 0, 3, 23],
        unknown: 0,
      },
      { input: 'sold_pct', edges: [0.42, 4.2, 9.8, 17], points: [8, -1, -4, -36, -19], unknown: 0 },
      { input: 'jeets_pct', edges: [0.91, 6.8, 29, 69], points: [2, -5, -6, -8, -32], unknown: 1 },
      { input: 'coverage', edges: [0.09, 0.25, 0.43, 0.66, 0.89, 1], points: [4, -8, -10, -7, 2, 8, 5], unknown: 0 },
      { input: 'net_1m', edges: [-0.14, 0, 0.51, 0.8, 0.98, 1], points: [-13, -11, -7, -1, 10, 13, 12], unknown: 0 },
      {
        input: 'top_10_pct',
        edges: [6.8, 7.5, 9.3, 12, 16, 20, 27, 33, 39],
        points: [-31, -10, -11, -11, -7, 1, 7, 14, 20, 27],
        unknown: 0,
      },
      { input: 'trades_5m', edges: [1, 7, 11, 18, 31, 63, 110], points: [-24, 10, 9, 6, 1, -2, -8, 2], unknown: 0 },
      {
        input: 'return_5m',
        edges: [-0.065, -0.0056, 0, 0.019, 0.14, 0.27, 0.52, 0.88, 1.3],
        points: [-7, -10, -13, 25, 7, 3, -5, -16, -22, -21],
        unknown: 0,
      },
      { input: 'groups_held_pct', edges: [11, 17], points: [-2, 20, 20], unknown: 0 },
    ],
    bands: [-118, -84, -68, -43, -26, -7, 3, 24, 47, 63, 92],
    table: [
      [59161, 161045, 248571, 258352, 272316, 404467, 497284, 596612, 686149, 784985, 864029, 930179],
      [39592, 94093, 139279, 191137, 257533, 382812, 478977, 544663, 672750, 767247, 855642, 855642],
      [5000, 44319, 65899, 142572, 263056, 457837, 548505, 614172, 685592, 755056, 792997, 894099],
    ],
  },
  halving: {
    inputs: [
      {
        input: 'market_cap',
        edges: [2800, 4100, 8600, 9200, 10000, 11000, 15000, 23000, 44000],
        points: [-64, -69, -32, -9, 9, 18, 21, 47, 65, 27],
        unknown: 0,
      },
      {
        input: 'busiest_pct',
        edges: [5.6, 7.3, 11, 17, 22, 28, 41, 56, 77],
        points: [-19, -12, -13, -5, -10, -9, -3, -4, 14, 62],
        unknown: 0,
      },
      {
        input: 'independent_holders',
        edges: [1, 3, 7, 10, 13, 20, 34, 56, 84],
        points: [-23, 31, 6, 14, 0, -14, -23, -11, 13, 1],
        unknown: 0,
      },
      { input: 'buyers_1m', edges: [5, 12, 17, 25, 34, 48], points: [-33, -14, -9, -2, 4, 15, 31], unknown: 0 },
      { input: 'graduated', edges: [1], points: [-23, 88], unknown: 0 },
      {
        input: 'insiders_peak_pct',
        edges: [0.66, 2.3, 4.7, 8.2, 16, 35, 79],
        points: [3, 0, 1, 4, -7, 33, 54, -13],
        unknown: 0,
      },
      {
        input: 'top_10_pct',
        edges: [6.1, 19, 27, 32, 34, 37, 41, 48, 79],
        points: [-31, -40, -19, 7, 27, 32, 38, 26, 18, -5],
        unknown: 0,
      },
      {
        input: 'idle_slots',
        edges: [1, 4, 10, 27, 150, 1200, 2400],
        points: [-9, -8, -3, -5, 0, -2, 17, 36],
        unknown: 0,
      },
      {
        input: 'owned_pct',
        edges: [6.6, 31, 33, 35, 39, 43, 52, 67, 79],
        points: [-30, -55, 6, 6, 1, 5, 28, 57, 42, -55],
        unknown: 0,
      },
      {
        input: 'in_profit_pct',
        edges: [0.0000031, 46, 87, 97, 99, 100],
        points: [-87, -19, 4, 10, 10, 19, 11],
        unknown: -1,
      },
      { input: 'groups_held_pct', edges: [3.8, 26, 40], points: [-18, -1, 20, 24], unknown: 0 },
      {
        input: 'of_ath',
        edges: [0.027, 0.051, 0.39, 0.81, 0.95, 0.99, 1],
        points: [-63, -53, 24, 16, 12, 8, 12, 4],
        unknown: 0,
      },
      {
        input: 'cooktimer_slots',
        edges: [-7000, -4100, -1800, -360, 110, 190, 290, 450, 670],
        points: [3, -17, -9, -1, 3, 8, -3, -9, -16, -16],
        unknown: 4,
      },
      { input: 'age_slots', edges: [150, 750, 2300, 6800, 9000], points: [5, -4, -10, 11, 0, -3], unknown: 0 },
    ],
    bands: [-88, -63, -54, -30, 2, 19, 38, 68, 120],
    table: [
      [5000, 75586, 164382, 300963, 401663, 600071, 664671, 755990, 906797, 968254],
      [12927, 75246, 193659, 272600, 464539, 543580, 672676, 879365, 922980, 986351],
      [5000, 87824, 125052, 259980, 463514, 647558, 710047, 820269, 894678, 967033],
    ],
  },
  buyer: {
    inputs: [
      {
        input: 'idle_slots',
        edges: [1, 3, 10, 29, 65, 140, 560, 740, 1500],
        points: [47, 43, 34, 20, 6, 0, -15, -109, -76, -61],
        unknown: 0,
      },
      { input: 'dirty_pct', edges: [0.029, 27, 66, 95, 100], points: [8, 3, 1, -10, -33, -17], unknown: -8 },
      {
        input: 'reserve_sol',
        edges: [0.011, 0.38, 1.1, 2.5, 5.6, 11, 17],
        points: [-37, -11, 12, 14, 20, 4, -10, -28],
        unknown: 8,
      },
      { input: 'net_1m', edges: [-0.84, 0, 0.013, 0.37, 0.87, 1], points: [-30, 11, -16, 15, 10, -16, -3], unknown: 0 },
      { input: 'bundle_pct', edges: [22, 79], points: [6, -31, -49], unknown: 9 },
      {
        input: 'trades_5m',
        edges: [1, 2, 4, 6, 10, 18, 33, 65],
        points: [-90, -56, -50, -34, -19, 6, 27, 36, 35],
        unknown: 0,
      },
      {
        input: 'price_multiple',
        edges: [1, 1.1, 1.2, 1.4, 1.7, 2.2],
        points: [82, 7, 0, -17, -18, -32, -33],
        unknown: 0,
      },
      {
        input: 'of_ath',
        edges: [0.45, 0.63, 0.81, 0.89, 0.95, 0.98, 1],
        points: [-42, -24, -15, -12, -5, 3, 9, 30],
        unknown: 0,
      },
      { input: 'age_slots', edges: [150, 750, 2300, 4500], points: [6, -10, -8, 0, 16], unknown: 0 },
      {
        input: 'insiders_peak_pct',
        edges: [0.071, 0.71, 2.2, 3.9, 7.1, 9.8, 15],
        points: [12, -3, 1, 1, -1, -6, -11, -19],
        unknown: 0,
      },
      { input: 'independent_holders', edges: [1, 2, 6, 10, 16], points: [-15, -14, -11, -4, 10, 45], unknown: 0 },
      {
        input: 'cooktimer_slots',
        edges: [-4300, -2000, -560, -9, 90, 150, 250, 450, 750],
        points: [-8, -21, -13, -5, -5, -3, 1, 10, 20, 24],
        unknown: -3,
      },
      { input: 'holders', edges: [1, 3, 6, 11, 18, 28], points: [9, -2, 4, 1, -9, -10, 12], unknown: 0 },
      { input: 'jeets_pct', edges: [2.6, 33, 96, 100], points: [-6, 6, 4, 7, 24], unknown: -1 },
      { input: 'coverage', edges: [0.096, 0.43, 0.84, 1], points: [2, 8, 2, -12, -17], unknown: 0 },
      {
        input: 'busiest_pct',
        edges: [13, 19, 27, 41, 56, 74, 95, 100],
        points: [-8, -17, -15, -5, 1, 9, 13, 22, 25],
        unknown: 0,
      },
    ],
    bands: [-119, -76, -50, -33, -21, -2, 21, 40, 50, 64, 82],
    table: [
      [5000, 5000, 14599, 21651, 30602, 41755, 65292, 112928, 168639, 224761, 304697, 458287],
      [5000, 5000, 10602, 21798, 41269, 68158, 100333, 147420, 185542, 232226, 257866, 337876],
      [5000, 6299, 7425, 50062, 50062, 57028, 69306, 105169, 154767, 163692, 213529, 251303],
    ],
  },
}
