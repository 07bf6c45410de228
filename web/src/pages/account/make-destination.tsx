import { type FormEvent, useState } from 'react'
import { send } from '../../api/client.ts'
import { announce } from '../../ui/announce.ts'
import { Button, Field, Select } from '../../ui/controls.tsx'
import { NAME_MAX } from './account.ts'
import { DESTINATIONS, type Destination, type NewDestination, placeOf, URL_LENGTH } from './destination.ts'
import type { Once } from './destinations.tsx'
import css from './watches.module.css'

type Kind = Destination['kind']
const KINDS: readonly (readonly [Kind, string])[] = [
  ['webhook', 'Webhook'],
  ['discord', 'Discord'],
  ['telegram', 'Telegram'],
]
const EXAMPLES: Readonly<Record<Kind, string>> = {
  webhook: 'https://example.com/alerts',
  discord: 'https://discord.com/api/webhooks/…',
  telegram: '',
}

interface MakeDestinationProps {
  onMake(once: Once): void
  onChange(): void
}

export function MakeDestination({ onMake, onChange }: MakeDestinationProps) {
  const [kind, setKind] = useState<Kind>('webhook')
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ReturnType<typeof placeOf> | null>(null)
  const at = (field: 'kind' | 'name' | 'url'): string | null => (problem?.field === field ? problem.text : null)

  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (name.trim() === '') return setProblem({ field: 'name', text: 'Name it first: what receives the alerts?' })
    setBusy(true)
    const body = { kind, name: name.trim(), ...(kind !== 'telegram' && { url: url.trim() }) }
    const answer = await send<NewDestination>('POST', DESTINATIONS, body)
    setBusy(false)
    if (!answer.ok) return setProblem(placeOf(answer))
    const { data } = answer
    setName('')
    setUrl('')
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
        onChange={(event) => setKind(event.target.value as Kind)}
      >
        {KINDS.map(([value, label]) => (
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
      {kind !== 'telegram' && (
        <Field
          label="Address"
          className={`${css.wide} ${css.code}`}
          placeholder={EXAMPLES[kind]}
          value={url}
          maxLength={URL_LENGTH}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          problem={at('url')}
          onChange={(event) => setUrl(event.target.value)}
        />
      )}
      {problem?.field === null && (
        <p className={`${css.wide} ${css.problem}`} role="alert">
          {problem.text}
        </p>
      )}
      <div className={css.wide}>
        <Button type="submit" look="strong" disabled={busy}>
          Add
        </Button>
      </div>
    </form>
  )
}
