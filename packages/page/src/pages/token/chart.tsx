import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { chainNow } from '../../api/clock.ts'
import { axisOf, slotOfTime, timeOfSlot, timeToSecond } from '../../charts/line-data.ts'
import { Boundary } from '../../shell/boundary.tsx'
import { Button } from '../../ui/controls.tsx'
import { How } from '../../ui/how.tsx'
import type { RatingValue } from '../../ui/rating.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { Ago } from '../../ui/values.tsx'
import css from './token.module.css'
import type { TokenData } from './use-token.ts'

const LineChart = lazy(() => import('../../charts/line-chart.tsx'))

/** steps of the slider, so that a key moves it visibly */
const STEPS = 200
/** milliseconds of rest until a moved slider asks the service */
const REST_MS = 150
/** milliseconds without a trade from which the page says that the axis ends there: a longer one leaves no room for trades */
const QUIET_MS = 60_000

interface ChartProps {
  readonly data: TokenData
  readonly colour: RatingValue
  /** null: now */
  readonly show: (slot: number | null) => void
}

/** Market cap with every exit, and the slider that sets the whole page to a moment. */
export function Chart({ data, colour, show }: ChartProps) {
  const { line, points, anchors, at } = data
  const box = useRef<HTMLDivElement>(null)
  const last = points.at(-1)?.time ?? Number.POSITIVE_INFINITY
  const isQuiet = chainNow() - last * 1000 >= QUIET_MS
  const moved = useMoved(at === null ? null : timeOfSlot(anchors, at), (time) =>
    show(time === null ? null : slotOfTime(anchors, time)),
  )
  return (
    <section aria-label="Chart" id="chart" className={css.card}>
      <h2 className={css.title}>
        Market cap, and who made it <How part="1-token-basics" of="Market cap" />
        {line.data?.truncated === true && <span className="soft">its latest 10,000 trades</span>}
        <span className={css.when}>
          <output>
            {moved.time === null ? 'Now' : `As of ${timeToSecond(moved.time * 1000)}`}
            {moved.time === null && isQuiet && (
              <>
                ; the last trade was <Ago at={last * 1000} /> ago
              </>
            )}
          </output>
          {moved.time !== null && <Button onClick={() => moved.move(null)}>Back to now</Button>}
        </span>
      </h2>
      <div ref={box} className={css.chart}>
        {points.length === 0 ? (
          <div className={css.plot}>
            {line.state === 'loading' && <Skeleton lines={10} />}
            {line.error !== null && <Failure error={line.error} retry={line.refresh} />}
            {line.state === 'ready' && <Empty>No trade yet. The line begins with the first one.</Empty>}
          </div>
        ) : (
          <Boundary>
            <Suspense fallback={<div className={css.plot} />}>
              <LineChart
                points={points}
                marks={line.data?.marks ?? []}
                at={moved.time}
                colour={colour}
                onEdges={(left, right) => {
                  box.current?.style.setProperty('--left', `${left}px`)
                  box.current?.style.setProperty('--right', `${right}px`)
                }}
              />
            </Suspense>
          </Boundary>
        )}
        <Slider axis={axisOf(points.map(({ time }) => time))} time={moved.time} move={moved.move} />
      </div>
    </section>
  )
}

interface SliderProps {
  /** Unix seconds of its ends */
  readonly axis: readonly [from: number, to: number]
  readonly time: number | null
  readonly move: (time: number | null) => void
}

function Slider({ axis: [first, last], time, move }: SliderProps) {
  const step = Math.max(0.4, (last - first) / STEPS)
  return (
    <input
      className={css.slider}
      type="range"
      aria-label="Time"
      aria-valuetext={time === null ? 'now' : timeToSecond(time * 1000)}
      min={first}
      max={last}
      step={step}
      value={time ?? last}
      // the last step may end before the newest trade
      onChange={({ currentTarget: { valueAsNumber: to } }) => move(to > last - step ? null : to)}
    />
  )
}

/** The slider follows the hand at once, and the page a moment later. */
function useMoved(shown: number | null, show: (time: number | null) => void) {
  const [hand, setHand] = useState<{ readonly time: number | null } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    time: hand === null ? shown : hand.time,
    move(time: number | null): void {
      setHand({ time })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        show(time)
        setHand(null)
      }, REST_MS)
    },
  }
}
