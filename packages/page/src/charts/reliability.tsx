import css from './reliability.module.css'

interface Point {
  readonly served: number
  readonly observed: number
  readonly low: number
  readonly high: number
  readonly n: number
}

interface ReliabilityProps {
  readonly points: readonly Point[]
  readonly label: string
}

const SIZE = 220
const EDGE = 26
/** half the width of the widest label */
const END = 12
const at = (share: number): number => EDGE + share * (SIZE - EDGE - END)
const x = (share: number): number => at(share)
const y = (share: number): number => SIZE - at(share)

/** Plots served probabilities against observed shares; on the diagonal they are equal. */
export const Reliability = ({ points, label }: ReliabilityProps) => {
  const most = Math.max(1, ...points.map(({ n }) => n))
  return (
    <svg className={css.picture} viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={label}>
      {[0, 0.5, 1].map((share) => (
        <g key={share} className={css.grid}>
          <line x1={x(0)} x2={x(1)} y1={y(share)} y2={y(share)} />
          <line x1={x(share)} x2={x(share)} y1={y(0)} y2={y(1)} />
          <text x={x(0) - 4} y={y(share) + 3} textAnchor="end">
            {100 * share}
          </text>
          <text x={x(share)} y={y(0) + 14} textAnchor="middle">
            {100 * share}
          </text>
        </g>
      ))}
      <line className={css.diagonal} x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />
      {points.map(({ served, observed, low, high, n }) => (
        <g key={served} className={css.point}>
          <line x1={x(served)} x2={x(served)} y1={y(low)} y2={y(high)} />
          <circle cx={x(served)} cy={y(observed)} r={2 + 4 * Math.sqrt(n / most)} />
        </g>
      ))}
    </svg>
  )
}
