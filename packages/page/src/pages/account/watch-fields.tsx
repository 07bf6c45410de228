import { useEffect, useRef } from 'react'
import { Field, TextArea } from '../../ui/controls.tsx'
import css from './account.module.css'
import { FILTER_EXAMPLES, FILTER_FIELDS, FILTER_LENGTH, FILTER_OPERATORS } from './filter-fields.ts'
import type { Draft, Problem } from './watch-form.ts'

interface ConditionProps {
  readonly target: string
  readonly problem: Problem | null
  onChange(some: Partial<Draft>): void
}

/** Text area of a condition, with help. */
export function Condition({ target, problem, onChange }: ConditionProps) {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // moves the cursor to the error
    if (problem?.field !== 'target' || problem.at === null || area.current === null) return
    area.current.focus()
    area.current.setSelectionRange(problem.at, Math.min(problem.at + 1, area.current.value.length))
  }, [problem])

  /** Inserts a word at the cursor. */
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
        problem={problem?.field === 'target' ? problem.text : null}
        onChange={(event) => onChange({ target: event.target.value })}
      />
      <FilterHelp onInsert={insert} onExample={(text) => onChange({ target: text })} />
    </div>
  )
}

interface LeastSolProps {
  readonly minSol: string
  readonly problem: Problem | null
  onChange(some: Partial<Draft>): void
}

/** Minimum trade size; smaller trades are not reported. */
export const LeastSol = ({ minSol, problem, onChange }: LeastSolProps) => (
  <Field
    label="Report trades from, SOL"
    placeholder="any"
    inputMode="decimal"
    value={minSol}
    autoComplete="off"
    problem={problem?.field === 'min_sol' ? problem.text : null}
    onChange={(event) => onChange({ minSol: event.target.value })}
  />
)

interface FilterHelpProps {
  onInsert(word: string): void
  onExample(text: string): void
}

/** Help for the filter language: fields to insert, operators, examples. */
const FilterHelp = ({ onInsert, onExample }: FilterHelpProps) => (
  <details className={css.help}>
    <summary>Fields, operators, examples</summary>
    <p>
      Comparisons joined by <code>and</code>, <code>or</code>, <code>not</code> and brackets. During its first hour,
      each token is checked after every block in which it trades, and reported once.
    </p>
    <ul>
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
            {means} <i>{type}</i>
          </dd>
        </div>
      ))}
    </dl>
    <p>
      {Object.entries(FILTER_OPERATORS).map(([type, operators]) => (
        <span key={type}>
          {type} <code>{operators}</code>
          {'  '}
        </span>
      ))}
    </p>
  </details>
)
