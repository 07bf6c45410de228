/** One polite live region for the page. It says the last of several messages, so that it does not chatter. */
const QUIET_MS = 400

let region: HTMLElement | null = null
let timer: ReturnType<typeof setTimeout> | undefined

export function announce(message: string): void {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (region === null) return
    // the same words twice are said twice
    region.textContent = region.textContent === message ? `${message}\u00a0` : message
  }, QUIET_MS)
}

export function setRegion(element: HTMLElement | null): void {
  region = element
}
