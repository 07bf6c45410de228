import { go } from '../shell/router.tsx'

/** The user wants browser notifications; the component that knows the account sets it. */
let wanted = false

export const setNotifying = (on: boolean): void => {
  wanted = on
}

export const isNotifying = (): boolean => wanted && notifying() === 'granted'

/** null: this browser has no notifications, or the user denied them */
export const notifying = (): 'possible' | 'granted' | null => {
  if (!('Notification' in window) || !window.isSecureContext || Notification.permission === 'denied') return null
  return Notification.permission === 'granted' ? 'granted' : 'possible'
}

/** Must follow a click, because the browser asks the user. Returns true if notifications are allowed. */
export async function askToNotify(): Promise<boolean> {
  try {
    return (await Notification.requestPermission()) === 'granted'
  } catch {
    return false
  }
}

interface Shown {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly path: string
}

/** Shows a browser notification unless the page has the focus. Tabs that report the same alert share one notification. */
export function notifyBrowser({ id, title, body, path }: Shown): void {
  if (!isNotifying() || (!document.hidden && document.hasFocus())) return
  try {
    const shown = new Notification(title, { body, tag: id })
    shown.onclick = () => {
      window.focus()
      shown.close()
      go(path)
    }
  } catch {
    // mobile browsers allow notifications only from service workers
  }
}
