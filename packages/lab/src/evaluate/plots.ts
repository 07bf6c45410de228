import { percent } from './numbers.ts'
import type { RegimeCurve } from './regime.ts'
import { BLUE, dot, INK, line, MUTED, niceMax, ORANGE, picture, plotX, plotY, polyline, text } from './svg.ts'

/** Served and observed rates around a change of the market; null without points. */
export function regimePlot({ question, points }: RegimeCurve): string | null {
  const [first] = points
  const last = points.at(-1)
  if (first === undefined || last === undefined || first === last) return null
  const yMax = niceMax(Math.max(...points.flatMap(({ served, observed }) => [served, observed])))
  const share = (at: number): number => (at - first.at) / (last.at - first.at)
  const drawn = (read: (point: (typeof points)[number]) => number, colour: string): string => {
    const line = points.map((point) => [plotX(share(point.at)), plotY(read(point), yMax)] as const)
    return polyline(line, colour) + line.map(([x, y]) => dot(x, y, 3, colour)).join('')
  }
  const legend = (i: number, colour: string, label: string): string =>
    line(plotX(0.03), plotY(yMax, yMax) + 12 + 16 * i, plotX(0.08), plotY(yMax, yMax) + 12 + 16 * i, colour) +
    text(plotX(0.09), plotY(yMax, yMax) + 16 + 16 * i, label, { colour: INK })
  const change = share(0)
  const inside = [
    ...(change >= 0 && change <= 1
      ? [line(plotX(change), plotY(0, yMax), plotX(change), plotY(yMax, yMax), MUTED, true)]
      : []),
    drawn(({ observed }) => observed, ORANGE),
    drawn(({ served }) => served, BLUE),
    legend(0, BLUE, 'served'),
    legend(1, ORANGE, 'observed'),
  ]
  const frame = {
    title: `${question}: a market that changes`,
    subtitle: 'pieces of 500 outcomes; dashed: three times as many launches graduate from here on',
    xLabel: 'outcomes since the change',
    yLabel: 'answer is yes',
    yMax,
    yText: percent,
  }
  const step = Math.max(1, Math.ceil(points.length / 8))
  const ticks = points.filter((_, i) => i % step === 0).map(({ at }) => [share(at), String(at)] as const)
  return picture(frame, ticks, inside.join('\n'))
}
