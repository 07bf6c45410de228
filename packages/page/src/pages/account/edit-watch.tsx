import { useState } from 'react'
import { announce } from '../../ui/announce.ts'
import { Field } from '../../ui/controls.tsx'
import { hasTrades, type Watch } from '../../watch/watch.ts'
import { watches } from '../../watch/watches.ts'
import { NAME_MAX } from './account.ts'
import { EditForm } from './edit-form.tsx'
import { Condition, LeastSol } from './watch-fields.tsx'
import { changeOf, type Draft, draftOf, nameFor, type Problem, problemOf, read } from './watch-form.ts'

interface EditWatchProps {
  readonly watch: Watch
  onLeave(): void
}

/** Edits the name of a watch, and its minimum trade size or condition. */
export function EditWatch({ watch, onLeave }: EditWatchProps) {
  const [draft, setDraft] = useState<Draft>(() => draftOf(watch))
  const [problem, setProblem] = useState<Problem | null>(null)
  const [busy, setBusy] = useState(false)
  const put = (some: Partial<Draft>): void => {
    setDraft((before) => ({ ...before, ...some }))
    setProblem(null)
  }
  const save = async (): Promise<void> => {
    const found = read(draft)
    if ('problem' in found) return setProblem(found.problem)
    const change = changeOf(watch, found.asked)
    if (change === null) return onLeave()
    setBusy(true)
    const failure = await watches.change(watch.id, change)
    setBusy(false)
    if (failure !== null) return setProblem(problemOf(failure, draft))
    announce(`${found.asked.name} is changed`)
    onLeave()
  }
  return (
    <EditForm
      label={`Edit ${watch.name}`}
      problem={problem?.field === null ? problem.text : null}
      busy={busy}
      onSave={() => void save()}
      onLeave={onLeave}
    >
      <Field
        label="Name"
        placeholder={nameFor(draft.kind, draft.target)}
        value={draft.name}
        maxLength={NAME_MAX}
        autoComplete="off"
        problem={problem?.field === 'name' ? problem.text : null}
        onChange={(event) => put({ name: event.target.value })}
      />
      {watch.kind === 'condition' && <Condition target={draft.target} problem={problem} onChange={put} />}
      {hasTrades(watch.kind) && <LeastSol minSol={draft.minSol} problem={problem} onChange={put} />}
    </EditForm>
  )
}
