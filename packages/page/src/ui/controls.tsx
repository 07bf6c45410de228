import { type ButtonHTMLAttributes, type ComponentProps, type InputHTMLAttributes, type ReactNode, useId } from 'react'
import css from './controls.module.css'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'strong' | 'quiet' | 'danger'
}

export const Button = ({ look = 'plain', className, ...rest }: ButtonProps) => (
  <button type="button" {...rest} className={`${css.button} ${className ?? ''}`} data-look={look} />
)

interface Labels {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly problem?: ReactNode
}

type FieldProps = Labels & InputHTMLAttributes<HTMLInputElement>

/** A labelled input with its hint, and what is wrong with its content. */
export const Field = ({ label, hint, problem, className, ...rest }: FieldProps) => (
  <Labelled label={label} hint={hint} problem={problem} className={className}>
    {(aria) => <input {...aria} {...rest} className={css.input} />}
  </Labelled>
)

type TextAreaProps = Labels & ComponentProps<'textarea'>

/** The same for a text of several lines. */
export const TextArea = ({ label, hint, problem, className, ...rest }: TextAreaProps) => (
  <Labelled label={label} hint={hint} problem={problem} className={className}>
    {(aria) => <textarea {...aria} {...rest} className={css.input} />}
  </Labelled>
)

type SelectProps = Labels & ComponentProps<'select'>

/** The same for a choice. */
export const Select = ({ label, hint, problem, className, ...rest }: SelectProps) => (
  <Labelled label={label} hint={hint} problem={problem} className={className}>
    {(aria) => <select {...aria} {...rest} className={css.input} />}
  </Labelled>
)

interface Aria {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

interface LabelledProps extends Labels {
  readonly className: string | undefined
  readonly children: (aria: Aria) => ReactNode
}

function Labelled({ label, hint, problem, className, children }: LabelledProps) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={`${css.field} ${className ?? ''}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': problem ? true : undefined,
      })}
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
