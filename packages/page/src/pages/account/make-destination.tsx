import { type FormEvent, useState } from 'react'
import { send } from '../../api/client.ts'
import { announce } from '../../ui/announce.ts'
import { Field, Select } from '../../ui/controls.tsx'
import { NAME_MAX } from './account.ts'
import { ChooseWatches } from './choose-watches.tsx'
import {
  DESTINATIONS,
  type DestinationKind,
  destinationProblem,
  type FieldProblem,
  KINDS,
  type NewDestination,
  placeOf,
  URL_LENGTH,
} from './destination.ts'
import type { Once } from './destinations.tsx'
import { FormEnd } from './form-end.tsx'
import css from './watches.module.css'

interface MakeDestinationProps {
  onMake(once: Once): void
  onChange(): void
}

export function MakeDestination({ onMake, onChange }: MakeDestinationProps) {
  const [kind, setKind] = useState<DestinationKind>('webhook')
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [watches, setWatches] = useState<readonly string[] | null>(null)
  const { example } = KINDS[kind]
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<FieldProblem | null>(null)
  const at = (field: FieldProblem['field']): string | null => (problem?.field === field ? problem.text : null)

  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const wrong = destinationProblem(name, watches)
    if (wrong !== null) return setProblem(wrong)
    setBusy(true)
    const body = { kind, name: name.trim(), watches, ...(example !== null && { url: url.trim() }) }
    const answer = await send<NewDestination>('POST', DESTINATIONS, body)
    setBusy(false)
    if (!answer.ok) return setProblem(placeOf(answer))
    const { data } = answer
    setName('')
    setUrl('')
    setWatches(null)
    announce(`${data.name} is added`)
    onChange()
    if (data.secret !== undefined) onMake({ kind: 'secret', name: data.name, secret: data.secret, until: null })
    else if (data.link !== undefined) onMake({ kind: 'link', name: data.name, link: data.link })
  }
  return (
    <form className={css.make} onSubmit={(event) => void make(event)} onChange={() => setProblem(null)}>
      <Select
        label="Send alerts to"
        value={kind}
        problem={at('kind')}
        onChange={(event) => setKind(event.target.value as DestinationKind)}
      >
        {Object.entries(KINDS).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Field
        label="Name"
        placeholder="trading desk"
        value={name}
        maxLength={NAME_MAX}
        autoComplete="off"
        problem={at('name')}
        onChange={(event) => setName(event.target.value)}
      />
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
      <FormEnd problem={at(null)} busy={busy} action="Add" />
    </form>
  )
}
