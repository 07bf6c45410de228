import { EXTRAS, LISTS, NARROW, tabOf } from './lists.ts'

/** First requests of the board: all lists, or on a narrow screen the shown one. */
export function firstPaths(): readonly string[] {
  const tab = tabOf(new URLSearchParams(location.search), false)
  const shown = LISTS.filter(({ id }) => id === tab || !matchMedia(NARROW).matches)
  return [...shown.map(({ path }) => path), EXTRAS.path]
}
