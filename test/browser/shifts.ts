/** Every move of what was painted, noted by a script that runs before the page. */
export const SHIFTS = `globalThis.__shifts = []
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries())
    if (!hadRecentInput) __shifts.push({ value, what: sources.map(({ node }) => (node?.nodeType === 3 ? node.parentElement : node)?.className ?? '').join(' ') })
}).observe({ type: 'layout-shift', buffered: true })`

export interface Shift {
  readonly value: number
  /** classes of what moved */
  readonly what: string
}

export function shiftsOf(shifts: readonly Shift[]): { readonly sum: number; readonly text: string } {
  const largest = [...shifts].sort((a, b) => b.value - a.value).slice(0, 5)
  return {
    sum: shifts.reduce((all, { value }) => all + value, 0),
    text: largest.map(({ value, what }) => `${value.toFixed(4)} ${what}`).join('; '),
  }
}
