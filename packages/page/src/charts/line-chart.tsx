import { type KeyboardEvent, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { onColours } from '../theme/theme.ts'
import { count, moment, sol, usd } from '../ui/format.ts'
import css from './line-chart.module.css'
import { columnsOf, type LineMark, type LinePoint, MARK_WORDS, MARKS_DRAWN } from './line-data.ts'

interface LineChartProps {
  readonly points: readonly LinePoint[]
  readonly marks: readonly LineMark[]
}

/** px; lower on a phone */
const heightAt = (width: number): number => (width < 560 ? 200 : 300)
/** seconds that the time axis covers at least */
const SPAN_LEAST_S = 30
const MARK_COLOUR: Record<LineMark['kind'], string> = {
  bundle_exit: '--red',
  kol_sell: '--yellow',
  graduated: '--green',
}
const KINDS = Object.keys(MARK_WORDS) as LineMark['kind'][]

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
const faint = (name: string, share: number): string => `color-mix(in srgb, ${colour(name)} ${share}%, transparent)`

/** Market cap over time, with bought and sold SOL below it and marks for events. Arrow keys move between points. */
export default function LineChart({ points, marks }: LineChartProps) {
  const box = useRef<HTMLDivElement>(null)
  const slider = useRef<HTMLDivElement>(null)
  const readout = useRef<HTMLParagraphElement>(null)
  const chart = useRef<uPlot | null>(null)
  const shown = useRef({ points, marks })
  shown.current = { points, marks }

  useEffect(() => {
    const parent = box.current
    if (parent === null) return
    const onCursor = (index: number | null): void => {
      const { points, marks } = shown.current
      const text = index === null ? newest(points) : describe(points, marks, index)
      if (readout.current) readout.current.textContent = text
      slider.current?.setAttribute('aria-valuetext', text)
      slider.current?.setAttribute('aria-valuenow', String(index ?? points.length - 1))
    }
    const made = new uPlot(options(parent.clientWidth, shown, onCursor), dataOf(shown.current.points), parent)
    chart.current = made
    onCursor(null)
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

  useEffect(() => {
    chart.current?.setData(dataOf(points))
    slider.current?.setAttribute('aria-valuemax', String(Math.max(0, points.length - 1)))
    if (chart.current?.cursor.idx == null && readout.current) readout.current.textContent = newest(points)
  }, [points])
  useEffect(() => {
    if (marks.length > 0) chart.current?.redraw(false)
  }, [marks])

  const drawn = KINDS.filter((kind) => marks.some((mark) => mark.kind === kind))
  return (
    <figure className={css.figure}>
      <p ref={readout} className={css.readout} aria-hidden="true" />
      <div
        ref={slider}
        className={css.chart}
        role="slider"
        tabIndex={0}
        aria-label="Market cap over time; use the arrow keys to move between points"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, points.length - 1)}
        aria-valuenow={Math.max(0, points.length - 1)}
        onKeyDown={(event) => chart.current && step(chart.current, event)}
        onBlur={() => chart.current?.setCursor({ left: -10, top: -10 })}
      >
        <div ref={box} />
      </div>
      <figcaption className={css.legend}>
        <span data-kind="mcap">market cap</span>
        <span data-kind="buys">bought, SOL</span>
        <span data-kind="sells">sold, SOL</span>
        {drawn.map((kind) => (
          <span key={kind} data-kind={kind}>
            {MARK_WORDS[kind]}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

const dataOf = (points: readonly LinePoint[]): uPlot.AlignedData => {
  const { time, mcap, buys, sells } = columnsOf(points)
  return [time, mcap, buys, sells]
}

const newest = (points: readonly LinePoint[]): string => {
  const last = points.at(-1)
  return last === undefined ? '' : `now ${usd(last.mcap)}`
}

function describe(points: readonly LinePoint[], marks: readonly LineMark[], index: number): string {
  const point = points[index]
  if (point === undefined) return ''
  const next = points[index + 1]
  const here = marks.filter(({ slot }) => slot > (points[index - 1]?.slot ?? -1) && slot <= point.slot)
  const labels = here.slice(0, 2).map(({ kind, label }) => `${MARK_WORDS[kind]}: ${label}`)
  const flow = `bought ${sol(point.buys_sol)}, sold ${sol(point.sells_sol)} SOL in ${count(point.trades)} trades`
  return [moment(point.time * 1000), usd(point.mcap), flow, ...labels, next === undefined ? 'newest' : '']
    .filter((part) => part !== '')
    .join(' · ')
}

function step(chart: uPlot, event: KeyboardEvent): void {
  const last = chart.data[0].length - 1
  const at = chart.cursor.idx ?? last
  const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[
    event.key
  ]
  if (to === undefined || last < 0) return
  event.preventDefault()
  const index = Math.min(last, Math.max(0, to))
  const left = chart.valToPos(chart.data[0][index] ?? 0, 'x')
  const top = chart.valToPos(chart.data[1]?.[index] ?? 0, 'y')
  chart.setCursor({ left, top })
}

type Shown = { readonly current: LineChartProps }

function options(width: number, shown: Shown, onCursor: (index: number | null) => void): uPlot.Options {
  const bars = uPlot.paths.bars?.({ size: [0.7, 10] })
  const volume = { scale: 'v', stroke: 'transparent', width: 0, points: { show: false }, ...(bars && { paths: bars }) }
  const axis = { stroke: () => colour('--muted'), font: '11px system-ui, sans-serif', ticks: { show: false } }
  return {
    width,
    height: heightAt(width),
    padding: [12, 8, 0, 0],
    legend: { show: false },
    cursor: {
      drag: { x: false, y: false },
      points: { size: 7, fill: () => colour('--accent'), stroke: () => colour('--surface'), width: 2 },
    },
    scales: {
      x: { time: true, range: (chart) => timeRange(chart.data[0]) },
      y: { range: (_, low, high) => lineRange(low, high) },
      v: { range: (_, low, high) => volumeRange(low, high) },
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: 80,
        grid: { show: false },
        values: (_, times) => times.map((time) => clockTime(time, times)),
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
        stroke: () => colour('--accent'),
        width: 1.75,
        fill: () => faint('--accent', 8),
        // a single point makes no line
        points: { show: (chart) => chart.data[0].length === 1, size: 6 },
      },
      { ...volume, fill: () => faint('--green', 60) },
      { ...volume, fill: () => faint('--red', 60) },
    ],
    hooks: {
      draw: [(chart) => drawMarks(chart, shown.current.marks)],
      setCursor: [
        (chart) =>
          onCursor(chart.cursor.left === undefined || chart.cursor.left < 0 ? null : (chart.cursor.idx ?? null)),
      ],
    },
  }
}

/** Shows at least half a minute. For a single point, the chart would choose a day or more. */
function timeRange(times: ArrayLike<number>): [number, number] {
  const from = times[0] ?? 0
  const to = times[times.length - 1] ?? from
  return [Math.min(from, to - SPAN_LEAST_S), to]
}

/** values below zero are room for the volume */
const notNegative = (value: number): number | null => (value < 0 ? null : value)

/** Keeps the line in the upper three quarters, above the volume. */
function lineRange(low: number, high: number): [number, number] {
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const span = Math.max(high - low, high * 0.05, 1)
  return [low - 0.42 * span, high + 0.06 * span]
}

/** Draws buys above and sells below a line at an eighth of the height. */
function volumeRange(low: number, high: number): [number, number] {
  const most = Math.max(Math.abs(low || 0), Math.abs(high || 0), 1e-9)
  return [-most, 7 * most]
}

function clockTime(time: number, times: readonly number[]): string {
  const date = new Date(time * 1000)
  const span = (times.at(-1) ?? time) - (times[0] ?? time)
  if (span > 2 * 86_400) return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short' })
  const seconds = span < 600 ? ({ second: '2-digit' } as const) : {}
  return date.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...seconds })
}

function drawMarks(chart: uPlot, marks: readonly LineMark[]): void {
  const { ctx } = chart
  const unit = devicePixelRatio
  ctx.save()
  for (const { kind, time, mcap } of marks.slice(-MARKS_DRAWN)) {
    const x = chart.valToPos(time, 'x', true)
    const y = chart.valToPos(mcap, 'y', true)
    if (x < chart.bbox.left || x > chart.bbox.left + chart.bbox.width) continue
    ctx.fillStyle = colour(MARK_COLOUR[kind])
    ctx.strokeStyle = colour('--surface')
    ctx.lineWidth = 1.5 * unit
    ctx.beginPath()
    outline(ctx, kind, x, y, 6 * unit)
    ctx.stroke()
    ctx.fill()
  }
  ctx.restore()
}

function outline(ctx: CanvasRenderingContext2D, kind: LineMark['kind'], x: number, y: number, r: number): void {
  if (kind === 'graduated') ctx.arc(x, y, r, 0, 2 * Math.PI)
  else if (kind === 'kol_sell') {
    ctx.moveTo(x, y - r)
    ctx.lineTo(x + r, y)
    ctx.lineTo(x, y + r)
    ctx.lineTo(x - r, y)
    ctx.closePath()
  } else {
    ctx.moveTo(x - r, y - r * 0.8)
    ctx.lineTo(x + r, y - r * 0.8)
    ctx.lineTo(x, y + r)
    ctx.closePath()
  }
}
