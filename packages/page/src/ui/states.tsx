import type { ReactNode } from 'react'
import { Button } from './controls.tsx'
import css from './ui.module.css'

export const Empty = ({ children }: { children: ReactNode }) => <div className={css.empty}>{children}</div>

interface FailureProps {
  readonly error: {
    readonly message: string
    readonly code?: string
    readonly status?: number
    readonly retry_after?: number
  }
  readonly retry?: () => void
}

/** An error message with a retry button. */
export const Failure = ({ error, retry }: FailureProps) => (
  <div className={css.failure} role="alert">
    <p>{error.message}</p>
    {error.retry_after !== undefined && <p className="soft">Retrying in {error.retry_after} s.</p>}
    {retry !== undefined && <Button onClick={retry}>Try again</Button>}
  </div>
)

/** Placeholder lines while data load. */
export const Skeleton = ({ lines = 3 }: { lines?: number }) => (
  <div className={css.skeleton}>
    <span className="unseen">Loading</span>
    {Array.from({ length: lines }, (_, i) => (
      <span key={i} className={css.line} aria-hidden="true" />
    ))}
  </div>
)

interface LoadedProps<T> {
  readonly of: { readonly data: T | null; readonly error: FailureProps['error'] | null; refresh(): void }
  /** of the placeholder */
  readonly lines?: number
  readonly children: (data: T) => ReactNode
}

/** What a request brought; until then a placeholder, or why it failed. */
export function Loaded<T>({ of: { data, error, refresh }, lines, children }: LoadedProps<T>): ReactNode {
  if (data !== null) return children(data)
  return error === null ? <Skeleton lines={lines ?? 8} /> : <Failure error={error} retry={refresh} />
}
