import { type RefObject, useLayoutEffect } from 'react'
import { usd } from '../../ui/format.ts'
import { newerCap, type Pulse } from './pulse.ts'

interface Cells {
  readonly cap: RefObject<HTMLElement | null>
  readonly trades?: RefObject<HTMLElement | null>
}

/** milliseconds that a change stays marked */
const MARK_MS = 600
const marked = new Set<HTMLElement>()
let unmarking = false

/**
 * Writes a token's market cap and its trades of the last minute into elements without React, because a hundred cards may change
 * each second. `listed` is the list's market cap, received `at`.
 */
export function useBeat(pulse: Pulse, mint: string, listed: number | null, at: number, { cap, trades }: Cells): void {
  useLayoutEffect(
    () =>
      pulse.watch(mint, (beat) => {
        const value = listed === null ? beat.mcap : newerCap(listed, at, beat)
        write(cap.current, value === null ? '–' : usd(value), true)
        if (trades?.current)
          write(trades.current, beat.buys + beat.sells === 0 ? '' : `${beat.buys}↑ ${beat.sells}↓`, false)
      }),
    [pulse, mint, listed, at, cap, trades],
  )
}

function write(element: HTMLElement | null, text: string, marks: boolean): void {
  if (element === null || element.textContent === text) return
  const first = element.textContent === ''
  element.textContent = text
  if (marks && !first) mark(element)
}

/** Marks end together: separate animations would keep the browser painting all the time. */
function mark(element: HTMLElement): void {
  element.dataset.changed = ''
  marked.add(element)
  if (unmarking) return
  unmarking = true
  setTimeout(() => {
    unmarking = false
    for (const one of marked) delete one.dataset.changed
    marked.clear()
  }, MARK_MS)
}
