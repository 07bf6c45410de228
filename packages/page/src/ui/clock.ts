import { age, moment } from './format.ts'

/** One clock for every age on the page: it writes into the elements, so that nothing is rendered for a passing second. */
const shown = new Map<HTMLElement, number>()
let timer: ReturnType<typeof setInterval> | undefined

const write = (element: HTMLElement, at: number, now: number): void => {
  const text = age((now - at) / 1000)
  if (element.textContent !== text) element.textContent = text
}

function tick(): void {
  if (document.hidden) return
  const now = Date.now()
  for (const [element, at] of shown) {
    write(element, at, now)
    // not with the first words: how a moment is written takes 10 ms to find out
    if (element.title === '') element.title = moment(at)
  }
}

/** Shows how long ago `at` (Unix milliseconds) was, until it is stopped. */
export function showAge(element: HTMLElement, at: number): () => void {
  shown.set(element, at)
  element.removeAttribute('title')
  write(element, at, Date.now())
  timer ??= setInterval(tick, 1000)
  return () => {
    shown.delete(element)
    if (shown.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
