import { useState } from 'react'
import { send } from '../../api/client.ts'
import { announce } from '../../ui/announce.ts'
import { Field } from '../../ui/controls.tsx'
import { useWatches } from '../../watch/watches.ts'
import { NAME_MAX } from './account.ts'
import { ChooseWatches } from './choose-watches.tsx'
import { type Destination, destinationProblem, type FieldProblem, liveOf, placeOf } from './destination.ts'
import { EditForm } from './edit-form.tsx'

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
  const [name, setName] = useState(destination.name)
  const [listed, setListed] = useState(destination.watches)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<FieldProblem | null>(null)
  const at = (field: FieldProblem['field']): string | null => (problem?.field === field ? problem.text : null)
  // a destination still lists deleted watches; they are hidden here and not sent again
  const chosen = liveOf(listed, all)

  const save = async (): Promise<void> => {
    const wrong = destinationProblem(name, chosen)
    if (wrong !== null) return setProblem(wrong)
    setBusy(true)
    const answer = await send('PATCH', path, { name: name.trim(), watches: chosen })
    setBusy(false)
    if (!answer.ok) return setProblem(placeOf(answer))
    announce(`${name.trim()} is changed`)
    onChange()
    onLeave()
  }
  return (
    <EditForm
      label={`Edit ${destination.name}`}
      problem={at(null)}
      busy={busy}
      onSave={() => void save()}
      onLeave={onLeave}
    >
      <Field
        label="Name"
        value={name}
        maxLength={NAME_MAX}
        autoComplete="off"
        problem={at('name')}
        onChange={(event) => {
          setName(event.target.value)
          setProblem(null)
        }}
      />
      <ChooseWatches
        chosen={chosen}
        problem={at('watches')}
        onChoose={(next) => {
          setListed(next)
          setProblem(null)
        }}
      />
    </EditForm>
  )
}
