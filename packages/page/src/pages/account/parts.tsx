import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import { Copy } from '../../ui/copy.tsx'
import css from './account.module.css'
import { dateText, dayText } from './account.ts'

/** Building blocks of the account’s parts. */

export const PARTS = [
  ['keys', 'Keys'],
  ['watches', 'Watches'],
  ['alerts', 'Alerts'],
  ['destinations', 'Destinations'],
] as const

/** A section with an id; scrolls into view if the address names it. */
export function Part({ id, children }: { id: (typeof PARTS)[number][0]; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (location.hash === `#${id}`) box.current?.scrollIntoView()
  }, [id])
  return (
    <div id={id} ref={box} className={css.part}>
      {children}
    </div>
  )
}

export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={dateText(at)}>
    {dayText(at)}
  </time>
)

/** A command or key with a copy button. */
export const Command = ({ text, label }: { text: string; label: string }) => (
  <div className={css.command}>
    <code>{text}</code>
    <Copy text={text} label={label} />
  </div>
)

export const Problem = ({ children }: { children: ReactNode }) =>
  children === null ? null : (
    <p className={css.problem} role="alert">
      {children}
    </p>
  )

interface EndButtonProps {
  /** name of what ends */
  readonly name: string
  readonly verb?: 'Delete' | 'Revoke'
  readonly disabled?: boolean
  onEnd(): void
}

/** Ends something after a second click in the same place; blur or Escape cancels. */
export function EndButton({ name, verb = 'Delete', disabled = false, onEnd }: EndButtonProps) {
  const [asking, setAsking] = useState(false)
  const words = asking ? `Really ${verb.toLowerCase()}?` : verb
  return (
    <Button
      look={asking ? 'danger' : 'quiet'}
      disabled={disabled}
      aria-label={`${words} ${name}`}
      onBlur={() => setAsking(false)}
      onKeyDown={(event) => event.key === 'Escape' && setAsking(false)}
      onClick={() => {
        setAsking(!asking)
        if (asking) onEnd()
      }}
    >
      {words}
    </Button>
  )
}

interface OnceProps {
  readonly title: string
  readonly name: string
  readonly done: string
  readonly children: ReactNode
  /** beside the button */
  readonly next?: ReactNode
  onDone(): void
}

/** A key, secret or code; neither the page nor the service stores it. */
export function Once({ title, name, done, children, next, onDone }: OnceProps) {
  const id = useId()
  const focused = useRef(false)
  const focus = (box: HTMLElement | null): void => {
    if (box === null || focused.current) return
    focused.current = true
    box.focus()
  }
  return (
    <section ref={focus} className={`stack ${css.once}`} tabIndex={-1} aria-labelledby={id}>
      <h3 id={id}>
        {title} <bdi>{name}</bdi>
      </h3>
      {children}
      <div className="row">
        <Button look="strong" onClick={onDone}>
          {done}
        </Button>
        {next}
      </div>
    </section>
  )
}

interface FormProps {
  /** accessible name of a form that changes something; it takes the focus and Escape leaves it */
  readonly label?: string
  /** problem of the form as a whole */
  readonly problem: string | null
  readonly busy: boolean
  readonly action: string
  readonly children: ReactNode
  onSend(): void
  /** absent: the form cannot be closed */
  readonly onLeave?: (() => void) | undefined
}

export function Form({ label, problem, busy, action, children, onSend, onLeave }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  const closes = onLeave !== undefined
  useEffect(() => {
    if (!closes) return
    const opener = document.activeElement
    form.current?.querySelector<HTMLElement>('input, textarea')?.focus()
    return () => (opener instanceof HTMLElement ? opener.focus() : undefined)
  }, [closes])
  const send = (event: FormEvent): void => {
    event.preventDefault()
    onSend()
  }
  return (
    <form
      ref={form}
      className={css.form}
      data-inside={closes || undefined}
      aria-label={label}
      onSubmit={send}
      onKeyDown={(event) => event.key === 'Escape' && onLeave?.()}
    >
      {children}
      <div className={`row ${css.wide}`}>
        <Button type="submit" look="strong" disabled={busy}>
          {action}
        </Button>
        {closes && (
          <Button look="quiet" onClick={onLeave}>
            Cancel
          </Button>
        )}
        <Problem>{problem}</Problem>
      </div>
    </form>
  )
}
