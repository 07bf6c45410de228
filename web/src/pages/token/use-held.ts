import { type FocusEvent, type PointerEvent, useState } from 'react'

interface Held<T> {
  readonly shown: T
  /** something newer waits */
  readonly waits: boolean
  /** shows it, although it is still looked at */
  apply(): void
  /** for the element whose content must not move under a pointer or the keyboard's focus */
  readonly handlers: {
    onPointerEnter(event: PointerEvent): void
    onPointerLeave(event: PointerEvent): void
    onFocus(event: FocusEvent): void
    onBlur(event: FocusEvent): void
  }
}

/** A value that stands still while it is pointed at or has the focus. */
export function useHeld<T>(value: T): Held<T> {
  const [held, setHeld] = useState<{ readonly value: T } | null>(null)
  const hold = (): void => setHeld((now) => now ?? { value })
  const isInside = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
    relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
  return {
    shown: held === null ? value : held.value,
    waits: held !== null && held.value !== value,
    apply: () => setHeld((now) => (now === null ? null : { value })),
    handlers: {
      onPointerEnter: ({ pointerType }) => {
        if (pointerType === 'mouse') hold()
      },
      onPointerLeave: ({ pointerType, currentTarget }) => {
        if (pointerType === 'mouse' && !currentTarget.contains(document.activeElement)) setHeld(null)
      },
      onFocus: hold,
      onBlur: (event) => {
        if (!isInside(event)) setHeld(null)
      },
    },
  }
}
