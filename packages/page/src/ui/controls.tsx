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
  readonly problem?: ReactNode
}

type FieldProps = Labels & InputHTMLAttributes<HTMLInputElement>

/** An input with its label and problem. */
export const Field = ({ label, problem, className, ...rest }: FieldProps) => (
  <Labelled label={label} problem={problem} className={className}>
    {(aria) => <input {...aria} {...rest} className={css.input} />}
  </Labelled>
)

type TextAreaProps = Labels & ComponentProps<'textarea'>

export const TextArea = ({ label, problem, className, ...rest }: TextAreaProps) => (
  <Labelled label={label} problem={problem} className={className}>
    {(aria) => <textarea {...aria} {...rest} className={css.input} />}
  </Labelled>
)

type SelectProps = Labels & ComponentProps<'select'>

export const Select = ({ label, problem, className, ...rest }: SelectProps) => (
  <Labelled label={label} problem={problem} className={className}>
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

function Labelled({ label, problem, className, children }: LabelledProps) {
  const id = useId()
  return (
    <div className={`${css.field} ${className ?? ''}`}>
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-describedby': problem ? `${id}-problem` : undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {problem && (
        <span id={`${id}-problem`} className={css.problem} role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
