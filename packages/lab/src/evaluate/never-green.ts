import { quantile } from './bootstrap.ts'
import { HOUR, type Launch, type Look, type Sample, type Section } from './looks.ts'
import { table } from './markdown-table.ts'
import { fixed, part } from './numbers.ts'
import { gainOf } from './rugs.ts'

/** Colours over time: green where it must never be, and how often they change. */

/** Share of supply whose sale by own people within an hour is an exit, and of the highest price of the hour. */
const EXIT = 0.05
const FALL = 0.5
/** Slots within which most of an entry or exit is fast, and beyond which it is slow: 10 s, 5 minutes. */
const SPEED = { fast: 25, slow: 750 }
/** Share of the tokens that makes most of it. */
const MOST = 0.8

/** Slots of the hour in which own people had sold 5% of supply, counted again with each sale; from and to. */
export function exitsOf({ own, supply }: Pick<Launch, 'own' | 'supply'>): [number, number][] {
  const sales = own.filter(({ isBuy }) => !isBuy)
  return sales.flatMap(({ slot }, i): [number, number][] => {
    let sold = 0
    for (let k = i; k >= 0 && sales[k]!.slot > slot - HOUR; k--) sold += sales[k]!.tokens
    return sold >= EXIT * supply ? [[slot, slot + HOUR]] : []
  })
}

/** The same after the price was at half of the highest of the hour before. */
export function fallsOf(samples: readonly Sample[]): [number, number][] {
  return samples.flatMap(({ slot, price }, i): [number, number][] => {
    let high = price
    for (let k = i; k >= 0 && samples[k]!.slot > slot - HOUR; k--) high = Math.max(high, samples[k]!.price)
    return price <= FALL * high ? [[slot, slot + HOUR]] : []
  })
}

const isGreenIn = (samples: readonly Sample[], spans: readonly [number, number][]): boolean =>
  samples.some(({ slot, colour }) => colour === 'green' && spans.some(([from, to]) => slot > from && slot <= to))

interface Farm {
  readonly launch: Launch
  readonly exit: [number, number]
  readonly traits: readonly string[]
}

/** By the slots from the first trade to the one that makes most of it. */
function speedOf(trades: Launch['own']): string {
  const whole = trades.reduce((sum, { tokens }) => sum + tokens, 0)
  let sum = 0
  const last = trades.find(({ tokens }) => {
    sum += tokens
    return sum >= MOST * whole
  })!
  const span = last.slot - trades[0]!.slot
  return span <= SPEED.fast ? 'within 10 s' : span <= SPEED.slow ? 'within 5 minutes' : 'slower than 5 minutes'
}

/** Launches of people with a group that sold 5% of supply. */
function farmOf(launch: Launch): Farm[] {
  const { own, supply, samples, fundersKnown, truth } = launch
  if (truth === null || truth.groups.length === 0) return []
  const sales = own.filter(({ isBuy }) => !isBuy)
  const buys = own.filter(({ isBuy, slot }) => isBuy && slot < (sales[0]?.slot ?? 0))
  if (sales.reduce((sum, { tokens }) => sum + tokens, 0) < EXIT * supply || buys.length === 0) return []
  const exit: [number, number] = [sales[0]!.slot, sales.at(-1)!.slot]
  const holders = samples.findLast(({ slot }) => slot <= exit[0])?.holders ?? 0
  return [
    {
      ...{ launch, exit },
      traits: [
        `entry ${speedOf(buys)}`,
        `exit ${speedOf(sales)}`,
        `wallets mostly ${buys.filter(({ isNew }) => isNew).length * 2 >= buys.length ? 'new' : 'old'}`,
        `funders ${fundersKnown ? 'known' : 'not known'}`,
        holders < 25 ? 'fewer than 25 holders' : holders <= 200 ? '25 to 200 holders' : 'more than 200 holders',
      ],
    },
  ]
}

function medianGain(farms: readonly Farm[]): number | null {
  const gains = farms.map(({ launch }) => gainOf(launch) / 1e9).sort((a, b) => a - b)
  return gains.length === 0 ? null : quantile(gains, 0.5)
}

const greenDuring = ({ launch, exit: [from, to] }: Farm): boolean => isGreenIn(launch.samples, [[from, to]])
const greenAfter = ({ launch, exit: [, to] }: Farm): boolean => isGreenIn(launch.samples, [[to, to + HOUR]])

export function neverGreenSection(launches: readonly Launch[], looks: readonly Look[]): Section {
  const farms = launches.flatMap(farmOf)
  const traits = [...new Set(farms.flatMap((farm) => farm.traits))].sort()
  const count = (of: readonly Farm[]): string[] => [
    `${of.length}`,
    `${of.filter(greenDuring).length}`,
    `${of.filter(greenAfter).length}`,
    fixed(medianGain(of), 1),
  ]
  const fallen = launches.filter(({ samples }) => fallsOf(samples).length > 0)
  const left = launches.filter((launch) => exitsOf(launch).length > 0)
  const greenFallen = fallen.filter(({ samples }) => isGreenIn(samples, fallsOf(samples))).length
  const greenLeft = left.filter((launch) => isGreenIn(launch.samples, exitsOf(launch))).length
  const greenFarms = farms.filter((farm) => greenDuring(farm) || greenAfter(farm)).length
  const past = looks.filter(({ state }) => state.length > 0)
  const greenPast = past.filter(({ colour }) => colour === 'green').length
  const none = (bar: string, wrong: number, all: number) => ({
    ...{ bar, passed: all === 0 ? null : wrong === 0, detail: part(wrong, all) },
  })
  return {
    title: 'Never green',
    lines: [
      'Launches whose planted groups sold 5% of supply, by how they came and left; green at a sample (one a minute) from their first sale to the last, and in the hour after it.',
      table(
        ['farms', 'launches', 'green in the exit', 'in the hour after', 'median gain, SOL'],
        [
          ['all', ...count(farms)],
          ...traits.map((trait) => [trait, ...count(farms.filter((farm) => farm.traits.includes(trait)))]),
        ],
      ),
      `Green within an hour after a fall to half: ${part(greenFallen, fallen.length)} launches; after an exit of 5% of supply by own people: ${part(greenLeft, left.length)}.`,
    ],
    bars: [
      none('no farm is green in its exit or in the hour after', greenFarms, farms.length),
      none('nothing is green within an hour after a fall to half', greenFallen, fallen.length),
      none('nothing is green within an hour after an exit of 5% by own people', greenLeft, left.length),
      none('no drained or rugged token is green', greenPast, past.length),
    ],
    figures: { 'green farms': part(greenFarms, farms.length) },
  }
}

/** Changes of colour per hour, from the first sample to the last. */
export function changesPerHour(samples: readonly Sample[]): number | null {
  const span = samples.length < 2 ? 0 : samples.at(-1)!.slot - samples[0]!.slot
  if (span < HOUR / 4) return null
  const changes = samples.filter(({ colour }, i) => i > 0 && colour !== samples[i - 1]!.colour).length
  return (changes * HOUR) / span
}

export function changesSection(launches: readonly Launch[]): Section {
  const rates = launches.flatMap(({ samples }) => changesPerHour(samples) ?? []).sort((a, b) => a - b)
  const [median, most] = rates.length === 0 ? [null, null] : [quantile(rates, 0.5), rates.at(-1)!]
  return {
    title: 'Changes of colour',
    lines: [
      `Per hour of a token that was followed for 15 minutes or longer, sampled once a minute (${rates.length} tokens): median ${fixed(median, 1)}, nine in ten at most ${fixed(rates.length === 0 ? null : quantile(rates, 0.9), 1)}, most ${fixed(most, 1)}.`,
    ],
    bars: [
      {
        bar: 'the median token changes its colour at most twice an hour',
        passed: median === null ? null : median <= 2,
        detail: fixed(median, 1),
      },
    ],
    figures: { 'changes an hour': fixed(median, 1) },
  }
}
