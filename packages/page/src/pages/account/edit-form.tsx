import { type FormEvent, type ReactNode, useEffect, useRef } from 'react'
import { FormEnd } from './form-end.tsx'
import css from './watches.module.css'

interface EditFormProps {
  readonly label: string
  /** problem of the form as a whole */
  readonly problem: string | null
  readonly busy: boolean
  readonly children: ReactNode
  onSave(): void
  onLeave(): void
}

/** An inline form. It takes the focus, returns it to the opener, and closes with Escape. */
export function EditForm({ label, problem, busy, children, onSave, onLeave }: EditFormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    form.current?.querySelector<HTMLElement>('input, textarea')?.focus()
    return () => (opener instanceof HTMLElement ? opener.focus() : undefined)
  }, [])
  const save = (event: FormEvent): void => {
    event.preventDefault()
    onSave()
  }
  return (
    <form
      ref={form}
      className={`${css.make} ${css.edit}`}
      aria-label={label}
      onSubmit={save}
      onKeyDown={(event) => event.key === 'Escape' && onLeave()}
    >
      {children}
      <FormEnd problem={problem} busy={busy} action="Save" onLeave={onLeave} />
    </form>
  )
}
