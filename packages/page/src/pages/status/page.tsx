import type { AppStatus } from '@ti/core/contract/app.ts'
import type { ReactNode } from 'react'
import { useResource } from '../../api/resource.ts'
import { Flag } from '../../ui/flag.tsx'
import { bytes, count, duration, pct } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import { useTitle } from '../../ui/title.ts'
import { perSecond, unknownWords, wordOf } from './figures.ts'
import { Series } from './series.tsx'
import css from './status.module.css'

/** milliseconds between two requests */
const EVERY_MS = 2_000

/** State of the service: charts of the last ten minutes, and figures. */
export default function Page(_: { id: string }) {
  const { data, error, state, refresh } = useResource<AppStatus>('/app/status', { everyMs: EVERY_MS })
  useTitle('Status')
  return (
    <div className={css.page}>
      <header className={css.head}>
        <h1>Status</h1>
        {data !== null && <Readiness status={data} />}
        {error !== null && data !== null && <Flag rating="yellow">not up to date: {error.message}</Flag>}
      </header>
      {state === 'loading' && <Skeleton lines={6} />}
      {state === 'failed' && error !== null && <Failure error={error} retry={refresh} />}
      {data !== null && <Standing status={data} />}
    </div>
  )
}

const rounded = (value: number): string => count(Math.round(value))

const Readiness = ({ status: { ready, reason } }: { status: AppStatus }) =>
  ready ? <Flag rating="green">ready</Flag> : <Flag rating="red">not ready: {reason ?? 'starting'}</Flag>

function Standing({ status }: { status: AppStatus }) {
  const { series } = status
  const { every_s: every } = series
  return (
    <>
      <div className={css.charts}>
        <Series
          title="Trades"
          unit="a second"
          everyS={every}
          values={perSecond(series.trades, every)}
          format={rounded}
        />
        <Series
          title="Log entries"
          unit="a second"
          everyS={every}
          values={perSecond(series.blocks, every)}
          format={(value) => count(Math.round(10 * value) / 10)}
        />
        <Series
          title="Behind the chain"
          unit="in slots"
          everyS={every}
          values={series.lag_slots.map((lag) => (lag < 0 ? null : lag))}
          format={rounded}
        />
        <Series title="Memory" unit="of the process" everyS={every} values={series.memory_bytes} format={bytes} />
        <Series title="Store" unit="on disk" everyS={every} values={series.store_bytes} format={bytes} />
        <Series title="Streams" unit="open" everyS={every} values={series.sockets} format={rounded} />
      </div>
      <div className={css.panels}>
        <Panel title="Chain">
          <dl className={css.figures}>
            <Figure name="Slot" about="The newest slot whose trades are in the answers.">
              {status.slot < 0 ? 'none yet' : count(status.slot)}
            </Figure>
            <Figure
              name="Behind"
              about="Slots between the head of the chain, as reported by the source, and what is served."
            >
              {status.lag_slots === null
                ? 'not known'
                : `${count(status.lag_slots)} ${status.lag_slots === 1 ? 'slot' : 'slots'}`}
            </Figure>
            <Figure name="Log entry" about="The newest entry of the log from which all numbers are computed.">
              {status.seq < 0 ? 'none yet' : count(status.seq)}
            </Figure>
            <Figure name="Running" about="Time since the process started; earlier data is kept.">
              {duration(status.uptime_s)}
            </Figure>
          </dl>
        </Panel>
        <Panel title="Known">
          <dl className={css.figures}>
            <Figure name="Live tokens" about="Tokens kept in memory because they are still traded or young.">
              {count(status.tokens_live)}
            </Figure>
            <Figure name="Tokens" about="Every token ever seen.">
              {count(status.tokens)}
            </Figure>
            <Figure name="Wallets" about="Every wallet ever seen.">
              {count(status.wallets)}
            </Figure>
            <Figure name="Alive" about="Live tokens of all tokens ever seen.">
              {status.tokens === 0 ? '–' : pct((100 * status.tokens_live) / status.tokens)}
            </Figure>
          </dl>
        </Panel>
        <Panel title="Machine">
          <dl className={css.figures}>
            <Figure name="Store" about="Size on disk: log, state and trade history.">
              {bytes(status.store_bytes)}
            </Figure>
            <Figure name="Memory" about="Resident memory of the process.">
              {bytes(status.memory_bytes)}
            </Figure>
            <Figure name="Streams" about="Sockets open now, including this page’s.">
              {count(status.sockets)}
            </Figure>
          </dl>
        </Panel>
        <Numbers title="Source" note="counters of the live source" of={status.source} />
        <Numbers title="Pending facts" note="external facts that could be requested now" of={status.waiting_outside} />
        <Unknown of={status.unknown} />
      </div>
    </>
  )
}

const Figure = ({ name, about, children }: { name: string; about: string; children: ReactNode }) => (
  <div>
    <dt>
      <Tip text={about}>{name}</Tip>
    </dt>
    <dd>{children}</dd>
  </div>
)

/** Events and instructions that no decoder knows; renders nothing if there are none. */
function Unknown({ of }: { of: AppStatus['unknown'] }) {
  if (of === null || of.kinds === 0) return null
  return (
    <Panel title="Not decoded" note={<Flag rating="yellow">a program may have been upgraded</Flag>}>
      <dl className={css.figures}>
        {of.list.map((kind) => (
          <div key={`${kind.program} ${kind.what} ${kind.discriminator} ${kind.length} ${kind.why}`}>
            <dt>{unknownWords(kind)}</dt>
            <dd>{count(kind.count)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

/** Numbers with names that the service chooses. */
function Numbers({ title, note, of }: { title: string; note: string; of: Record<string, number> | null }) {
  if (of === null || Object.keys(of).length === 0) return null
  return (
    <Panel title={title} note={note}>
      <dl className={css.figures}>
        {Object.entries(of).map(([name, value]) => (
          <div key={name}>
            <dt>{wordOf(name)}</dt>
            <dd>{name.endsWith('_bytes') ? bytes(value) : count(value)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
