import { useEffect, useId, useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import css from './filter-bar.module.css'
import {
  countFilters,
  type Filters,
  NO_FILTERS,
  NUMBER_NAMES,
  type NumberFilter,
  readNumber,
  SWITCH_NAMES,
  SWITCHES,
  THRESHOLDS,
  type ValueName,
} from './filters.ts'
import { PRESETS, presetOf } from './presets.ts'
import { CHOICES, type Sorting } from './sorting.ts'

interface FilterBarProps {
  readonly filters: Filters
  readonly sorting: Sorting
  readonly onChange: (filters: Filters, sorting: Sorting) => void
}

/** Presets, sorting, and thresholds behind a button. */
export function FilterBar({ filters, sorting, onChange }: FilterBarProps) {
  const set = countFilters(filters)
  const preset = presetOf(filters, sorting)
  const [open, setOpen] = useState(set > 0 && preset === null)
  const id = useId()
  const change = (some: Partial<Filters>): void => onChange({ ...filters, ...some }, sorting)
  return (
    <form className={css.bar} aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <fieldset className={css.presets} aria-label="Presets">
        {PRESETS.map((one) => (
          <button
            key={one.id}
            type="button"
            title={one.means}
            aria-pressed={one === preset}
            onClick={() => (one === preset ? onChange(NO_FILTERS, null) : onChange(one.filters, one.sorting))}
          >
            {one.label}
          </button>
        ))}
      </fieldset>
      <Order sorting={sorting} onChange={(next) => onChange(filters, next)} />
      <Button aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Filters{set > 0 ? ` (${set})` : ''}
      </Button>
      {(set > 0 || sorting !== null) && (
        <Button look="quiet" onClick={() => onChange(NO_FILTERS, null)}>
          Reset
        </Button>
      )}
      <div id={id} className={css.fields} data-open={open} hidden={!open}>
        {NUMBER_NAMES.map((name) => (
          <NumberBox
            key={name}
            threshold={THRESHOLDS[name]}
            value={filters[name]}
            onChange={(value) => change({ [name]: value })}
          />
        ))}
        {SWITCH_NAMES.map((name) => (
          <Check
            key={name}
            label={SWITCHES[name]}
            checked={filters[name]}
            onChange={(isOn) => change({ [name]: isOn })}
          />
        ))}
      </div>
    </form>
  )
}

interface OrderProps {
  readonly sorting: Sorting
  readonly onChange: (sorting: Sorting) => void
}

function Order({ sorting, onChange }: OrderProps) {
  const choose = (by: string): void => {
    const choice = CHOICES.find((one) => one.by === by)
    onChange(choice === undefined ? null : { by: choice.by as ValueName, falling: choice.falling })
  }
  return (
    <span className={css.order}>
      <label>
        <span>Sort by</span>
        <select value={sorting?.by ?? ''} data-set={sorting !== null} onChange={(event) => choose(event.target.value)}>
          <option value="">each list’s order</option>
          {CHOICES.map(({ by, label }) => (
            <option key={by} value={by}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {sorting !== null && (
        <Button
          look="quiet"
          aria-label={sorting.falling ? 'Most first; reverse the order' : 'Least first; reverse the order'}
          title={sorting.falling ? 'most first' : 'least first'}
          onClick={() => onChange({ ...sorting, falling: !sorting.falling })}
        >
          {sorting.falling ? '↓' : '↑'}
        </Button>
      )}
    </span>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

const Check = ({ label, checked, onChange }: CheckProps) => (
  <label className={css.check}>
    <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
    <span>{label}</span>
  </label>
)

interface NumberBoxProps {
  readonly threshold: (typeof THRESHOLDS)[NumberFilter]
  readonly value: number | null
  readonly onChange: (value: number | null) => void
}

/** Keeps the typed text while it is not a number yet. */
function NumberBox({ threshold: { label, placeholder, max }, value, onChange }: NumberBoxProps) {
  const [text, setText] = useState(value === null ? '' : String(value))
  useEffect(() => {
    setText((typed) => (readNumber(typed, max) === value ? typed : value === null ? '' : String(value)))
  }, [value, max])
  const wrong = text.trim() !== '' && readNumber(text, max) === null
  return (
    <label className={css.field}>
      <span>{label}</span>
      <input
        inputMode="decimal"
        autoComplete="off"
        maxLength={12}
        placeholder={placeholder}
        value={text}
        data-set={value !== null}
        aria-invalid={wrong || undefined}
        title={wrong ? 'not a valid number here, so it is ignored' : undefined}
        onChange={(event) => {
          setText(event.target.value)
          onChange(readNumber(event.target.value, max))
        }}
      />
    </label>
  )
}
