/** Short messages over the page, for what has no place of its own on it. */
interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  /** a path of the page that the text leads to */
  readonly to: string | null
}

interface Asked {
  readonly text: string
  readonly tone?: Notice['tone']
  readonly to?: string | null
}

/** older ones make room */
const MOST = 3
/** milliseconds that a plain one is seen; what went wrong stays until it is closed */
const SHOWN_MS = 12_000

let notices: readonly Notice[] = []
let last = 0
const listeners = new Set<() => void>()

function show(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}

export function notify({ text, tone = 'plain', to = null }: Asked): void {
  const id = ++last
  show([...notices, { id, text, tone, to }].slice(-MOST))
  if (tone === 'plain') setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: number): void {
  if (notices.some((notice) => notice.id === id)) show(notices.filter((notice) => notice.id !== id))
}

export const shownNotices = (): readonly Notice[] => notices

export function onNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
