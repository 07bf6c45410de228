import { type FormEvent, useState } from 'react'
import { announce } from '../../ui/announce.ts'
import { Field, Select } from '../../ui/controls.tsx'
import { hasTrades, type WatchKind } from '../../watch/watch.ts'
import { watches } from '../../watch/watches.ts'
import { NAME_MAX } from './account.ts'
import { FormEnd } from './form-end.tsx'
import { Condition, LeastSol } from './watch-fields.tsx'
import { type Draft, EMPTY, type Problem, problemOf, read } from './watch-form.ts'
import css from './watches.module.css'

const KINDS: readonly (readonly [WatchKind, string])[] = [
  ['condition', 'New tokens that meet a condition'],
  ['token', 'A token'],
  ['wallet', 'A wallet that trades'],
  ['deployer', 'A deployer'],
  ['actor', 'An actor'],
]
const LABELS = {
  ...{ token: 'Mint', wallet: 'Address', deployer: 'Address', actor: 'Id or number of the actor' },
  condition: 'Condition',
} as const
/** base58 of 32 bytes */
const ADDRESS_LENGTH = 44

export function MakeWatch() {
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const { kind, target } = draft

  const put = (some: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...some }))
    setProblem(null)
  }
  const make = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    const found = read(draft)
    if ('problem' in found) return setProblem(found.problem)
    setBusy(true)
    const failure = await watches.add(found.asked)
    setBusy(false)
    if (failure !== null) return setProblem(problemOf(failure, draft))
    setDraft({ ...EMPTY, kind })
    setProblem(null)
    announce(`${found.asked.name} is watched`)
  }
  const at = (field: Problem['field']): string | null => (problem?.field === field ? problem.text : null)
  return (
    <form className={css.make} onSubmit={(event) => void make(event)}>
      <Select
        label="Watch"
        value={kind}
        onChange={(event) => put({ kind: event.target.value as WatchKind, target: '' })}
      >
        {KINDS.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Field
        label="Name"
        placeholder="optional"
        value={draft.name}
        maxLength={NAME_MAX}
        autoComplete="off"
        problem={at('name')}
        onChange={(event) => put({ name: event.target.value })}
      />
      {kind === 'condition' ? (
        <Condition target={target} problem={problem} onChange={put} />
      ) : (
        <Address draft={draft} problem={problem} onChange={put} />
      )}
      <FormEnd problem={at(null)} busy={busy} action="Watch" />
    </form>
  )
}

interface AddressProps {
  readonly draft: Draft
  readonly problem: Problem | null
  onChange(some: Partial<Draft>): void
}

function Address({ draft, problem, onChange }: AddressProps) {
  return (
    <>
      <Field
        label={LABELS[draft.kind]}
        className={css.code}
        value={draft.target}
        maxLength={ADDRESS_LENGTH}
        autoComplete="off"
        spellCheck={false}
        problem={problem?.field === 'target' ? problem.text : null}
        onChange={(event) => onChange({ target: event.target.value })}
      />
      {hasTrades(draft.kind) && <LeastSol minSol={draft.minSol} problem={problem} onChange={onChange} />}
    </>
  )
}
