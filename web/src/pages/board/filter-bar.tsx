import { useEffect, useId, useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import css from './filter-bar.module.css'
import { countFilters, type Filters, NO_FILTERS, type NumberFilter, numberLimit, readNumber } from './filters.ts'

const NUMBERS: readonly [name: NumberFilter, label: string, placeholder: string][] = [
  ['scoreMin', 'Score from', '0'],
  ['bundleMax', 'Bundles to, %', '100'],
  ['dirtyMax', 'Dirty to, %', '100'],
  ['capMin', 'Cap from, $', '0'],
  ['capMax', 'Cap to, $', 'any'],
  ['ageMax', 'Age to, min', 'any'],
  ['kolsMin', 'KOLs from', '0'],
]

interface FilterBarProps {
  readonly filters: Filters
  readonly onChange: (filters: Filters) => void
}

/** The reader's thresholds; on a narrow page they open below the text. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const set = countFilters(filters)
  return (
    <form className={css.bar} aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
      <input
        className={css.text}
        type="search"
        aria-label="Only tokens whose symbol, name or mint contains this"
        placeholder="Filter by symbol, name, mint"
        maxLength={44}
        value={filters.text}
        onChange={(event) => onChange({ ...filters, text: event.target.value })}
      />
      <Button className={css.toggle} aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        Filters{set > 0 ? ` (${set})` : ''}
      </Button>
      <div id={id} className={css.fields} data-open={open}>
        {NUMBERS.map(([name, label, placeholder]) => (
          <NumberBox
            key={name}
            label={label}
            placeholder={placeholder}
            value={filters[name]}
            max={numberLimit(name)}
            onChange={(value) => onChange({ ...filters, [name]: value })}
          />
        ))}
        <label className={css.check}>
          <input
            type="checkbox"
            checked={filters.original}
            onChange={(event) => onChange({ ...filters, original: event.target.checked })}
          />
          <span>No copies</span>
        </label>
        <Button look="quiet" disabled={set === 0} onClick={() => onChange(NO_FILTERS)}>
          Reset
        </Button>
      </div>
    </form>
  )
}

interface NumberBoxProps {
  readonly label: string
  readonly placeholder: string
  readonly value: number | null
  readonly max: number
  readonly onChange: (value: number | null) => void
}

/** Keeps what is typed, also while it is no number yet. */
function NumberBox({ label, placeholder, value, max, onChange }: NumberBoxProps) {
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
