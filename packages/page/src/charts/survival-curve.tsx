import { count, pct, usd } from '../ui/format.ts'
import { type Rung, survivalCurve } from './survival.ts'
import css from './survival-curve.module.css'
import { useWidth } from './use-width.ts'

const HEIGHT = 260
const EDGE = { left: 40, right: 16, top: 12, bottom: 28 }
/** px per label */
const LABEL_PX = 46

/** Shows the share of launches that reached each rung; the table beside it has the numbers. */
export function SurvivalCurve({ rungs, label }: { rungs: readonly Rung[]; label: string }) {
  const [box, width] = useWidth<HTMLDivElement>()
  const { points, line, area, levels } = survivalCurve(rungs, { width: Math.max(width, 200), height: HEIGHT, ...EDGE })
  const every = Math.max(1, Math.ceil((points.length * LABEL_PX) / Math.max(1, width - EDGE.left)))
  return (
    <div ref={box} className={css.box}>
      {width > 0 && (
        <svg className={css.curve} width={width} height={HEIGHT} role="img" aria-label={label}>
          {levels.map(({ pct: level, y }) => (
            <g key={level}>
              <line className={css.level} x1={EDGE.left} x2={width - EDGE.right} y1={y} y2={y} />
              <text className={css.tick} x={EDGE.left - 8} y={y + 4} textAnchor="end">
                {level}%
              </text>
            </g>
          ))}
          <path className={css.area} d={area} />
          <path className={css.line} d={line} />
          {points.map((point, n) => (
            <g key={point.mcap}>
              <circle
                className={css.point}
                cx={point.x}
                cy={point.y}
                r={4}
                data-none={point.reached === 0 || undefined}
              >
                <title>{`${usd(point.mcap)}: reached by ${count(point.reached)}, ${pct(point.pct, 1)}`}</title>
              </circle>
              {n % every === 0 && (
                <text className={css.tick} x={point.x} y={HEIGHT - 8} textAnchor="middle">
                  {usd(point.mcap)}
                </text>
              )}
            </g>
          ))}
        </svg>
      )}
    </div>
  )
}
