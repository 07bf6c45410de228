import type { TokenSnapshot } from '@ti/core/contract/resources.ts'
import { count } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Rating } from '../../ui/rating.tsx'
import { Tip } from '../../ui/tip.tsx'
import { placeOf, RATED, type RatedMetric, zonesOf } from './metrics.ts'
import css from './ratings.module.css'
import { written } from './words.ts'

/** The ten verdicts, with their numbers and positions between the thresholds. */
export const RatingsPanel = ({ snapshot }: { snapshot: TokenSnapshot }) => (
  <Panel title="Ratings" how="4-score-group" note="a hollow ring: no reading yet, or its inner circle has sold">
    <ul className={css.list}>
      {RATED.map((metric) => (
        <Row key={metric.rating} metric={metric} snapshot={snapshot} />
      ))}
    </ul>
  </Panel>
)

function Row({ metric, snapshot }: { metric: RatedMetric; snapshot: TokenSnapshot }) {
  const value = metric.read(snapshot)
  const verdict = snapshot.ratings[metric.rating]
  return (
    <li className={css.row}>
      <span className={css.label}>
        <Tip text={`${metric.means} ${sentence(metric.rule)}`}>{metric.label}</Tip>
      </span>
      <span className={css.value}>
        <Rating value={verdict}>{number(metric, value, snapshot)}</Rating>
      </span>
      <Zones metric={metric} value={verdict === 'neutral' ? null : value} />
    </li>
  )
}

const sentence = (words: string): string => `${words[0]?.toUpperCase()}${words.slice(1)}.`

function number(metric: RatedMetric, value: number | null, { signals }: TokenSnapshot): string {
  if (value === null) return 'no reading'
  if (metric.rating !== 'pump_dump') return written(metric.unit, value)
  return `${count(signals.pump_conditions_met ?? 0)} : ${count(signals.dump_conditions_met ?? 0)}`
}

/** Draws the number between the thresholds; the text above says the same. */
const Zones = ({ metric, value }: { metric: RatedMetric; value: number | null }) => (
  <span className={css.zones} aria-hidden="true">
    {zonesOf(metric).map(({ colour, width }) => (
      <span key={colour} data-rating={colour} style={{ inlineSize: `${width}%` }} />
    ))}
    {value !== null && <span className={css.pin} style={{ insetInlineStart: `${placeOf(value, metric.scale)}%` }} />}
  </span>
)
