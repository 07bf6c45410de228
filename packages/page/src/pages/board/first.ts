import { EXTRAS, LISTS, NARROW, tabOf } from './lists.ts'

/** What the board asks first: every list, or on a narrow page the one that is shown. */
export function firstPaths(): readonly string[] {
  const tab = tabOf(new URLSearchParams(location.search), false)
  const shown = LISTS.filter(({ id }) => id === tab || !matchMedia(NARROW).matches)
  return [...shown.map(({ path }) => path), EXTRAS.path]
}
