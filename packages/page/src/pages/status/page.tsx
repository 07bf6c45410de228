import type { AppStatus } from '@ti/core/contract/app.ts'
import type { ReactNode } from 'react'
import { useResource } from '../../api/resource.ts'
import { Flag } from '../../ui/flag.tsx'
import { bytes, count, duration, SLOT_S } from '../../ui/format.ts'
import { Page as Frame } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Loaded } from '../../ui/states.tsx'
import { Tip } from '../../ui/tip.tsx'
import { useTitle } from '../../ui/title.ts'
import { perSecond, stateInWords, unknownWords, wordOf } from './figures.ts'
import { Series } from './series.tsx'
import css from './status.module.css'

/** milliseconds between two requests */
const EVERY_MS = 2_000

/** State of the service: a sentence, charts of the last ten minutes, and figures. */
export default function Page(_: { id: string }) {
  const status = useResource<AppStatus>('/app/status', { everyMs: EVERY_MS })
  const { data, error } = status
  useTitle('Status')
  return (
    <Frame
      title="Status"
      beside={error !== null && data !== null && <Flag rating="yellow">not up to date: {error.message}</Flag>}
      lead={data !== null && stateInWords(data)}
    >
      <Loaded of={status} lines={6}>
        {(status) => <Standing status={status} />}
      </Loaded>
    </Frame>
  )
}

const rounded = (value: number): string => count(Math.round(value))

function Standing({ status }: { status: AppStatus }) {
  const { times, trades, blocks, lag_slots, memory_bytes, store_bytes, sockets } = status.series
  const lags = lag_slots.map((lag) => (lag < 0 ? null : lag * SLOT_S))
  return (
    <>
      <div className="halves">
        <Series title="Trades" unit="a second" times={times} values={perSecond(trades, times)} format={rounded} />
        <Series title="Behind the chain" unit="" times={times} values={lags} format={duration} />
        <Series
          title="Log entries"
          unit="a second"
          times={times}
          values={perSecond(blocks, times)}
          format={(value) => count(Math.round(10 * value) / 10)}
        />
        <Series title="Streams" unit="open" times={times} values={sockets} format={rounded} />
        <Series title="Memory" unit="of the process" times={times} values={memory_bytes} format={bytes} />
        <Series title="Store" unit="on disk" times={times} values={store_bytes} format={bytes} />
      </div>
      <div className="halves">
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
            <Figure name="Slot" about="The newest slot of the chain whose trades are in the answers.">
              {status.slot < 0 ? 'none yet' : count(status.slot)}
            </Figure>
            <Figure name="Log entry" about="The newest entry of the log from which all numbers are computed.">
              {status.seq < 0 ? 'none yet' : count(status.seq)}
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
