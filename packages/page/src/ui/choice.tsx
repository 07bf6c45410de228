import css from './controls.module.css'

interface ChoiceProps<T extends string> {
  /** accessible name of the group */
  readonly label: string
  readonly options: Readonly<Record<NoInfer<T>, string>>
  readonly chosen: T
  choose(option: NoInfer<T>): void
}

/** Selects one of a few options. */
export const Choice = <T extends string>({ label, options, chosen, choose }: ChoiceProps<T>) => (
  // biome-ignore lint/a11y/useSemanticElements: browsers lay a fieldset out in their own way
  <div className={css.choice} role="group" aria-label={label}>
    {(Object.keys(options) as T[]).map((option) => (
      <button key={option} type="button" aria-pressed={option === chosen} onClick={() => choose(option)}>
        {options[option]}
      </button>
    ))}
  </div>
)
