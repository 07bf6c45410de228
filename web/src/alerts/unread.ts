/** How many alerts are new, for the header; the rest of what is about alerts is loaded by who has an account. */
let unread = 0
const listeners = new Set<() => void>()

export const unreadAlerts = (): number => unread

export function setUnread(count: number): void {
  if (count === unread) return
  unread = count
  for (const tell of listeners) tell()
}

export function onUnread(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}
