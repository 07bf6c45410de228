import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import { NAME_MAX } from './account.ts'
import css from './keys.module.css'

interface NamingProps {
  readonly name: string
  readonly busy: boolean
  onSave(name: string): void
  onLeave(): void
}

export function Naming({ name, busy, onSave, onLeave }: NamingProps) {
  const [text, setText] = useState(name)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.select(), [])
  const save = (event: FormEvent): void => {
    event.preventDefault()
    if (text.trim() === '' || text === name) onLeave()
    else onSave(text)
  }
  return (
    <form className={css.naming} onSubmit={save} onKeyDown={(event) => event.key === 'Escape' && onLeave()}>
      <input
        ref={input}
        className={css.input}
        aria-label={`New name of ${name}`}
        value={text}
        maxLength={NAME_MAX}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" disabled={busy}>
        Save
      </Button>
      <Button look="quiet" onClick={onLeave}>
        Cancel
      </Button>
    </form>
  )
}
