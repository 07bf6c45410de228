import { type ButtonHTMLAttributes, type InputHTMLAttributes, type ReactNode, useId } from 'react'
import css from './controls.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'strong' | 'quiet' | 'danger'
}

export const Button = ({ look = 'plain', className, ...rest }: ButtonProps) => (
  <button type="button" {...rest} className={`${css.button} ${className ?? ''}`} data-look={look} />
)

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly problem?: ReactNode
}

/** A labelled input with its hint, and what is wrong with its content. */
export function Field({ label, hint, problem, className, ...rest }: FieldProps) {
  const id = useId()
  const told = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={`${css.field} ${className ?? ''}`}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        {...rest}
        className={css.input}
        aria-describedby={told === '' ? undefined : told}
        aria-invalid={problem ? true : undefined}
      />
      {hint && (
        <span id={`${id}-hint`} className={css.hint}>
          {hint}
        </span>
      )}
      {problem && (
        <span id={`${id}-problem`} className={css.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
