import { createShared } from '../api/shared.ts'

/** The header needs the number of unread alerts only; the rest of the alerts' code loads for an account that is signed in. */
const unread = createShared(0)

export const unreadAlerts = unread.state
export const onUnread = unread.onChange

export function setUnread(count: number): void {
  if (count !== unread.state()) unread.show(count)
}
