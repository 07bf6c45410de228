import type { Draws } from './auc.ts'
import { bootstrap, clusterBy, difference, type Estimate, interval } from './bootstrap.ts'
import { AGES, ageName, type Bar, COLOURS, type Colour, type Look, type Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { inPercent, NOTHING, signedPercent, withInterval } from './numbers.ts'
import { createRandom } from './random.ts'

/** Fewer looks of a colour claim nothing. */
export const ENOUGH = 100
/** Fewer cases show no mean. */
const SHOWN = 10
/** Edges of the strata of the price multiple: tokens are compared with those that have risen as far. */
const STRATA = [1, 1.5, 2.5, 5]

/** `fear`: 1 where more is worse, −1 where more is better. */
interface Measure {
  readonly name: string
  readonly fear: 1 | -1
  /** Null where the look is not at risk, or the log ends before. */
  readonly read: (look: Look) => number | null
}

const yes = (answer: boolean | null): number | null => (answer === null ? null : answer ? 1 : 0)

export const MEASURES: readonly Measure[] = [
  { name: 'drained', fear: 1, read: ({ asked, drained }) => (asked.drain ? yes(drained) : null) },
  { name: 'halved', fear: 1, read: ({ asked, halved }) => (asked.halving ? yes(halved) : null) },
  { name: 'buyer, 15 min', fear: -1, read: ({ asked, quick }) => (asked.buyer ? quick : null) },
  { name: 'buyer, hour', fear: -1, read: ({ asked, hour }) => (asked.buyer ? hour : null) },
  { name: 'held an hour', fear: -1, read: ({ asked, hold }) => (asked.buyer ? hold : null) },
]
/** Measures whose order is required. */
const ORDERED = 3

const stratumOf = ({ single }: Look): number => STRATA.filter((edge) => single['price multiple'] >= edge).length

export interface Rated {
  readonly counts: Readonly<Record<Colour, number>>
  /** Means by colour, and worse less better by pair: `green yellow`, and `green yellow =` at the same price multiple. */
  readonly estimates: Readonly<Record<string, Estimate>>
}

const PAIRS = [
  ['green', 'yellow'],
  ['yellow', 'red'],
  ['green', 'red'],
  ['grey', 'red'],
] as const
/** Pairs whose order is required. Grey says that it is not known. */
const IN_ORDER = 3
type Pair = (typeof PAIRS)[number]

/** Means of one measure by colour, with differences by Mantel and Haenszel over strata of the price multiple. */
export function rate(looks: readonly Look[], colourOf: (look: Look) => Colour, measure: Measure, seed: number): Rated {
  const cases = looks.flatMap((look) => {
    const value = measure.read(look)
    return value === null ? [] : [{ value, colour: COLOURS.indexOf(colourOf(look)), stratum: stratumOf(look), look }]
  })
  const clusters = clusterBy(cases.map(({ look: { launch } }) => launch.deployer ?? launch.mint))
  const wide = STRATA.length + 1
  const statistics = (draws: Draws): Record<string, number> => {
    const n = new Float64Array(COLOURS.length * wide)
    const sum = new Float64Array(COLOURS.length * wide)
    cases.forEach(({ value, colour, stratum }, i) => {
      const weight = draws === null ? 1 : draws[clusters.of[i]!]!
      n[colour * wide + stratum]! += weight
      sum[colour * wide + stratum]! += weight * value
    })
    const total = (of: Float64Array, colour: number): number =>
      of.subarray(colour * wide, (colour + 1) * wide).reduce((a, b) => a + b, 0)
    const means = COLOURS.map((name, c) => [name, total(sum, c) / total(n, c)] as const)
    const pairs = PAIRS.flatMap(([better, worse]) => {
      const [a, b] = [COLOURS.indexOf(better), COLOURS.indexOf(worse)]
      let [weights, weighted] = [0, 0]
      for (let s = 0; s < wide; s++) {
        const [na, nb] = [n[a * wide + s]!, n[b * wide + s]!]
        if (na === 0 || nb === 0) continue
        const weight = (na * nb) / (na + nb)
        weights += weight
        weighted += weight * (sum[b * wide + s]! / nb - sum[a * wide + s]! / na)
      }
      return [[`${better} ${worse} =`, weighted / weights] as const]
    })
    return Object.fromEntries([...means, ...pairs])
  }
  const estimates = bootstrap(clusters.count, statistics, createRandom(seed, `colours ${measure.name}`))
  for (const [better, worse] of PAIRS)
    estimates[`${better} ${worse}`] = difference(estimates[worse]!, estimates[better]!)
  const counts = COLOURS.map((name, c) => [name, cases.filter(({ colour }) => colour === c).length])
  return { counts: Object.fromEntries(counts), estimates }
}

interface Ranked {
  readonly age: number
  readonly measure: Measure
  readonly rated: Rated
}

export function coloursSection(
  looks: readonly Look[],
  source: { readonly name: string; readonly colourOf: (look: Look) => Colour },
  seed: number,
): Section {
  const ranked = AGES.flatMap((age) => {
    const of = looks.filter((look) => look.age === age)
    return MEASURES.map((measure): Ranked => ({ age, measure, rated: rate(of, source.colourOf, measure, seed) }))
  })
  const [drain] = ranked.filter(({ age }) => age === 750)
  const differences = ranked.filter(({ measure }) => MEASURES.indexOf(measure) < ORDERED).flatMap(differenceRow)
  const few = AGES.map((age) => [age, countOf(looks, age, 'green', source.colourOf)] as const)
    .filter(([, n]) => n < ENOUGH)
    .map(([age, n]) => `${n} at ${ageName(age)}`)
  const figure = (name: string): string => withInterval(interval(drain!.rated.estimates[name]!), inPercent)
  return {
    title: `Colour of the ${source.name}, and what followed`,
    lines: [
      'Percent, with 90% intervals over deployers. Drained and halved: within the hour, of tokens at risk. Buyer: mean result of 0.5 SOL with its impact and fees, sold at the double, at 0.6, or after 15 minutes (the hour); in brackets after the colour the looks, after a rate those at risk.',
      table(
        ['age', 'colour', ...MEASURES.map(({ name }) => name)],
        AGES.flatMap((age) => rowsOf(age, looks, ranked, source.colourOf)),
      ),
      'Worse colour less better one, in points, plain and at the same price multiple: of a loss it should be above 0, of a result below.',
      ...(differences.length === 0
        ? [`No two colours have ${ENOUGH} looks each at risk.`]
        : [table(['age', 'of', ...PAIRS.flatMap(([a, b]) => [`${b} − ${a}`, 'same multiple'])], differences)]),
      ...(few.length === 0
        ? []
        : [`Fewer than ${ENOUGH} green looks, of which nothing is claimed: ${few.join(', ')}.`]),
    ],
    bars: AGES.map((age) => barOf(age, ranked, source.name)),
    figures: {
      [`drained at 5 min, red (${source.name})`]: figure('red'),
      [`yellow (${source.name})`]: figure('yellow'),
    },
  }
}

const countOf = (looks: readonly Look[], age: number, colour: Colour, colourOf: (look: Look) => Colour): number =>
  looks.filter((look) => look.age === age && colourOf(look) === colour).length

function rowsOf(
  age: number,
  looks: readonly Look[],
  ranked: readonly Ranked[],
  colourOf: (look: Look) => Colour,
): string[][] {
  const of = ranked.filter((one) => one.age === age)
  return COLOURS.map((colour) => [
    ageName(age),
    `${colour} (${countOf(looks, age, colour, colourOf)})`,
    ...of.map(({ measure, rated: { counts, estimates } }) => {
      const write = measure.fear > 0 ? inPercent : signedPercent
      return `${counts[colour] < SHOWN ? NOTHING : withInterval(interval(estimates[colour]!), write)} (${counts[colour]})`
    }),
  ])
}

function differenceRow({ age, measure, rated: { counts, estimates } }: Ranked): string[][] {
  const isShown = ([a, b]: Pair): boolean => counts[a] >= ENOUGH && counts[b] >= ENOUGH
  if (!PAIRS.some(isShown)) return []
  const cells = PAIRS.flatMap((pair) => {
    const [a, b] = pair
    if (!isShown(pair)) return [NOTHING, NOTHING]
    return [`${a} ${b}`, `${a} ${b} =`].map((name) => withInterval(interval(estimates[name]!), signedPercent))
  })
  return [[ageName(age), measure.name, ...cells]]
}

/** In order if no colour with enough cases is better than the one before it, neither plainly nor at the same multiple. */
function barOf(age: number, ranked: readonly Ranked[], source: string): Bar {
  const judged = ranked
    .filter((one) => one.age === age && MEASURES.indexOf(one.measure) < ORDERED)
    .flatMap(({ measure, rated: { counts, estimates } }) =>
      PAIRS.slice(0, IN_ORDER)
        .filter(([a, b]) => counts[a] >= ENOUGH && counts[b] >= ENOUGH)
        .map(([a, b]) => ({
          what: `${measure.name} ${a} < ${b}`,
          isRight: [`${a} ${b}`, `${a} ${b} =`].every((name) => measure.fear * estimates[name]!.value >= 0),
        })),
    )
  const wrong = judged.filter(({ isRight }) => !isRight)
  const names = (of: typeof judged): string => of.map(({ what }) => what).join(', ')
  return {
    bar: `the ${source} at ${ageName(age)} is in order for drained, halved and a buyer, also at the same price multiple`,
    passed: judged.length === 0 ? null : wrong.length === 0,
    detail: judged.length === 0 ? 'too few of two colours' : wrong.length === 0 ? names(judged) : `not ${names(wrong)}`,
  }
}
