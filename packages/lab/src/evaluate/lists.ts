import type { Draws } from './auc.ts'
import { bootstrap, clusterBy, difference, interval } from './bootstrap.ts'
import type { Listed, Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { signedPercent, withInterval } from './numbers.ts'
import { createRandom } from './random.ts'
import { EVERYTHING } from './watch.ts'

/** A buyer's result by list. */
const RESULTS = { '15 min': 'quick', hour: 'hour', 'held an hour': 'hold' } as const

export function listsSection(listed: readonly Listed[], seed: number): Section {
  const names = [...new Set(listed.map(({ list }) => list))].sort()
  const clusters = clusterBy(listed.map(({ launch }) => launch.deployer ?? launch.mint))
  const columns = Object.values(RESULTS).map((result) => {
    const statistics = (draws: Draws): Record<string, number> => {
      const sums = new Map(names.map((name) => [name, { n: 0, sum: 0 }]))
      listed.forEach((one, i) => {
        const value = one[result]
        if (value === null) return
        const weight = draws === null ? 1 : draws[clusters.of[i]!]!
        const of = sums.get(one.list)!
        of.n += weight
        of.sum += weight * value
      })
      return Object.fromEntries([...sums].map(([name, { n, sum }]) => [name, sum / n]))
    }
    return bootstrap(clusters.count, statistics, createRandom(seed, `lists ${result}`))
  })
  const cells = (name: string): string[] =>
    columns.flatMap((estimates) => [
      withInterval(interval(estimates[name]!), signedPercent),
      name === EVERYTHING
        ? ''
        : withInterval(interval(difference(estimates[name]!, estimates[EVERYTHING]!)), signedPercent),
    ])
  return {
    title: 'Lists',
    lines: [
      'Mean result in percent of buying every token when it is first on a list, at most once an hour, and how far that is from buying everything that traded within 15 minutes (`all`).',
      table(
        ['list', 'purchases', ...Object.keys(RESULTS).flatMap((name) => [name, 'less all'])],
        names.map((name) => [
          name,
          `${listed.filter(({ list, quick }) => list === name && quick !== null).length}`,
          ...cells(name),
        ]),
      ),
    ],
    bars: [],
    figures: {},
  }
}
