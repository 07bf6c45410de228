import { go } from '../shell/router.tsx'

/** Whether notifications beyond the page were asked for; set by whoever knows the account. */
let wanted = false

export const setNotifying = (on: boolean): void => {
  wanted = on
}

export const isNotifying = (): boolean => wanted && notifying() === 'granted'

/** null: this browser has none here, or they were denied */
export const notifying = (): 'possible' | 'granted' | null => {
  if (!('Notification' in window) || !window.isSecureContext || Notification.permission === 'denied') return null
  return Notification.permission === 'granted' ? 'granted' : 'possible'
}

/** Asks the person, so only after a click; true where it is allowed. */
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

/** Shows it beyond the page, where that was asked for and the page is not looked at. The same alert in several tabs is one. */
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
    // browsers of phones show notifications of service workers only
  }
}
