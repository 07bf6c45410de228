import { useEffect, useRef, useState } from 'react'
import { send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count } from '../../ui/format.ts'
import { Ago } from '../../ui/values.tsx'
import type { Key } from './account.ts'
import { Day } from './day.tsx'
import css from './keys.module.css'
import { Naming } from './naming.tsx'

type Mode = 'shown' | 'naming' | 'ending'

/** A key, which can be renamed and revoked in place. */
export function KeyRow({ info, onChange }: { info: Key; onChange(): void }) {
  const { id, name, state } = info
  const [mode, setMode] = useState<Mode>('shown')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const actions = useRef<HTMLTableCellElement>(null)
  const before = useRef<Mode>(mode)
  useEffect(() => {
    // the focused element is gone, so the focus moves to this key's actions
    if (mode === 'shown' && before.current !== 'shown') actions.current?.querySelector('button')?.focus()
    before.current = mode
  }, [mode])

  async function change(method: 'PATCH' | 'DELETE', body: object, done: string): Promise<void> {
    setBusy(true)
    const answer = await send(method, `/account/keys/${encodeURIComponent(id)}`, body)
    setBusy(false)
    if (!answer.ok) return setProblem(refusalInWords(answer))
    setProblem(null)
    setMode('shown')
    announce(done)
    onChange()
  }
  const leave = (): void => {
    setProblem(null)
    setMode('shown')
  }

  return (
    <>
      <tr data-state={state} data-mode={mode}>
        <td className={css.nameCell}>
          {mode === 'naming' ? (
            <Naming
              name={name}
              busy={busy}
              onSave={(next) => void change('PATCH', { name: next }, 'Renamed')}
              onLeave={leave}
            />
          ) : (
            <bdi className={css.name} title={name}>
              {name}
            </bdi>
          )}
          <span className={css.id}>{id}</span>
          {problem !== null && (
            <span className={css.problem} role="alert">
              {problem}
            </span>
          )}
        </td>
        <td data-label="Made">
          <Day at={info.created_at} />
        </td>
        <td data-label="Ends">
          <End info={info} />
        </td>
        <td data-label="Last use">
          {info.last_used_at === null ? <span className={css.soft}>never</span> : <Ago at={info.last_used_at} />}
        </td>
        <td data-label="Calls">{count(info.calls)}</td>
        <td className={css.actions} ref={actions}>
          {mode === 'shown' && (
            <>
              <Button look="quiet" aria-label={`Rename ${name}`} onClick={() => setMode('naming')}>
                Rename
              </Button>
              {state === 'live' && (
                <Button
                  look="quiet"
                  className={css.revoke}
                  aria-label={`Revoke ${name}`}
                  onClick={() => setMode('ending')}
                >
                  Revoke
                </Button>
              )}
            </>
          )}
        </td>
      </tr>
      {mode === 'ending' && (
        <tr className={css.endingRow}>
          <td colSpan={6}>
            <Ending
              name={name}
              busy={busy}
              onEnd={() => void change('DELETE', {}, `${name} is revoked`)}
              onLeave={leave}
            />
          </td>
        </tr>
      )}
    </>
  )
}

/** Shows when a key expires, or how it ended. */
function End({ info: { state, expires_at: expires, revoked_at: revoked } }: { info: Key }) {
  if (state === 'revoked' && revoked !== null) {
    return (
      <>
        <Flag rating="red">revoked</Flag> <Day at={revoked} />
      </>
    )
  }
  if (expires === null) return <span className={css.soft}>when revoked</span>
  return (
    <>
      {state === 'expired' && <Flag>expired</Flag>} <Day at={expires} />
    </>
  )
}

function Ending({ name, busy, onEnd, onLeave }: { name: string; busy: boolean; onEnd(): void; onLeave(): void }) {
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => keep.current?.focus(), [])
  return (
    <fieldset className={css.ending} onKeyDown={(event) => event.key === 'Escape' && onLeave()}>
      <legend className="unseen">Revoke {name}?</legend>
      <p>Programs that use this key are refused at once, and its streams are closed. This cannot be undone.</p>
      <button ref={keep} type="button" className={css.keep} onClick={onLeave}>
        Keep it
      </button>
      <Button look="danger" disabled={busy} onClick={onEnd}>
        Revoke permanently
      </Button>
    </fieldset>
  )
}
