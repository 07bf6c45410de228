import { chainNow } from '../api/clock.ts'
import { age, clock, moment } from './format.ts'

/** One timer updates all ages. It writes into the elements, so that React does not render every second. */
const shown = new Map<HTMLElement, number>()
const DAY_MS = 86_400_000
let timer: ReturnType<typeof setInterval> | undefined

const write = (element: HTMLElement, at: number, now: number): void => {
  const text = age((now - at) / 1000)
  if (element.textContent !== text) element.textContent = text
}

function tick(): void {
  if (document.hidden) return
  const now = chainNow()
  for (const [element, at] of shown) {
    write(element, at, now)
    // formatting the first moment takes 10 ms, so titles are set later
    if (element.title === '') element.title = moment(at)
  }
}

/** Shows the age of `at` (Unix milliseconds) at the newest block; returns the function that stops it. */
export function showAge(element: HTMLElement, at: number): () => void {
  shown.set(element, at)
  element.removeAttribute('title')
  write(element, at, chainNow())
  timer ??= setInterval(tick, 1000)
  return () => {
    shown.delete(element)
    if (shown.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** "18:05" in UTC, as everywhere; "27 Nov" of a moment more than a day before `now` */
export const timeOfDay = (ms: number, now: number): string =>
  now - ms < DAY_MS ? clock(ms / 1000).slice(0, 5) : new Date(ms).toUTCString().slice(5, 11)
