import css from './step-line.module.css'
import { type StepPoint, stepLine } from './step-line.ts'
import { useWidth } from './use-width.ts'

const HEIGHT = 230
const EDGE = { left: 8, right: 88, top: 10, bottom: 24 }

interface StepChartProps {
  readonly label: string
  readonly points: readonly (StepPoint & { readonly title: string })[]
  readonly end: number
  written(value: number): string
  /** labels below the left and right edges */
  readonly ends: readonly [string, string]
}

/** A running sum over time; the table beside it has the same numbers. */
export function StepChart({ label, points, end, written, ends }: StepChartProps) {
  const [box, width] = useWidth<HTMLDivElement>()
  const { line, area, zero, points: places, levels } = stepLine(points, end, { width, height: HEIGHT, ...EDGE })
  const gained = (points.at(-1)?.value ?? 0) >= 0
  return (
    <div ref={box} className={css.box} style={{ blockSize: HEIGHT }}>
      {width > 0 && (
        <svg className={css.chart} width={width} height={HEIGHT} role="img" aria-label={label} data-gained={gained}>
          {levels.map(({ value, y }) => (
            <g key={value}>
              <line className={css.level} data-zero={y === zero} x1={EDGE.left} x2={width - EDGE.right} y1={y} y2={y} />
              <text className={css.tick} x={width - EDGE.right + 8} y={y + 4}>
                {written(value)}
              </text>
            </g>
          ))}
          <path className={css.area} d={area} />
          <path className={css.line} d={line} />
          {points.map(({ title }, n) => (
            <circle key={title} className={css.point} cx={places[n]?.x} cy={places[n]?.y} r={3}>
              <title>{title}</title>
            </circle>
          ))}
          <text className={css.tick} x={EDGE.left} y={HEIGHT - 6}>
            {ends[0]}
          </text>
          <text className={css.tick} x={width - EDGE.right} y={HEIGHT - 6} textAnchor="end">
            {ends[1]}
          </text>
        </svg>
      )}
    </div>
  )
}
