import { useState } from 'react'
import { type Answer, send } from '../../api/client.ts'
import { announce } from '../../ui/announce.ts'
import { Field, Select } from '../../ui/controls.tsx'
import { useWatches } from '../../watch/watches.ts'
import css from './account.module.css'
import { NAME_MAX } from './account.ts'
import { ChooseWatches } from './choose-watches.tsx'
import {
  DESTINATIONS,
  type Destination,
  type DestinationKind,
  destinationProblem,
  type FieldProblem,
  KINDS,
  liveOf,
  type NewDestination,
  placeOf,
  URL_LENGTH,
} from './destination.ts'
import type { OnceShown } from './destinations.tsx'
import { Form } from './parts.tsx'

type Ids = readonly string[] | null

/** Name and watches of a destination, new or not. */
function useForm(first: { readonly name: string; readonly watches: Ids }) {
  const [name, setName] = useState(first.name)
  const [watches, setWatches] = useState(first.watches)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<FieldProblem | null>(null)
  const at = (field: FieldProblem['field']): string | null => (problem?.field === field ? problem.text : null)
  /** null: it was refused, and the form says why */
  async function sent<T>(chosen: Ids, asking: () => Promise<Answer<T>>): Promise<T | null> {
    const wrong = destinationProblem(name, chosen)
    setProblem(wrong)
    if (wrong !== null) return null
    setBusy(true)
    const answer = await asking()
    setBusy(false)
    if (answer.ok) return answer.data
    setProblem(placeOf(answer))
    return null
  }
  const heard = () => setProblem(null)
  return { name, setName, watches, setWatches, busy, at, sent, heard }
}

interface MakeDestinationProps {
  onMake(once: OnceShown): void
  onChange(): void
}

export function MakeDestination({ onMake, onChange }: MakeDestinationProps) {
  const [kind, setKind] = useState<DestinationKind>('webhook')
  const [url, setUrl] = useState('')
  const { name, setName, watches, setWatches, busy, at, sent, heard } = useForm({ name: '', watches: null })
  const { example } = KINDS[kind]

  const make = async (): Promise<void> => {
    const body = { kind, name: name.trim(), watches, ...(example !== null && { url: url.trim() }) }
    const made = await sent(watches, () => send<NewDestination>('POST', DESTINATIONS, body))
    if (made === null) return
    setName('')
    setUrl('')
    setWatches(null)
    announce(`${made.name} is added`)
    onChange()
    if (made.secret !== undefined) onMake({ kind: 'secret', name: made.name, secret: made.secret, until: null })
    else if (made.link !== undefined) onMake({ kind: 'link', name: made.name, link: made.link })
  }
  return (
    <Form problem={at(null)} busy={busy} action="Add" onSend={() => void make()}>
      <Select
        label="Send alerts to"
        value={kind}
        problem={at('kind')}
        onChange={(event) => {
          setKind(event.target.value as DestinationKind)
          heard()
        }}
      >
        {Object.entries(KINDS).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Name name={name} problem={at('name')} onName={setName} />
      {example !== null && (
        <Field
          label="Address"
          className={`${css.wide} ${css.code}`}
          placeholder={example}
          value={url}
          maxLength={URL_LENGTH}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          problem={at('url')}
          onChange={(event) => setUrl(event.target.value)}
        />
      )}
      <ChooseWatches chosen={watches} problem={at('watches')} onChoose={setWatches} />
    </Form>
  )
}

interface EditDestinationProps {
  readonly destination: Destination
  /** API path of the destination */
  readonly path: string
  onChange(): void
  onLeave(): void
}

/** Edits the name and the watches of a destination. */
export function EditDestination({ destination, path, onChange, onLeave }: EditDestinationProps) {
  const { watches: all } = useWatches()
  const { name, setName, watches, setWatches, busy, at, sent } = useForm(destination)
  // a destination still lists deleted watches; they are hidden here and not sent again
  const chosen = liveOf(watches, all)

  const save = async (): Promise<void> => {
    const saved = await sent(chosen, () => send('PATCH', path, { name: name.trim(), watches: chosen }))
    if (saved === null) return
    announce(`${name.trim()} is changed`)
    onChange()
    onLeave()
  }
  return (
    <Form
      label={`Edit ${destination.name}`}
      problem={at(null)}
      busy={busy}
      action="Save"
      onSend={() => void save()}
      onLeave={onLeave}
    >
      <Name name={name} problem={at('name')} onName={setName} />
      <ChooseWatches chosen={chosen} problem={at('watches')} onChoose={setWatches} />
    </Form>
  )
}

const Name = ({ name, problem, onName }: { name: string; problem: string | null; onName(name: string): void }) => (
  <Field
    label="Name"
    placeholder="trading desk"
    value={name}
    maxLength={NAME_MAX}
    autoComplete="off"
    problem={problem}
    onChange={(event) => onName(event.target.value)}
  />
)
