import type { AppDeployer } from '@ti/core/contract/app.ts'
import { useState } from 'react'
import { Link } from '../../shell/router.tsx'
import { Choice } from '../../ui/choice.tsx'
import { Facts } from '../../ui/facts.tsx'
import { count, duration, NONE, pct, SLOT_S, shortAddress, signedSol } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/values.tsx'
import css from './deeds.module.css'
import { fateOf } from './record.ts'
import { inStripOrder, STRIP_ORDERS, type StripOrder, stripReading } from './strip.ts'

type Deeds = NonNullable<AppDeployer['all']>
type Launch = AppDeployer['launches'][number]

/** Outcomes of the deployer's launches: a strip of the newest, and sums over the last 20 and all. */
export function DeedsPanel({ deployer }: { deployer: AppDeployer }) {
  const { all, last_20: recent, launches } = deployer
  return (
    <Panel title="What it did with its launches" how="6-lists-agents-deployers" note="percentages and times are means">
      {launches.length === 0 ? <Empty>Nothing recorded yet.</Empty> : <Strip launches={launches} />}
      {all !== null && <Sums title={`All ${count(all.launches)}`} deeds={all} />}
      {recent !== null && all !== null && all.launches > recent.launches && (
        <Sums title={`The newest ${count(recent.launches)}`} deeds={recent} />
      )}
    </Panel>
  )
}

/** A mark per launch with its sort value; shape, letter and colour agree. */
function Strip({ launches }: { launches: readonly Launch[] }) {
  const [order, setOrder] = useState<StripOrder>('newest')
  return (
    <>
      <Choice label="Order of the launches" options={STRIP_ORDERS} chosen={order} choose={setOrder} />
      <Marks launches={inStripOrder(launches, order)} order={order} />
    </>
  )
}

const Marks = ({ launches, order }: { launches: readonly Launch[]; order: StripOrder }) => (
  <ol className={css.strip} aria-label={`Newest launches, by: ${STRIP_ORDERS[order]}`}>
    {launches.map((launch) => {
      const { fate, mark } = fateOf(launch)
      const name = launch.said_by_deployer.symbol || launch.said_by_deployer.name || shortAddress(launch.mint)
      return (
        <li key={launch.mint}>
          <Link
            to={`/token/${launch.mint}`}
            className={css.mark}
            data-fate={fate}
            title={`${name}: ${fate}, ${signedSol(launch.taken_sol)} taken out`}
          >
            {mark}
            <span className="unseen">
              <bdi>{name}</bdi>: {fate}
            </span>
          </Link>
          <span className={css.reading}>
            {order === 'newest' ? <Ago at={launch.deployed_at} /> : stripReading(launch, order)}
          </span>
        </li>
      )
    })}
  </ol>
)

const Sums = ({ title, deeds }: { title: string; deeds: Deeds }) => (
  <div className={css.sums}>
    <h3>{title}</h3>
    <Facts
      facts={[
        {
          label: 'Drained',
          value: count(deeds.drained),
          means: 'Lost 80% of their money within minutes.',
          tone: deeds.drained > 0 ? 'bad' : 'plain',
        },
        {
          label: 'Rugged',
          value: count(deeds.rugged),
          means: 'Drained by their inner circle.',
          tone: deeds.rugged > 0 ? 'bad' : 'plain',
        },
        {
          label: 'Taken out',
          value: signedSol(deeds.taken_sol),
          means: 'What its own sales brought less what its buys cost.',
          tone: deeds.taken_sol > 0 ? 'bad' : 'plain',
        },
        {
          label: 'First sale after',
          value: deeds.first_sale_slots === null ? NONE : duration(deeds.first_sale_slots * SLOT_S),
        },
        {
          label: 'Buys at launch',
          value: deeds.bought_pct === null ? NONE : pct(deeds.bought_pct, 1),
          means: 'Percent of total supply.',
        },
        {
          label: 'Bundled after a minute',
          value: deeds.bundled_1m_pct === null ? NONE : pct(deeds.bundled_1m_pct, 1),
          means: 'Percent of total supply with coordinated groups one minute after the launch.',
        },
      ]}
    />
  </div>
)
