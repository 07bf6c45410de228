import { useState } from 'react'
import { send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Button, Field } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count } from '../../ui/format.ts'
import { Panel } from '../../ui/panel.tsx'
import { Empty } from '../../ui/states.tsx'
import { Cell, Row, RowHead, Table } from '../../ui/table.tsx'
import { Ago } from '../../ui/values.tsx'
import css from './account.module.css'
import { inOrder, type Key, NAME_MAX, type NewKey } from './account.ts'
import { MadeKey, MakeKey } from './make-key.tsx'
import { Day, EndButton, Form, Part, Problem } from './parts.tsx'

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
    <Part id="keys">
      <Panel title="Keys" note={`${live.length} of ${most} in use`}>
        <div className="stack">
          {made === null ? (
            <MakeKey suggested={`key ${keys.length + 1}`} full={live.length >= most} most={most} onMake={onMake} />
          ) : (
            <MadeKey made={made} publicUrl={publicUrl} onDone={() => setMade(null)} />
          )}
          {live.length === 0 ? (
            <Empty>No key yet. Name the first one after the program that will use it.</Empty>
          ) : (
            <KeyTable keys={live} onChange={onChange} label="Keys in use" />
          )}
          {ended.length > 0 && (
            <details>
              <summary>
                {ended.length} ended {ended.length === 1 ? 'key' : 'keys'}
              </summary>
              <KeyTable keys={ended} onChange={onChange} label="Ended keys" />
            </details>
          )}
        </div>
      </Panel>
    </Part>
  )
}

const COLUMNS = [
  { label: 'Name' },
  { label: 'Made', wide: true },
  { label: 'Ends', wide: true },
  { label: 'Last use' },
  { label: 'Calls', number: true, wide: true },
  { label: 'Actions', number: true, head: <span className="unseen">Actions</span> },
]

const KeyTable = ({ keys, onChange, label }: { keys: readonly Key[]; onChange(): void; label: string }) => (
  <Table label={label} columns={COLUMNS}>
    {keys.map((key) => (
      <KeyRow key={key.id} info={key} onChange={onChange} />
    ))}
  </Table>
)

/** A key, which can be renamed and revoked in place. */
function KeyRow({ info, onChange }: { info: Key; onChange(): void }) {
  const { id, name, state, last_used_at: used } = info
  const [naming, setNaming] = useState(false)
  const [next, setNext] = useState(name)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)

  async function change(method: 'PATCH' | 'DELETE', body: object, done: string): Promise<void> {
    setBusy(true)
    const answer = await send(method, `/account/keys/${encodeURIComponent(id)}`, body)
    setBusy(false)
    if (!answer.ok) return setProblem(refusalInWords(answer))
    setProblem(null)
    setNaming(false)
    announce(done)
    onChange()
  }
  const rename = (): void => {
    if (next.trim() === '' || next === name) setNaming(false)
    else void change('PATCH', { name: next }, 'Renamed')
  }
  return (
    <>
      <Row>
        <RowHead className={css.name}>
          <bdi>{name}</bdi> <code>{id}</code>
          {!naming && <Problem>{problem}</Problem>}
        </RowHead>
        <Cell wide>
          <Day at={info.created_at} />
        </Cell>
        <Cell wide>
          <End info={info} />
        </Cell>
        <Cell>{used === null ? <span className="soft">never</span> : <Ago at={used} />}</Cell>
        <Cell number wide>
          {count(info.calls)}
        </Cell>
        <Cell number>
          <Button look="quiet" aria-label={`Rename ${name}`} onClick={() => setNaming(!naming)}>
            Rename
          </Button>
          {state === 'live' && (
            <EndButton
              name={name}
              verb="Revoke"
              disabled={busy}
              onEnd={() => void change('DELETE', {}, `${name} is revoked: programs that use it are refused`)}
            />
          )}
        </Cell>
      </Row>
      {naming && (
        <Row>
          <Cell colSpan={COLUMNS.length}>
            <Form
              label={`Rename ${name}`}
              problem={problem}
              busy={busy}
              action="Save"
              onSend={rename}
              onLeave={() => setNaming(false)}
            >
              <Field
                label={`New name of ${name}`}
                value={next}
                maxLength={NAME_MAX}
                onChange={(event) => setNext(event.target.value)}
              />
            </Form>
          </Cell>
        </Row>
      )}
    </>
  )
}

/** When a key expires, or how it ended. */
function End({ info: { state, expires_at: expires, revoked_at: revoked } }: { info: Key }) {
  if (state === 'revoked' && revoked !== null) {
    return (
      <>
        <Flag rating="red">revoked</Flag> <Day at={revoked} />
      </>
    )
  }
  if (expires === null) return <span className="soft">when revoked</span>
  return (
    <>
      {state === 'expired' && <Flag>expired</Flag>} <Day at={expires} />
    </>
  )
}
