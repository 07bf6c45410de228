import { useEffect, useId, useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import { Star } from '../../watch/star.tsx'
import { useWatches } from '../../watch/watches.ts'
import css from './filter-bar.module.css'
import {
  conditionOf,
  DEFINITIONS,
  FILTER_NAMES,
  type FilterName,
  type Filters,
  filtersOfCondition,
  PRESETS,
  readNumber,
  sameFilters,
  wordsOf,
} from './filters.ts'

interface FilterBarProps {
  readonly filters: Filters
  /** the number of tokens on the board that pass; null before the first answer */
  readonly countOf: (filters: Filters) => number | null
  readonly onChange: (filters: Filters) => void
}

/** Presets, saved filters, and the filters themselves behind a button. A filter is saved as the condition of an alert. */
export function FilterBar({ filters, countOf, onChange }: FilterBarProps) {
  const { watches } = useWatches()
  const set = FILTER_NAMES.filter((name) => filters[name] !== undefined).length
  const preset = PRESETS.find((one) => sameFilters(one.filters, filters))
  const [open, setOpen] = useState(false)
  const id = useId()
  const saved = (watches ?? []).flatMap(({ kind, target, name }) => {
    const found = kind === 'condition' ? filtersOfCondition(target) : null
    return found === null || PRESETS.some((one) => sameFilters(one.filters, found))
      ? []
      : [{ label: name === target ? wordsOf(found) : name, means: `Your alert: ${target}`, filters: found }]
  })
  return (
    <form className={css.bar} aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset className={css.presets} aria-label="Presets">
        {[...PRESETS, ...saved].map((one) => (
          <button
            key={one.label}
            type="button"
            title={one.means}
            aria-pressed={sameFilters(one.filters, filters)}
            onClick={() => onChange(one.filters)}
          >
            <bdi>{one.label}</bdi> <span className={css.count}>{countOf(one.filters) ?? '…'}</span>
          </button>
        ))}
      </fieldset>
      <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Filters{set > 0 ? ` (${set})` : ''}
      </Button>
      {set > 0 && (
        <Star
          kind="condition"
          target={conditionOf(filters)}
          name={preset?.label ?? wordsOf(filters)}
          words={['Tell me when one appears', 'Telling you when one appears']}
        />
      )}
      <div id={id} className={css.fields} hidden={!open}>
        {FILTER_NAMES.map((name) => (
          <Filter
            key={name}
            name={name}
            value={filters[name]}
            onChange={(value) => {
              const { [name]: _, ...rest } = filters
              onChange(value === undefined ? rest : { ...rest, [name]: value })
            }}
          />
        ))}
      </div>
    </form>
  )
}

interface FilterProps {
  readonly name: FilterName
  readonly value: number | undefined
  readonly onChange: (value: number | undefined) => void
}

function Filter({ name, value, onChange }: FilterProps) {
  const { label, max } = DEFINITIONS[name]
  if (max !== null) return <NumberBox label={label} max={max} value={value} onChange={onChange} />
  return (
    <label className={css.check}>
      <input
        type="checkbox"
        checked={value !== undefined}
        onChange={(event) => onChange(event.target.checked ? 1 : undefined)}
      />
      <span>{label}</span>
    </label>
  )
}

/** Keeps the typed text while it is not a number yet. */
function NumberBox({ label, max, value, onChange }: Omit<FilterProps, 'name'> & { label: string; max: number }) {
  const [text, setText] = useState(value === undefined ? '' : String(value))
  useEffect(() => {
    setText((typed) => ((readNumber(typed, max) ?? undefined) === value ? typed : (value?.toString() ?? '')))
  }, [value, max])
  const wrong = text.trim() !== '' && readNumber(text, max) === null
  return (
    <label className={css.field}>
      <span>{label}</span>
      <input
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        value={text}
        data-set={value !== undefined}
        aria-invalid={wrong || undefined}
        title={wrong ? `not a number up to ${max}, so it is ignored` : undefined}
        onChange={(event) => {
          setText(event.target.value)
          onChange(readNumber(event.target.value, max) ?? undefined)
        }}
      />
    </label>
  )
}
