import { percent } from './numbers.ts'

/** The parts of SVG that the report's plots need. Sizes are in pixels. */
const WIDTH = 640
const HEIGHT = 400
const LEFT = 62
const RIGHT = 24
const TOP = 62
const BOTTOM = 54

export const INK = '#222222'
export const MUTED = '#6b6b6b'
const GRID = '#e4e4e4'
const PAPER = '#ffffff'

/** Distinguishable also for colour-blind readers. */
export const BLUE = '#0b5fa5'
export const ORANGE = '#c2570c'

interface Frame {
  readonly title: string
  readonly subtitle: string
  readonly xLabel: string
  readonly yLabel: string
  /** Value at the top of the y axis. */
  readonly yMax: number
  /** Formats a tick's label; by default a rate in percent. */
  readonly yText?: (value: number) => string
}

/** Pixel of a share of the x axis, and of a value on the y axis. */
export const plotX = (share: number): number => LEFT + share * (WIDTH - LEFT - RIGHT)
export const plotY = (value: number, yMax: number): number =>
  HEIGHT - BOTTOM - (Math.min(value, yMax) / yMax) * (HEIGHT - TOP - BOTTOM)

const px = (value: number): string => String(Math.round(value * 10) / 10)

const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!)

interface TextStyle {
  readonly size?: number
  readonly anchor?: 'start' | 'middle' | 'end'
  readonly colour?: string
  readonly bold?: boolean
  readonly turn?: boolean
}

export function text(x: number, y: number, content: string, style: TextStyle = {}): string {
  const { size = 12, anchor = 'start', colour = INK, bold = false, turn = false } = style
  const weight = bold ? ' font-weight="600"' : ''
  const rotate = turn ? ` transform="rotate(-90 ${px(x)} ${px(y)})"` : ''
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}" text-anchor="${anchor}" fill="${colour}"${weight}${rotate}>${escapeXml(content)}</text>`
}

export const line = (x1: number, y1: number, x2: number, y2: number, colour: string, dashed = false): string =>
  `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" stroke="${colour}"${dashed ? ' stroke-dasharray="4 4"' : ''}/>`

const bar = (x: number, y: number, width: number, height: number, colour: string): string =>
  `<rect x="${px(x)}" y="${px(y)}" width="${px(width)}" height="${px(Math.max(0, height))}" fill="${colour}"/>`

export const polyline = (points: readonly (readonly [number, number])[], colour: string): string =>
  `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(([x, y]) => `${px(x)},${px(y)}`).join(' ')}"/>`

export const dot = (x: number, y: number, radius: number, colour: string): string =>
  `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="${colour}"/>`

/** A round number at or above `value`, for round ticks: 1, 2 or 5 times a power of ten, at most 1. */
export function niceMax(value: number): number {
  for (const step of [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8]) {
    if (value <= step) return step
  }
  return 1
}

const TICKS = 5

/** The whole picture: title, axes, and `inside` drawn on top of the grid. */
export function picture(frame: Frame, xTicks: readonly (readonly [number, string])[], inside: string): string {
  const grid = Array.from({ length: TICKS + 1 }, (_, i) => {
    const value = (frame.yMax * i) / TICKS
    const y = plotY(value, frame.yMax)
    const label = (frame.yText ?? percent)(value)
    return (
      line(LEFT, y, WIDTH - RIGHT, y, GRID) + text(LEFT - 7, y + 4, label, { size: 11, anchor: 'end', colour: MUTED })
    )
  })
  const bottom = HEIGHT - BOTTOM
  // long labels side by side would overlap
  const stagger = xTicks.length > 6 && xTicks.some(([, label]) => label.length > 8) ? 12 : 0
  const ticks = xTicks.map(([share, label], i) =>
    text(plotX(share), bottom + 15 + (i % 2) * stagger, label, { size: 11, anchor: 'middle', colour: MUTED }),
  )
  const middle = (LEFT + WIDTH - RIGHT) / 2
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, 'DejaVu Sans', sans-serif" role="img" aria-label="${escapeXml(frame.title)}">
${bar(0, 0, WIDTH, HEIGHT, PAPER)}
${text(16, 26, frame.title, { size: 15, bold: true })}
${text(16, 45, frame.subtitle, { size: 12, colour: MUTED })}
${grid.join('\n')}
${ticks.join('\n')}
${inside}
${line(LEFT, bottom, WIDTH - RIGHT, bottom, INK)}
${text(middle, HEIGHT - 9, frame.xLabel, { anchor: 'middle' })}
${text(18, (TOP + bottom) / 2, frame.yLabel, { anchor: 'middle', turn: true })}
</svg>
`
}
