import { type RefObject, useLayoutEffect } from 'react'
import { usd } from '../../ui/format.ts'
import { newerCap, type Pulse } from './pulse.ts'

interface Cells {
  readonly cap: RefObject<HTMLElement | null>
  readonly trades?: RefObject<HTMLElement | null>
}

const FLASH_MS = 700
const calm = matchMedia('(prefers-reduced-motion: reduce)')

/**
 * Writes a token's market cap and the trades of its last minute into elements, beside React: a hundred cards may change
 * in a second. `listed` is the market cap of the list, which arrived `at`.
 */
export function useBeat(pulse: Pulse, mint: string, listed: number | null, at: number, { cap, trades }: Cells): void {
  useLayoutEffect(
    () =>
      pulse.watch(mint, (beat) => {
        const value = listed === null ? beat.mcap : newerCap(listed, at, beat)
        write(cap.current, value === null ? '–' : usd(value))
        if (trades?.current) write(trades.current, beat.buys + beat.sells === 0 ? '' : `${beat.buys}↑ ${beat.sells}↓`)
      }),
    [pulse, mint, listed, at, cap, trades],
  )
}

function write(element: HTMLElement | null, text: string): void {
  if (element === null || element.textContent === text) return
  const first = element.textContent === ''
  element.textContent = text
  if (first || calm.matches) return
  element.animate([{ backgroundColor: 'var(--accent-soft)' }, { backgroundColor: 'transparent' }], FLASH_MS)
}
