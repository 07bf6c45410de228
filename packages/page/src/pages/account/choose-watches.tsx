import { useId } from 'react'
import { useWatches } from '../../watch/watches.ts'
import css from './account.module.css'
import { WATCHES_LISTED } from './destination.ts'
import { Problem } from './parts.tsx'

interface ChooseWatchesProps {
  /** ids; null: all */
  readonly chosen: readonly string[] | null
  readonly problem: string | null
  onChoose(chosen: readonly string[] | null): void
}

/** Selects the watches of a destination: all, including future ones, or a list. */
export function ChooseWatches({ chosen, problem, onChoose }: ChooseWatchesProps) {
  const { watches } = useWatches()
  const id = useId()
  const none = watches === null || watches.length === 0
  const radio = (label: string, some: boolean) => (
    <label>
      <input
        type="radio"
        name={id}
        checked={(chosen !== null) === some}
        disabled={some && none}
        onChange={() => onChoose(some ? [] : null)}
      />
      {label}
    </label>
  )
  return (
    <fieldset className={`${css.wide} ${css.choice}`} aria-describedby={problem === null ? undefined : `${id}-problem`}>
      <legend>Alerts of</legend>
      <div className="row">
        {radio('all watches, including future ones', false)}
        {radio('some watches', true)}
      </div>
      {chosen !== null && !none && (
        <ul className={css.list}>
          {[...watches].reverse().map((watch) => {
            const on = chosen.includes(watch.id)
            const next = on ? chosen.filter((one) => one !== watch.id) : [...chosen, watch.id]
            return (
              <li key={watch.id || `${watch.kind} ${watch.target}`}>
                <label>
                  <input
                    type="checkbox"
                    checked={on}
                    disabled={watch.id === '' || (!on && chosen.length >= WATCHES_LISTED)}
                    onChange={() => onChoose(next)}
                  />
                  <bdi>{watch.name}</bdi> <span className="soft">{watch.kind}</span>
                </label>
              </li>
            )
          })}
        </ul>
      )}
      {chosen !== null && chosen.length >= WATCHES_LISTED && (
        <p className="soft">{WATCHES_LISTED} at most; choose all watches for more.</p>
      )}
      <span id={`${id}-problem`}>
        <Problem>{problem}</Problem>
      </span>
    </fieldset>
  )
}
