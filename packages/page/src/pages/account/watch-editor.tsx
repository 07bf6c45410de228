import { useState } from 'react'
import type { Refusal } from '../../api/refusal.ts'
import { announce } from '../../ui/announce.ts'
import { Field, Select } from '../../ui/controls.tsx'
import { hasTrades, type NewWatch, type Watch, type WatchKind } from '../../watch/watch.ts'
import { watches } from '../../watch/watches.ts'
import css from './account.module.css'
import { NAME_MAX } from './account.ts'
import { Form } from './parts.tsx'
import { Condition, LeastSol } from './watch-fields.tsx'
import { changeOf, type Draft, draftOf, EMPTY, nameFor, type Problem, problemOf, read } from './watch-form.ts'

const KINDS: readonly (readonly [WatchKind, string])[] = [
  ['condition', 'New tokens that meet a condition'],
  ['token', 'A token'],
  ['wallet', 'A wallet that trades'],
  ['deployer', 'A deployer'],
  ['actor', 'A crew'],
]
const LABELS = {
  ...{ token: 'Mint', wallet: 'Address', deployer: 'Address', actor: 'Id or number of the crew' },
  condition: 'Condition',
} as const
/** base58 of 32 bytes */
const ADDRESS_LENGTH = 44

/** State of the form. `save` sends what was read; the form is done after it. */
function useDraft(first: Draft, save: (asked: NewWatch) => Promise<Refusal | null>, done: (asked: NewWatch) => void) {
  const [draft, setDraft] = useState(first)
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const put = (some: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...some }))
    setProblem(null)
  }
  const send = async (): Promise<void> => {
    const found = read(draft)
    if ('problem' in found) return setProblem(found.problem)
    setBusy(true)
    const failure = await save(found.asked)
    setBusy(false)
    if (failure !== null) return setProblem(problemOf(failure, draft))
    done(found.asked)
  }
  const at = (field: Problem['field']): string | null => (problem?.field === field ? problem.text : null)
  return { draft, problem, busy, put, send, at }
}

export function MakeWatch() {
  const { draft, problem, busy, put, send, at } = useDraft(
    EMPTY,
    (asked) => watches.add(asked),
    ({ kind, name }) => {
      put({ ...EMPTY, kind })
      announce(`${name} is watched`)
    },
  )
  const { kind } = draft
  return (
    <Form problem={at(null)} busy={busy} action="Watch" onSend={() => void send()}>
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
      <Name draft={draft} placeholder="optional" problem={at('name')} put={put} />
      {kind === 'condition' ? (
        <Condition target={draft.target} problem={problem} onChange={put} />
      ) : (
        <Field
          label={LABELS[kind]}
          className={css.code}
          value={draft.target}
          maxLength={ADDRESS_LENGTH}
          autoComplete="off"
          spellCheck={false}
          problem={at('target')}
          onChange={(event) => put({ target: event.target.value })}
        />
      )}
      {hasTrades(kind) && <LeastSol minSol={draft.minSol} problem={problem} onChange={put} />}
    </Form>
  )
}

/** Edits the name of a watch, and its minimum trade size or condition. */
export function EditWatch({ watch, onLeave }: { watch: Watch; onLeave(): void }) {
  const { draft, problem, busy, put, send, at } = useDraft(
    draftOf(watch),
    async (asked) => {
      const change = changeOf(watch, asked)
      return change === null ? null : watches.change(watch.id, change)
    },
    ({ name }) => {
      announce(`${name} is changed`)
      onLeave()
    },
  )
  return (
    <Form
      label={`Edit ${watch.name}`}
      problem={at(null)}
      busy={busy}
      action="Save"
      onSend={() => void send()}
      onLeave={onLeave}
    >
      <Name draft={draft} placeholder={nameFor(draft.kind, draft.target)} problem={at('name')} put={put} />
      {watch.kind === 'condition' && <Condition target={draft.target} problem={problem} onChange={put} />}
      {hasTrades(watch.kind) && <LeastSol minSol={draft.minSol} problem={problem} onChange={put} />}
    </Form>
  )
}

interface NameProps {
  readonly draft: Draft
  readonly placeholder: string
  readonly problem: string | null
  put(some: Partial<Draft>): void
}

const Name = ({ draft, placeholder, problem, put }: NameProps) => (
  <Field
    label="Name"
    placeholder={placeholder}
    value={draft.name}
    maxLength={NAME_MAX}
    autoComplete="off"
    problem={problem}
    onChange={(event) => put({ name: event.target.value })}
  />
)
