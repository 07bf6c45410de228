import type { AppExplain } from '@ti/core/contract/app.ts'
import type { Resource } from '../../api/resource.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { countSides, type Side, signalRows } from './signal-rows.ts'
import css from './signals.module.css'

const WORD: Record<Side, string> = { pump: 'pump', dump: 'dump', none: 'neither', unread: 'no reading' }
/** shapes repeat what the colours say */
const SHAPE: Record<Side, string> = {
  pump: 'M5 1.5 9.3 8.5H.7z',
  dump: 'M.7 1.5h8.6L5 8.5z',
  none: 'M1 4h8v2H1z',
  unread: '',
}

export function Signals({ explain }: { explain: Resource<AppExplain> }) {
  const { data, error } = explain
  const rows = signalRows(data?.signals ?? [])
  const sides = countSides(rows)
  const note = data?.signals ? (
    <>
      <Count side="pump" value={sides.pump} /> <Count side="dump" value={sides.dump} /> of 24 conditions
    </>
  ) : undefined
  return (
    <Panel title="Signals" how="7-signals" note={note}>
      {data === null && error !== null && <Empty>Not read: {error.message}</Empty>}
      {data === null && error === null && <Skeleton lines={12} />}
      {data?.signals === null && <Empty>The token has not traded yet, so no condition holds.</Empty>}
      {rows.length > 0 && (
        <ol className={css.grid}>
          {rows.map(({ name, label, shown, side, pumpEdge, dumpEdge }) => (
            <li key={name} className={css.cell} data-side={side}>
              <Mark side={side} />
              <span className={css.label}>{label}</span>
              <span className={css.value}>
                <span className="unseen">{WORD[side]}, </span>
                {shown}
              </span>
              <span className={css.edges}>
                pump {pumpEdge} · dump {dumpEdge}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

const Mark = ({ side }: { side: Side }) => (
  <svg className={css.mark} viewBox="0 0 10 10" width="10" height="10" aria-hidden="true">
    {side === 'unread' ? <circle cx="5" cy="5" r="3.2" fill="none" stroke="currentColor" /> : <path d={SHAPE[side]} />}
  </svg>
)

const Count = ({ side, value }: { side: 'pump' | 'dump'; value: number }) => (
  <span className={css.count} data-side={side}>
    <Mark side={side} /> {value} {side}
  </span>
)
