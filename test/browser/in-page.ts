/**
 * What runs inside the page, as text: compiled functions call helpers of the compiler that a page does not have, and
 * the service's types know no document.
 */

/** Says what the policy of the page stopped, by the console; asked for before anything of the page runs. */
export const TELL_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('policy violated: ' + event.effectiveDirective + ' by ' + (event.blockedURI || 'inline') + ' ' + event.sample)
})`

/** Elements that reach over the right edge of the page, and are not inside something that scrolls or clips. */
export const OVERFLOWING = `(() => {
  const width = document.documentElement.clientWidth
  const over = [...document.querySelectorAll('body *')].filter((element) => {
    if (element.getBoundingClientRect().right <= width + 1) return false
    for (let up = element.parentElement; up !== null && up !== document.body; up = up.parentElement)
      if (getComputedStyle(up).overflowX !== 'visible') return false
    return element.checkVisibility() && getComputedStyle(element).position !== 'fixed'
  })
  const page = document.scrollingElement.scrollWidth
  return page <= width ? [] : ['the page is ' + page + ' wide, its window ' + width, ...over.slice(0, 5).map((element) =>
    element.tagName + '.' + element.className + ' ' + Math.round(element.getBoundingClientRect().right))]
})()`

/** Whether the element with the focus is drawn otherwise than without it. */
export const FOCUS_SHOWS = `(() => {
  const element = document.activeElement
  const looks = () => {
    const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, backgroundColor } = getComputedStyle(element)
    return JSON.stringify([outlineStyle === 'none' ? '' : outlineStyle + outlineWidth + outlineColor, boxShadow, borderColor, backgroundColor])
  }
  const focused = looks()
  element.blur()
  const plain = looks()
  element.focus({ focusVisible: true })
  return focused !== plain
})()`

/** Everything a page can keep beyond its tab. */
export const KEPT = `JSON.stringify({ local: { ...localStorage }, session: { ...sessionStorage }, cookie: document.cookie })`

/** How many places on the screen wait for their content. */
export const WAITING = `[...document.querySelectorAll('main .unseen')].filter(({ textContent, parentElement }) => {
  const { top, bottom } = parentElement.getBoundingClientRect()
  return textContent === 'Loading' && bottom > 0 && top < innerHeight
}).length`

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** The serious findings of axe-core, which has to be in the page, by the rules with these tags, or of this one. */
const axe = (rules: string | readonly string[]): string => `axe.run(document, {
  resultTypes: ['violations'],
  runOnly: ${JSON.stringify(typeof rules === 'string' ? { type: 'rule', values: [rules] } : rules)},
}).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .map(({ id, impact, nodes }) => impact + ' ' + id + ' (' + nodes.length + '): ' +
    nodes.slice(0, 3).map(({ target, any }) => target.join(' ') + ' ' + (any[0]?.message ?? '')).join(' | ')))`
export const AXE = axe(RULES)
/** What another colour scheme can change. */
export const AXE_COLOURS = axe('color-contrast')

/** Which squares of the code that asks for a payment are dark, row by row: looked at in the middle of each. */
export const SQUARES = `(() => {
  const svg = document.querySelector('svg[aria-label^="Solana Pay"]')
  const path = svg.querySelector('path')
  const each = Array.from({ length: svg.viewBox.baseVal.width }, (_, i) => i + 0.5)
  return each.map((y) => each.map((x) => path.isPointInFill(new DOMPoint(x, y))))
})()`
