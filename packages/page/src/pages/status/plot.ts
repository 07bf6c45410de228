import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { duration } from '../../ui/format.ts'

interface PlotOptions {
  readonly height: number
  readonly axis: number
  readonly format: (value: number) => string
}

/** Draws a line in the current theme; the chart library loads on demand. */
export function makePlot(element: HTMLElement, data: uPlot.AlignedData, { height, axis, format }: PlotOptions): uPlot {
  const style = getComputedStyle(document.documentElement)
  const colour = (name: string): string => style.getPropertyValue(name).trim()
  const words = { stroke: colour('--muted'), font: '11px system-ui, sans-serif', ticks: { show: false } }
  const grid = { stroke: colour('--line'), width: 1 }
  return new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false }, y: { range: (_, low, high) => spread(low, high) } },
      axes: [
        {
          ...words,
          grid: { show: false },
          size: 22,
          values: (_, at) => at.map((s) => (s === 0 ? 'now' : `−${duration(-s)}`)),
        },
        { ...words, grid, size: axis, space: 34, values: (_, at) => at.map(format) },
      ],
      series: [{}, { stroke: colour('--accent'), width: 1.5, fill: colour('--accent-soft'), points: { show: false } }],
    },
    data,
    element,
  )
}

/** Starts at zero, or near the values if they are all far from it. */
function spread(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1]
  const top = high <= 0 ? 1 : high
  const from = low > top * 0.8 ? low - (top - low) * 2 - top * 0.01 : 0
  return [Math.max(0, from), top + (top - from) * 0.08]
}
