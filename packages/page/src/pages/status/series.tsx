import { useWidth } from '../../charts/use-width.ts'
import { Panel } from '../../ui/panel.tsx'
import { summaryOf, ticksOf } from './figures.ts'
import css from './status.module.css'

interface SeriesProps {
  readonly title: string
  readonly unit: string
  /** Unix seconds, oldest first */
  readonly times: readonly number[]
  /** null: unknown */
  readonly values: readonly (number | null)[]
  readonly format: (value: number) => string
}

/** A line over the last minutes, with its newest value. */
export function Series({ title, unit, times, values, format }: SeriesProps) {
  const { now, lowest, highest } = summaryOf(values)
  const said = (value: number | null): string => (value === null ? 'not known' : format(value))
  return (
    <Panel title={title} note={`${said(now)} ${unit}`}>
      <p className="soft">
        between {said(lowest)} and {said(highest)} in the last minutes
      </p>
      <Line times={times} values={values} />
    </Panel>
  )
}

const HEIGHT = 120
/** px below the line, for the axis */
const AXIS = 20

/** From zero to the highest value, over true time: a pause of the samples is a gap. */
function Line({ times, values }: Pick<SeriesProps, 'times' | 'values'>) {
  const [box, width] = useWidth<HTMLDivElement>()
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const most = summaryOf(values).highest ?? 0
  const x = (at: number): number => (last > first ? (width * (at - first)) / (last - first) : width)
  const y = (value: number): number => (HEIGHT - AXIS) * (1 - (most > 0 ? 0.9 * (value / most) : 0))
  return (
    <div ref={box} className={css.line}>
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <path d={pathOf(times, values, (at, value) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`)} />
        {ticksOf(first, last).map(({ at, text }) => (
          <text
            key={at}
            x={x(at)}
            y={HEIGHT - 4}
            textAnchor={x(at) < 20 ? 'start' : x(at) > width - 20 ? 'end' : 'middle'}
          >
            {text}
          </text>
        ))}
      </svg>
    </div>
  )
}

/** seconds between two samples from which a part of the line is missing */
const PAUSE_S = 15

function pathOf(
  times: readonly number[],
  values: readonly (number | null)[],
  place: (at: number, value: number) => string,
): string {
  let before: number | null = null
  let path = ''
  for (const [i, at] of times.entries()) {
    const value = values[i] ?? null
    if (value !== null) path += `${before === null || at - before > PAUSE_S ? 'M' : 'L'}${place(at, value)}`
    before = value === null ? null : at
  }
  return path
}
