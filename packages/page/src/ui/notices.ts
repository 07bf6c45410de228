import { createShared } from '../api/shared.ts'

/** A short message over the page. */
interface Notice {
  readonly id: number
  readonly text: string
  readonly tone: 'plain' | 'bad'
  /** path that the text links to */
  readonly to: string | null
}

interface Asked {
  readonly text: string
  readonly tone?: Notice['tone']
  readonly to?: string | null
}

/** most messages at once; older ones disappear */
const MOST = 3
/** milliseconds that a plain message stays; an error stays until it is closed */
const SHOWN_MS = 12_000

let last = 0
const notices = createShared<readonly Notice[]>([])

export function notify({ text, tone = 'plain', to = null }: Asked): void {
  const id = ++last
  notices.show([...shownNotices(), { id, text, tone, to }].slice(-MOST))
  if (tone === 'plain') setTimeout(() => dismiss(id), SHOWN_MS)
}

export function dismiss(id: number): void {
  const others = shownNotices().filter((notice) => notice.id !== id)
  if (others.length < shownNotices().length) notices.show(others)
}

export const { state: shownNotices, onChange: onNotices } = notices
