import { wilson } from './colours.ts'
import type { Judgement } from './judge.ts'
import { fixed, percent, whole } from './numbers.ts'
import {
  BLUE,
  bar,
  dot,
  emptyPicture,
  type Frame,
  INK,
  line,
  MUTED,
  niceMax,
  ORANGE,
  picture,
  plotX,
  plotY,
  polyline,
  text,
  whisker,
} from './svg.ts'

/** One file of the report. */
interface Plot {
  readonly name: string
  readonly title: string
  readonly svg: string
}

/** The four plots of one judgement; none without tokens. */
export function plotsOf(one: Judgement): Plot[] {
  if (one.n === 0) return []
  const plot = (kind: string, title: string, svg: string): Plot => ({
    name: `${one.decision}-${one.label}-${kind}.svg`,
    title: `${title}: ${what(one)}`,
    svg,
  })
  return [
    plot('roc', 'ROC', roc(one)),
    plot('deciles', 'Deciles', deciles(one)),
    plot('calibration', 'Calibration', calibration(one)),
    plot('colours', 'Outcome by colour', colours(one)),
  ]
}

const TIMES = { t60: 'T + 60 s', t300: 'T + 5 min', t900: 'T + 15 min', migration: 'migration' } as const

const OUTCOMES = {
  graduated_24h: 'graduated within 24 h',
  survives_3h: 'alive after 3 h',
  rugged_1h: 'rugged within 1 h',
  falls_20m: 'below 0.3 × 20 min after migrating',
} as const

const what = ({ decision, label }: Judgement): string => `${OUTCOMES[label]}, judged at ${TIMES[decision]}`
const base = (one: Judgement): string => `${what(one)}; ${whole(one.n)} tokens, ${whole(one.positives)} did`

const SHARE_TICKS: readonly (readonly [number, string])[] = [0, 0.2, 0.4, 0.6, 0.8, 1].map((x) => [x, percent(x)])

function roc(one: Judgement): string {
  const frame: Frame = {
    title: 'Score against market cap',
    subtitle: base(one),
    xLabel: 'share of the others called as well',
    yLabel: 'share of the outcome called',
    yMax: 1,
  }
  if (one.roc.score.length === 0) return emptyPicture(frame, 'only one outcome in this log')
  const curve = (points: readonly (readonly [number, number])[], colour: string): string =>
    polyline(
      points.map(([x, y]) => [plotX(x), plotY(y, 1)]),
      colour,
    )
  // in the corner that the curves leave free
  const low = (one.auroc.score.value ?? 0) + (one.auroc.mcap.value ?? 0) < 1
  const [left, first] = low ? [0.03, 0.94] : [0.6, 0.2]
  const legend = (i: number, colour: string, label: string): string => {
    const y = plotY(first - i * 0.07, 1)
    return line(plotX(left), y - 4, plotX(left + 0.05), y - 4, colour) + text(plotX(left + 0.06), y, label, { colour })
  }
  const inside = [
    line(plotX(0), plotY(0, 1), plotX(1), plotY(1, 1), MUTED, true),
    curve(one.roc.mcap, ORANGE),
    curve(one.roc.score, BLUE),
    legend(0, BLUE, `score, AUROC ${fixed(one.auroc.score.value)}`),
    legend(1, ORANGE, `market cap, AUROC ${fixed(one.auroc.mcap.value)}`),
    legend(2, MUTED, 'chance, 0.500'),
  ]
  return picture(frame, SHARE_TICKS, inside.join('\n'))
}

/** The outcome rate of all tokens. */
function baseLine(one: Judgement, yMax: number, anchor: 'start' | 'end'): string {
  const rate = one.positives / one.n
  const y = plotY(rate, yMax)
  const label = text(anchor === 'start' ? plotX(0) + 4 : plotX(1) - 4, y - 5, `all: ${percent(rate)}`, {
    size: 11,
    anchor,
    colour: ORANGE,
  })
  return line(plotX(0), y, plotX(1), y, ORANGE, true) + label
}

function deciles(one: Judgement): string {
  const rates = one.deciles.map(({ positives, n }) => positives / n)
  const intervals = one.deciles.map(({ positives, n }) => wilson(positives, n))
  const yMax = niceMax(Math.max(0, ...intervals.map(({ high }) => high ?? 0)))
  const frame: Frame = {
    title: 'Outcome by decile of the score',
    subtitle: base(one),
    xLabel: 'score, lowest tenth to highest tenth of tokens',
    yLabel: 'outcome rate',
    yMax,
  }
  const slot = 1 / rates.length
  const width = (plotX(slot) - plotX(0)) * 0.7
  const inside = rates.map((rate, i) => {
    const x = plotX((i + 0.5) * slot)
    const { low, high } = intervals[i]!
    const y = plotY(rate, yMax)
    return bar(x - width / 2, y, width, plotY(0, yMax) - y, BLUE) + whisker(x, plotY(low!, yMax), plotY(high!, yMax))
  })
  // named where the bars are low
  const side = rates[0]! <= rates.at(-1)! ? 'start' : 'end'
  const ticks = one.deciles.map(({ low, high }, i): [number, string] => [
    (i + 0.5) * slot,
    low === high ? String(low) : `${low}–${high}`,
  ])
  return picture(frame, ticks, [...inside, baseLine(one, yMax, side)].join('\n'))
}

function calibration(one: Judgement): string {
  const result = one.calibration
  const bins = result?.bins ?? []
  const intervals = bins.map(({ positives, n }) => wilson(positives, n))
  const top = niceMax(Math.max(0, ...bins.map(({ mean }) => mean), ...intervals.map(({ high }) => high ?? 0)))
  const frame: Frame = {
    title: 'Calibration of the probability from the score',
    subtitle:
      result === null
        ? base(one)
        : `${what(one)}; learnt on ${whole(result.trained)}, tested on ${whole(result.tested)}`,
    xLabel: 'foretold rate',
    yLabel: 'actual rate',
    yMax: top,
  }
  if (result === null) return emptyPicture(frame, 'a part of the log lacks one of the outcomes')
  const points = bins.map(({ mean, positives, n }, i) => {
    const x = plotX(mean / top)
    const { low, high } = intervals[i]!
    return whisker(x, plotY(low!, top), plotY(high!, top)) + dot(x, plotY(positives / n, top), 4.5, BLUE)
  })
  const inside = [
    line(plotX(0), plotY(0, top), plotX(1), plotY(top, top), MUTED, true),
    ...points,
    text(plotX(0.03), plotY(top * 0.94, top), `calibration error ${fixed(result.ece)}`, { colour: INK }),
  ]
  const ticks = SHARE_TICKS.map(([share]): [number, string] => [share, percent(share * top)])
  return picture(frame, ticks, inside.join('\n'))
}

const PAINT = { green: '#2e7d32', yellow: '#e0a800', red: '#c62828' } as const

function colours(one: Judgement): string {
  const tables = one.colours
  const shown = (['green', 'yellow', 'red'] as const).map((name) => [name, PAINT[name]] as const)
  const highs = tables.flatMap(({ colours }) => shown.map(([name]) => colours[name].high ?? 0))
  const yMax = niceMax(Math.max(0, ...highs))
  const frame: Frame = {
    title: 'Outcome by colour of each rating',
    subtitle: `${base(one)}; dashed: all tokens`,
    xLabel: 'rating',
    yLabel: 'outcome rate',
    yMax,
  }
  if (tables.length === 0) return emptyPicture(frame, 'no ratings')
  const slot = 1 / tables.length
  const width = ((plotX(slot) - plotX(0)) * 0.75) / shown.length
  const inside = tables.flatMap(({ colours }, i) =>
    shown.map(([name, colour], k) => {
      const { rate, low, high } = colours[name]
      if (rate === null) return ''
      const x = plotX((i + 0.5) * slot) + (k - 1) * width
      const y = plotY(rate, yMax)
      const box = bar(x - width * 0.45, y, width * 0.9, plotY(0, yMax) - y, colour)
      return box + line(x, plotY(low!, yMax), x, plotY(high!, yMax), INK)
    }),
  )
  const ticks = tables.map(({ rating }, i): [number, string] => [(i + 0.5) * slot, rating.replace('_', ' ')])
  const rate = one.positives / one.n
  const all = line(plotX(0), plotY(rate, yMax), plotX(1), plotY(rate, yMax), MUTED, true)
  return picture(frame, ticks, [...inside, all].join('\n'))
}
