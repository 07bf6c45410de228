import { useState } from 'react'
import { type Answer, send } from '../../api/client.ts'
import { refusalInWords } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Button } from '../../ui/controls.tsx'
import { Flag } from '../../ui/flag.tsx'
import { count } from '../../ui/format.ts'
import { Ago } from '../../ui/values.tsx'
import { useWatches } from '../../watch/watches.ts'
import css from './account.module.css'
import { Deliveries } from './deliveries.tsx'
import {
  type ChatLink,
  DESTINATIONS,
  type Destination,
  KINDS,
  liveOf,
  type NewSecret,
  watchesInWords,
} from './destination.ts'
import { EditDestination } from './destination-editor.tsx'
import type { OnceShown } from './destinations.tsx'
import { EndButton, Problem } from './parts.tsx'

interface DestinationRowProps {
  readonly destination: Destination
  onOnce(once: OnceShown): void
  onChange(): void
}

/** A destination with its actions: test, deliveries, edit, pause, delete. */
export function DestinationRow({ destination, onOnce, onChange }: DestinationRowProps) {
  const { id, name, kind, state, enabled } = destination
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [open, setOpen] = useState(false)
  const [editing, setEditing] = useState(false)
  /** counts tests sent from here */
  const [sent, setSent] = useState(0)
  const path = `${DESTINATIONS}/${encodeURIComponent(id)}`

  async function ask<T>(asking: Promise<Answer<T>>, done: (data: T) => void): Promise<void> {
    setBusy(true)
    const answer = await asking
    setBusy(false)
    setProblem(answer.ok ? null : refusalInWords(answer))
    if (!answer.ok) return
    done(answer.data)
    onChange()
  }
  const test = () =>
    ask(send('POST', `${path}/test`, {}), () => {
      announce('A test is on its way')
      setOpen(true)
      setSent((before) => before + 1)
    })
  const renew = () =>
    ask(send<NewSecret>('POST', `${path}/secret`, {}), ({ secret, previous_until: until }) =>
      onOnce({ kind: 'secret', name, secret, until }),
    )
  const link = () =>
    ask(send<ChatLink>('POST', `${path}/link`, {}), (code) => onOnce({ kind: 'link', name, link: code }))
  const turn = () =>
    ask(send('PATCH', path, { enabled: !enabled }), () =>
      announce(enabled ? `${name} is paused` : `${name} is resumed`),
    )

  return (
    <li>
      <Standing destination={destination} problem={problem} />
      <div>
        {state !== 'unlinked' && (
          <Button look="quiet" disabled={busy || !enabled} aria-label={`Test ${name}`} onClick={() => void test()}>
            Test
          </Button>
        )}
        <Button
          look="quiet"
          aria-expanded={open}
          aria-label={`Deliveries of ${name}`}
          onClick={() => setOpen((before) => !before)}
        >
          Deliveries
        </Button>
        <Button
          look="quiet"
          aria-expanded={editing}
          aria-label={`Edit ${name}`}
          onClick={() => setEditing((before) => !before)}
        >
          Edit
        </Button>
        <Button
          look="quiet"
          disabled={busy}
          aria-label={`${enabled ? 'Pause' : 'Resume'} ${name}`}
          onClick={() => void turn()}
        >
          {enabled ? 'Pause' : 'Resume'}
        </Button>
        {KINDS[kind].hasSecret && (
          <Button look="quiet" disabled={busy} aria-label={`New secret for ${name}`} onClick={() => void renew()}>
            New secret
          </Button>
        )}
        {KINDS[kind].example === null && (
          <Button look="quiet" disabled={busy} aria-label={`Link a chat to ${name}`} onClick={() => void link()}>
            Link a chat
          </Button>
        )}
        <EndButton
          name={name}
          disabled={busy}
          onEnd={() => void ask(send('DELETE', path, {}), () => announce(`${name} is deleted`))}
        />
      </div>
      {editing && (
        <EditDestination destination={destination} path={path} onChange={onChange} onLeave={() => setEditing(false)} />
      )}
      {open && <Deliveries path={`${path}/deliveries`} sent={sent} />}
    </li>
  )
}

/** Shows the destination, its state, and the failure of the last action. */
function Standing({ destination, problem }: { destination: Destination; problem: string | null }) {
  const { name, kind, address, notice, missed, delivered_at } = destination
  const { watches } = useWatches()
  return (
    <div>
      <p>
        <bdi>{name}</bdi> <State destination={destination} />
      </p>
      <p className="soft">
        {KINDS[kind].label} {address === null ? 'without a chat yet' : <code>{address}</code>},{' '}
        {watchesInWords(destination.watches, watches)}
        {delivered_at !== null && (
          <>
            , last delivery <Ago at={delivered_at} /> ago
          </>
        )}
        {missed > 0 && `, ${count(missed)} alerts missed`}
      </p>
      {liveOf(destination.watches, watches)?.length === 0 && (
        <p className={css.notice}>Its watches have been deleted. Choose others under Edit.</p>
      )}
      {notice !== null && <p className={css.notice}>{notice}</p>}
      <Problem>{problem}</Problem>
    </div>
  )
}

const STATES = {
  unverified: ['neutral', 'not answered yet'],
  working: ['green', 'working'],
  failing: ['red', 'failing'],
  disabled: ['yellow', 'paused'],
  unlinked: ['neutral', 'not linked'],
} as const

function State({ destination: { state, failing_since: since } }: { destination: Destination }) {
  const [rating, word] = STATES[state]
  return (
    <Flag rating={rating}>
      {word}
      {state === 'failing' && since !== null && (
        <>
          {' '}
          for <Ago at={since} />
        </>
      )}
    </Flag>
  )
}
