import { useState } from 'react'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { inOrder, type Key, type NewKey } from './account.ts'
import { KeyRow } from './key-row.tsx'
import css from './keys.module.css'
import { MadeKey, MakeKey } from './make-key.tsx'

interface KeysProps {
  readonly keys: readonly Key[]
  /** most live keys at once */
  readonly most: number
  readonly publicUrl: string
  onChange(): void
}

export function Keys({ keys, most, publicUrl, onChange }: KeysProps) {
  /** the new key; shown once and not stored */
  const [made, setMade] = useState<NewKey | null>(null)
  const ordered = inOrder(keys)
  const live = ordered.filter(({ state }) => state === 'live')
  const ended = ordered.filter(({ state }) => state !== 'live')
  const onMake = (key: NewKey): void => {
    setMade(key)
    onChange()
  }
  return (
    <Panel title="Keys" note={`${live.length} of ${most} in use`}>
      <div className={css.keys}>
        {made === null ? (
          <MakeKey suggested={`key ${keys.length + 1}`} full={live.length >= most} most={most} onMake={onMake} />
        ) : (
          <MadeKey made={made} publicUrl={publicUrl} onDone={() => setMade(null)} />
        )}
        {live.length === 0 ? (
          <Empty>No key yet. Making the first one takes a moment; name it after the program that will use it.</Empty>
        ) : (
          <KeyTable keys={live} onChange={onChange} label="Keys in use" />
        )}
        {ended.length > 0 && (
          <details className={css.ended}>
            <summary>
              {ended.length} ended {ended.length === 1 ? 'key' : 'keys'}
            </summary>
            <KeyTable keys={ended} onChange={onChange} label="Ended keys" />
          </details>
        )}
      </div>
    </Panel>
  )
}

const KeyTable = ({ keys, onChange, label }: { keys: readonly Key[]; onChange(): void; label: string }) => (
  <table className={css.table} aria-label={label}>
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Made</th>
        <th scope="col">Ends</th>
        <th scope="col">Last use</th>
        <th scope="col">Calls</th>
        <th scope="col">
          <span className="unseen">Actions</span>
        </th>
      </tr>
    </thead>
    <tbody>
      {keys.map((key) => (
        <KeyRow key={key.id} info={key} onChange={onChange} />
      ))}
    </tbody>
  </table>
)
