import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { announce } from '../../ui/announce.ts'
import { Field, Select, TextArea } from '../../ui/controls.tsx'
import type { WatchKind } from '../../watch/watch.ts'
import { watches } from '../../watch/watches.ts'
import { NAME_MAX } from './account.ts'
import { FILTER_EXAMPLES, FILTER_FIELDS, FILTER_LENGTH, FILTER_OPERATORS } from './filter-fields.ts'
import { FormEnd } from './form-end.tsx'
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
  const area = useRef<HTMLTextAreaElement>(null)
  const { kind, target } = draft
  useEffect(() => {
    // the cursor stands where the filter is wrong
    if (problem?.field !== 'target' || problem.at === null || area.current === null) return
    area.current.focus()
    area.current.setSelectionRange(problem.at, Math.min(problem.at + 1, area.current.value.length))
  }, [problem])

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
        <Condition area={area} target={target} problem={at('target')} onChange={put} />
      ) : (
        <Address draft={draft} at={at} onChange={put} />
      )}
      <FormEnd problem={at(null)} busy={busy} action="Watch" />
    </form>
  )
}

interface ConditionProps {
  readonly area: RefObject<HTMLTextAreaElement | null>
  readonly target: string
  readonly problem: string | null
  onChange(some: Partial<Draft>): void
}

function Condition({ area, target, problem, onChange }: ConditionProps) {
  /** puts a word where the cursor is */
  const insert = (word: string): void => {
    const { selectionStart: from, selectionEnd: to } = area.current ?? {
      selectionStart: target.length,
      selectionEnd: 0,
    }
    const before = target.slice(0, from)
    const after = target.slice(Math.max(from, to))
    const gap = before === '' || /[\s(]$/.test(before) ? '' : ' '
    onChange({ target: `${before}${gap}${word} ${after.trimStart()}` })
    area.current?.focus()
  }

  return (
    <div className={css.wide}>
      <TextArea
        ref={area}
        label="Condition"
        rows={2}
        className={css.code}
        placeholder={FILTER_EXAMPLES[0]}
        value={target}
        maxLength={FILTER_LENGTH}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        problem={problem}
        onChange={(event) => onChange({ target: event.target.value })}
      />
      <FilterHelp onInsert={insert} onExample={(text) => onChange({ target: text })} />
    </div>
  )
}

interface AddressProps {
  readonly draft: Draft
  at(field: Problem['field']): string | null
  onChange(some: Partial<Draft>): void
}

function Address({ draft, at, onChange }: AddressProps) {
  return (
    <>
      <Field
        label={LABELS[draft.kind]}
        className={css.code}
        value={draft.target}
        maxLength={ADDRESS_LENGTH}
        autoComplete="off"
        spellCheck={false}
        problem={at('target')}
        onChange={(event) => onChange({ target: event.target.value })}
      />
      {draft.kind !== 'actor' && (
        <Field
          label="Report trades from, SOL"
          placeholder="any"
          inputMode="decimal"
          value={draft.minSol}
          autoComplete="off"
          problem={at('min_sol')}
          onChange={(event) => onChange({ minSol: event.target.value })}
        />
      )}
    </>
  )
}

interface FilterHelpProps {
  onInsert(word: string): void
  onExample(text: string): void
}

/** The filter language on one page: fields to click, operators, examples. */
const FilterHelp = ({ onInsert, onExample }: FilterHelpProps) => (
  <details className={css.help}>
    <summary>Fields, operators, examples</summary>
    <p>
      Comparisons joined by <code>and</code>, <code>or</code>, <code>not</code> and brackets. Each token is asked during
      its first hour, after every block in which it trades, and reported once.
    </p>
    <ul className={css.examples}>
      {FILTER_EXAMPLES.map((text) => (
        <li key={text}>
          <button type="button" onClick={() => onExample(text)}>
            <code>{text}</code>
          </button>
        </li>
      ))}
    </ul>
    <dl className={css.fields}>
      {Object.entries(FILTER_FIELDS).map(([name, [type, means]]) => (
        <div key={name}>
          <dt>
            <button type="button" onClick={() => onInsert(name)}>
              <code>{name}</code>
            </button>
          </dt>
          <dd>
            {means} <span className={css.type}>{type}</span>
          </dd>
        </div>
      ))}
    </dl>
    <p>
      {Object.entries(FILTER_OPERATORS).map(([type, operators]) => (
        <span key={type} className={css.operators}>
          {type} <code>{operators}</code>
        </span>
      ))}
    </p>
  </details>
)
