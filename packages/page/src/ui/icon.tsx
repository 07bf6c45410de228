import type { ComponentProps } from 'react'

/** A line drawing in the text's colour. The label of what it is in names it. */
export const Icon = (props: ComponentProps<'svg'>) => (
  <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor" {...props} />
)
