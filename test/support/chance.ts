/**
 * Chance in tests. Seeds are the same in every ordinary run, so that what fails fails again; a hunt gives each run another
 * (TEST_SEED). TEST_DEPTH is the share of the runs that is made: all of them, or a tenth in `npm test`.
 */
const given = process.env.TEST_SEED === undefined ? null : Number(process.env.TEST_SEED)
const depth = Number(process.env.TEST_DEPTH ?? 1)

/** How often something random is tried, of `all` times in a full run. */
export const runs = (all: number): number => Math.ceil(all * depth)

export const seed = (usual = 20_261_123): number => given ?? usual

/** One seed for each of `all` cases in a full run, from `first` on. */
export const seeds = (all: number, first = 1): number[] =>
  Array.from({ length: runs(all) }, (_, i) => (given ?? first) + i)
