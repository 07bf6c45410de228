import { createShared } from '../api/shared.ts'

/** How many alerts are new, for the header; the rest of what is about alerts is loaded by who has an account. */
const unread = createShared(0)

export const unreadAlerts = unread.state
export const onUnread = unread.onChange

export function setUnread(count: number): void {
  if (count !== unread.state()) unread.show(count)
}
