import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { onColours } from '../theme/theme.ts'
import { count, sol, usd } from '../ui/format.ts'
import type { RatingValue } from '../ui/rating.tsx'
import css from './line-chart.module.css'
import { axisOf, columnsOf, type LineMark, type LinePoint, levelsOf, markLabel, timeToSecond } from './line-data.ts'

export interface LineChartProps {
  readonly points: readonly LinePoint[]
  readonly marks: readonly LineMark[]
  /** Unix seconds from which on the future is covered; null: now */
  readonly at: number | null
  /** of the verdict; exits have it */
  readonly colour: RatingValue
  /** pads the axes to the slider below */
  onEdges(left: number, right: number): void
}

/** px; lower on a phone */
const heightAt = (width: number): number => (width < 560 ? 220 : 330)
/** exits with a label, the largest */
const LABELS_MAX = 8
/** px of the line of a label */
const LABEL_PX = 14
const FONT = '11px system-ui, sans-serif'

const colourOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const faint = (name: string, share: number): string => `color-mix(in srgb, ${colourOf(name)} ${share}%, transparent)`

type Shown = { readonly current: LineChartProps }

/** Market cap over time, with bought and sold SOL below it and every exit in it. */
export default function LineChart(props: LineChartProps) {
  const { points, marks, at, colour } = props
  const box = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const chart = useRef<uPlot | null>(null)
  const shown = useRef(props)
  shown.current = props

  useEffect(() => {
    const parent = box.current
    if (parent === null) return
    const made = new uPlot(
      options(parent.clientWidth, shown, (text) => {
        if (readout.current) readout.current.textContent = text
      }),
      dataOf(shown.current.points),
      parent,
    )
    chart.current = made
    const sized = new ResizeObserver(() =>
      made.setSize({ width: parent.clientWidth, height: heightAt(parent.clientWidth) }),
    )
    sized.observe(parent)
    const stop = onColours(() => made.redraw(false, true))
    return () => {
      sized.disconnect()
      stop()
      made.destroy()
      chart.current = null
    }
  }, [])
  useEffect(() => chart.current?.setData(dataOf(points)), [points])
  useEffect(() => chart.current?.redraw(false), [marks, at, colour])

  const last = points.at(-1)
  return (
    <div
      className={css.chart}
      role="img"
      aria-label={last === undefined ? '' : `Market cap over time, ${usd(last.mcap)} at the end`}
    >
      <p ref={readout} className={css.readout} aria-hidden="true" />
      <div ref={box} />
    </div>
  )
}

const dataOf = (points: readonly LinePoint[]): uPlot.AlignedData => {
  const { time, mcap, buys, sells } = columnsOf(points)
  return [time, mcap, buys, sells]
}

function describe(points: readonly LinePoint[], index: number | null | undefined): string {
  const point = index == null ? undefined : points[index]
  if (point === undefined) return ''
  const flow = `bought ${sol(point.buys_sol)}, sold ${sol(point.sells_sol)} SOL in ${count(point.trades)} trades`
  return `${timeToSecond(point.time * 1000)} · ${usd(point.mcap)} · ${flow}`
}

function options(width: number, shown: Shown, tell: (text: string) => void): uPlot.Options {
  const bars = uPlot.paths.bars?.({ size: [0.7, 10] })
  const volume = { scale: 'v', stroke: 'transparent', width: 0, points: { show: false }, ...(bars && { paths: bars }) }
  const axis = { stroke: () => colourOf('--muted'), font: FONT, ticks: { show: false } }
  return {
    width,
    height: heightAt(width),
    padding: [12, 8, 0, 24],
    legend: { show: false },
    cursor: {
      drag: { x: false, y: false },
      points: { size: 7, fill: () => colourOf('--accent'), stroke: () => colourOf('--surface'), width: 2 },
    },
    scales: {
      x: { time: true, range: (chart) => axisOf(chart.data[0]) },
      y: { range: (_, low, high) => lineRange(low, high) },
      v: { range: (_, low, high) => volumeRange(low, high) },
    },
    axes: [
      {
        ...axis,
        size: 24,
        space: 80,
        grid: { show: false },
        values: (_, times) => times.map((time) => timeToSecond(time * 1000)),
      },
      {
        ...axis,
        side: 1,
        size: 56,
        grid: { stroke: () => faint('--line', 70), width: 1, filter: (_, values) => values.map(notNegative) },
        filter: (_, values) => values.map(notNegative),
        values: (_, values) => values.map((value) => (value === null ? '' : usd(value))),
      },
    ],
    series: [
      {},
      {
        scale: 'y',
        stroke: () => colourOf('--accent'),
        width: 1.75,
        fill: () => faint('--accent', 8),
        // a single point makes no line
        points: { show: (chart) => chart.data[0].length === 1, size: 6 },
      },
      { ...volume, fill: () => faint('--accent', 55) },
      { ...volume, fill: () => faint('--muted', 55) },
    ],
    hooks: {
      draw: [
        (chart) => {
          drawMarks(chart, shown.current)
          const { left, width } = chart.bbox
          shown.current.onEdges(left / devicePixelRatio, chart.width - (left + width) / devicePixelRatio)
        },
      ],
      setCursor: [(chart) => tell(describe(shown.current.points, chart.cursor.idx))],
    },
  }
}

/** values below zero are room for the volume */
const notNegative = (value: number): number | null => (value < 0 ? null : value)

/** Keeps the line above the volume and below the labels. */
function lineRange(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const span = Math.max(high - low, high * 0.05, 1)
  return [low - 0.3 * span, high + 0.3 * span]
}

/** Draws buys above and sells below a line at an eighth of the height. */
function volumeRange(low: number, high: number): [number, number] {
  const most = Math.max(Math.abs(low || 0), Math.abs(high || 0), 1e-9)
  return [-most, 7 * most]
}

function drawMarks(chart: uPlot, { marks, at, colour }: LineChartProps): void {
  const { ctx, bbox } = chart
  const unit = devicePixelRatio
  const [left, right, bottom] = [bbox.left, bbox.left + bbox.width, bbox.top + bbox.height]
  ctx.save()
  ctx.font = FONT.replace('11', `${11 * unit}`)
  const labelled = [...marks]
    .filter(({ time }) => at === null || time <= at)
    .sort((a, b) => Number(b.wallets === 0) - Number(a.wallets === 0) || b.pct - a.pct)
    .slice(0, LABELS_MAX)
    .sort((a, b) => a.time - b.time)
    .map((mark) => {
      const text = markLabel(mark)
      const width = ctx.measureText(text).width + 8 * unit
      const x = Math.min(right, Math.max(left, chart.valToPos(mark.time, 'x', true)))
      const isOwn = !['graduated', 'kol_sell', 'liquidity'].includes(mark.kind)
      return {
        ...{ text, width, x, from: x + width > right ? x - width : x },
        ink: colourOf(isOwn ? `--${colour}` : '--text'),
        isDashed: mark.kind === 'graduated',
      }
    })
  const levels = levelsOf(labelled)
  const topOf = (i: number): number => bbox.top + levels[i]! * LABEL_PX * unit
  ctx.lineWidth = unit
  for (const [i, { ink, isDashed, x }] of labelled.entries()) {
    ctx.strokeStyle = ink
    ctx.setLineDash(isDashed ? [4 * unit, 4 * unit] : [])
    ctx.beginPath()
    ctx.moveTo(x, topOf(i))
    ctx.lineTo(x, bottom)
    ctx.stroke()
  }
  // over all lines
  ctx.fillStyle = faint('--surface', 85)
  for (const [i, { from, width }] of labelled.entries())
    ctx.fillRect(from + 2 * unit, topOf(i), width - 4 * unit, LABEL_PX * unit)
  ctx.textAlign = 'left'
  ctx.textBaseline = 'middle'
  for (const [i, { ink, text, from }] of labelled.entries()) {
    ctx.fillStyle = ink
    ctx.fillText(text, from + 4 * unit, topOf(i) + (LABEL_PX * unit) / 2)
  }
  if (at !== null) coverFuture(chart, at)
  ctx.restore()
}

/** Fades what came after the moment that is shown. */
function coverFuture({ ctx, bbox, valToPos }: uPlot, at: number): void {
  const right = bbox.left + bbox.width
  const x = Math.min(right, Math.max(bbox.left, valToPos(at, 'x', true)))
  ctx.fillStyle = faint('--surface', 80)
  ctx.fillRect(x, bbox.top, right - x, bbox.height)
  ctx.fillStyle = colourOf('--accent')
  ctx.fillRect(x - devicePixelRatio, bbox.top, 2 * devicePixelRatio, bbox.height)
}
