import { useEffect, useId, useRef, useState } from 'react'
import type uPlot from 'uplot'
import { onColours } from '../../theme/theme.ts'
import { duration } from '../../ui/format.ts'
import { summaryOf, timesOf } from './figures.ts'
import css from './status.module.css'

interface SeriesProps {
  readonly title: string
  readonly unit: string
  readonly everyS: number
  /** oldest first; null: unknown */
  readonly values: readonly (number | null)[]
  readonly format: (value: number) => string
}

const HEIGHT = 110
/** px for the labels at the left */
const AXIS = 64

/** A line over the last minutes, with its newest value. */
export function Series({ title, unit, everyS, values, format }: SeriesProps) {
  const id = useId()
  const { now, lowest, highest } = summaryOf(values)
  const said = (value: number | null): string => (value === null ? 'not known' : format(value))
  return (
    <section className={css.series} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <strong>{said(now)}</strong> <span className="soft">{unit}</span>
      </header>
      <p className="unseen">
        Over the last {duration(values.length * everyS)}: lowest {said(lowest)}, highest {said(highest)}.
      </p>
      <Line values={values} everyS={everyS} format={format} />
    </section>
  )
}

type LineProps = Pick<SeriesProps, 'values' | 'everyS' | 'format'>

function Line({ values, everyS, format }: LineProps) {
  const box = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const say = useRef(format)
  const [failed, setFailed] = useState(false)
  const data = useRef<uPlot.AlignedData>([[], []])
  data.current = [timesOf(values.length, everyS), [...values]]

  useEffect(() => {
    const element = box.current
    if (element === null) return
    let gone = false
    let made: uPlot | null = null
    const draw = async (): Promise<void> => {
      const { makePlot } = await import('./plot.ts')
      if (gone) return
      made?.destroy()
      made = makePlot(element, data.current, { height: HEIGHT, axis: AXIS, format: (value) => say.current(value) })
      plot.current = made
    }
    const redraw = (): void => void draw().catch(() => setFailed(true))
    const sized = new ResizeObserver(() => made?.setSize({ width: element.clientWidth, height: HEIGHT }))
    // the theme decides the colours
    const stop = onColours(redraw)
    redraw()
    sized.observe(element)
    return () => {
      gone = true
      sized.disconnect()
      stop()
      made?.destroy()
      plot.current = null
    }
  }, [])
  useEffect(() => {
    plot.current?.setData([timesOf(values.length, everyS), [...values]])
  }, [values, everyS])
  return (
    <div ref={box} className={css.line} aria-hidden="true">
      {failed && 'The chart cannot be drawn.'}
    </div>
  )
}
