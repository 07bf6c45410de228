/** Reads numbers and sentences off a page, as text to run in it. */

/** Shared by the scripts below: what a person sees of an element, and where it stands. */
const SEEING = String.raw`
  const inline = (element) => /^(inline|contents|ruby)/.test(getComputedStyle(element).display)
  const seen = new Map()
  const isSeen = (element) => {
    if (!seen.has(element)) {
      const { width, height } = element.getBoundingClientRect()
      const drawn = getComputedStyle(element).display === 'contents' || (width > 1 && height > 1)
      seen.set(element, drawn && element.checkVisibility({ visibilityProperty: true }))
    }
    return seen.get(element)
  }
  const SKIPPED = 'script, style, noscript, template, option, textarea, code, pre, kbd, title'
  /** visible text; blocks are lines; what strangers wrote is left out, and a mark stands before one text node */
  const textOf = (element, { marked = null, strangers = false } = {}) => {
    let text = ''
    const walk = (node) => {
      if (node.nodeType === 3) {
        if (node === marked) text += '\u0001'
        text += node.data
        return
      }
      if (node.nodeType !== 1 || node.matches(SKIPPED) || !isSeen(node)) return
      if (!strangers && node.matches('bdi')) return
      const apart = node !== element && !inline(node)
      if (apart) text += '\n'
      for (const child of node.childNodes) walk(child)
      if (apart) text += '\n'
    }
    walk(element)
    return text.replaceAll('\u00a0', ' ')
  }
  const whereIs = (element) => {
    const path = []
    for (let at = element; at !== null && at !== document.body && path.length < 5; at = at.parentElement)
      path.unshift(at.tagName.toLowerCase() + (at.className && typeof at.className === 'string' ? '.' + at.className.split(' ')[0].replace(/^_|_[A-Za-z0-9-]{4,8}_\d+$/g, '') : ''))
    return path.join(' ')
  }
`

/** Numbers that have neither a word beside them nor a heading over them, with where they stand. */
export const BARE_NUMBERS = String.raw`(() => {
  ${SEEING}
  // names of crews, addresses, times of day and versions are no numbers
  const NO_NUMBERS = /\p{L}[\p{L}\d]*(?:-[\p{L}\d]+)*-\d+|[\p{L}\d]{2,}…[\p{L}\d]{2,}|\d{1,2}:\d{2}(?::\d{2})?|\p{L}+\d[\p{L}\d]*/gu
  const NUMBER = /\d/
  const UNITS = /(?<![\p{L}])(?:SOL|USDC?|min|kB|MB|GB|TB|ms|px|am|pm)(?![\p{L}])/giu
  const hasWord = (text) => /\p{L}{3,}/u.test(text.replaceAll(NO_NUMBERS, ' ').replaceAll(UNITS, ' '))
  const hasNumber = (text) => NUMBER.test(text.replaceAll(NO_NUMBERS, ' '))
  const bareWord = (element) => isSeen(element) && hasWord(textOf(element)) && !hasNumber(textOf(element))

  const itemOf = (node) => {
    let item = node.parentElement
    while (inline(item) && item.parentElement !== document.body) item = item.parentElement
    return item
  }
  const headOf = (cell) => {
    const table = cell.closest('table, [role="table"]')
    const row = cell.parentElement
    const at = [...row.children].reduce((sum, one) => (one.compareDocumentPosition(cell) & 4 ? sum + (one.colSpan ?? 1) : sum), 0)
    const heads = [...(table?.querySelector('thead tr, [role="rowgroup"] [role="row"]')?.children ?? [])]
    return [heads[at], ...row.querySelectorAll('th, [role="rowheader"]')].some((head) => head !== undefined && head !== cell && bareWord(head)) ||
      /\p{L}{3,}/u.test(getComputedStyle(cell, '::before').content)
  }
  const isLabelled = (item) => {
    const cell = item.closest('td, th, [role="cell"]')
    if (cell !== null && headOf(cell)) return true
    const value = item.closest('dd')
    if (value !== null) {
      let term = value.previousElementSibling
      while (term !== null && term.tagName !== 'DT') term = term.previousElementSibling
      if (term !== null && hasWord(textOf(term))) return true
    }
    const over = item.closest('dl')?.previousElementSibling ?? null
    if (over !== null && /^H[2-6]$/.test(over.tagName) && bareWord(over)) return true
    const drawing = item.closest('svg')
    if (drawing !== null) return drawing.closest('figure, section, [role="img"]') !== null
    // a label of its own, beside or over it
    for (let at = item, up = 0; up < 2 && !at.matches('main, section, article, body'); at = at.parentElement, up++) {
      const siblings = [...at.parentElement.children].filter((one) => one !== at && isSeen(one))
      if (siblings.length <= 3 && siblings.some(bareWord)) return true
    }
    return false
  }

  const bare = new Map()
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { parentElement: parent } = node
    if (!hasNumber(node.data) || parent.closest(SKIPPED + ', bdi, time') !== null || !isSeen(parent)) continue
    const item = itemOf(node)
    const segment = textOf(item, { marked: node }).split(/[·|;\n]/).find((part) => part.includes('\u0001')) ?? ''
    if (hasWord(segment) || isLabelled(item)) continue
    const where = whereIs(item)
    const known = bare.get(where)
    bare.set(where, { text: known?.text ?? segment.replace('\u0001', '').trim(), times: (known?.times ?? 0) + 1 })
  }
  return [...bare].map(([where, { text, times }]) => '"' + text + '" at ' + where + (times > 1 ? ', ' + times + ' times' : ''))
})()`

/** What a page says: sentences, tables, labelled values, and the colours it shows. */
export interface Said {
  /** each block of text that is not inside of another */
  readonly blocks: readonly string[]
  readonly tables: readonly {
    readonly heads: readonly string[]
    readonly rows: readonly (readonly string[])[]
  }[]
  readonly pairs: readonly (readonly [label: string, value: string])[]
  /** each card of the board, as one text */
  readonly cards: readonly string[]
}

export const SAID = String.raw`(() => {
  ${SEEING}
  const flat = (element) => textOf(element, { strangers: true }).replaceAll(/\s+/g, ' ').trim()
  const all = (selector, within = document.body) => [...within.querySelectorAll(selector)].filter(isSeen)
  const main = document.querySelector('main') ?? document.body
  const blocks = all('p, li, dl > div, figcaption, h1, h2, h3, h4, summary, td, caption', main)
    .filter((element) => element.querySelector('p, li, table, section, [data-card]') === null)
  return {
    blocks: blocks.map(flat).filter((text) => text !== ''),
    tables: all('table', main).map((table) => ({
      heads: [...table.querySelectorAll('thead th')].map(flat),
      rows: all('tbody tr', table).map((row) => [...row.children].map(flat)),
    })),
    pairs: all('dt', main).flatMap((term) => {
      let value = term.nextElementSibling
      return value?.tagName === 'DD' ? [[flat(term), flat(value)]] : []
    }),
    cards: all('[data-card]').map(flat),
  }
})()`
