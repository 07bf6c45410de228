/** Milliseconds until the live region speaks. Only the last of several messages is announced. */
const QUIET_MS = 400

let region: HTMLElement | null = null
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(message: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (region === null) return
    // a changed text makes screen readers repeat the message
    region.textContent = region.textContent === message ? `${message}\u00a0` : message
  }, QUIET_MS)
}

export function setRegion(element: HTMLElement | null): void {
  region = element
}
