import { useState } from 'react'
import { Button } from '../../ui/controls.tsx'
import keysCss from './keys.module.css'

interface EndButtonProps {
  /** name of the item to delete */
  readonly name: string
  readonly disabled?: boolean
  onEnd(): void
}

/** Deletes after a second click in the same place; blur or Escape cancels. */
export function EndButton({ name, disabled = false, onEnd }: EndButtonProps) {
  const [asking, setAsking] = useState(false)
  return (
    <Button
      look={asking ? 'danger' : 'quiet'}
      className={asking ? undefined : keysCss.revoke}
      disabled={disabled}
      aria-label={asking ? `Really delete? ${name}` : `Delete ${name}`}
      onBlur={() => setAsking(false)}
      onKeyDown={(event) => event.key === 'Escape' && setAsking(false)}
      onClick={() => {
        setAsking(!asking)
        if (asking) onEnd()
      }}
    >
      {asking ? 'Really delete?' : 'Delete'}
    </Button>
  )
}
