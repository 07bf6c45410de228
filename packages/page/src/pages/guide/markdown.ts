/**
 * Parses the subset of Markdown that our documents use: headings, paragraphs, flat lists, tables, fenced code; inline code,
 * bold and links. Everything else, including HTML, is text.
 */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong'; readonly parts: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly parts: readonly Inline[] }

export type Line = readonly Inline[]

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly id: string; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Line[] }
  | { readonly kind: 'table'; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }

const FENCE = /^```(\w*)\s*$/
const HEADING = /^(#{1,4}) +(.+)$/
const ITEM = /^(?:([-*])|\d{1,3}\.) +(.*)$/
const DIVIDER = /^\|(?: *:?-+:? *\|)+ *$/

export function readMarkdown(source: string): readonly Block[] {
  const lines = source.replace(/\r\n?/g, '\n').split('\n')
  const blocks: Block[] = []
  const ids = new Set<string>()
  let at = 0
  while (at < lines.length) {
    const line = lines[at]!
    if (line.trim() === '') {
      at++
      continue
    }
    const [block, next] =
      readCode(lines, at) ??
      readHeading(lines, at, ids) ??
      readTable(lines, at) ??
      readList(lines, at) ??
      readText(lines, at)
    blocks.push(block)
    at = next
  }
  return blocks
}

/** a block and the index of the line after it */
type Read = readonly [Block, number]

function readCode(lines: readonly string[], at: number): Read | null {
  const fence = FENCE.exec(lines[at]!)
  if (fence === null) return null
  let end = at + 1
  while (end < lines.length && lines[end]!.trimEnd() !== '```') end++
  return [{ kind: 'code', language: fence[1]!, text: lines.slice(at + 1, end).join('\n') }, end + 1]
}

function readHeading(lines: readonly string[], at: number, ids: Set<string>): Read | null {
  const heading = HEADING.exec(lines[at]!)
  if (heading === null) return null
  const line = readLine(heading[2]!)
  const wanted = idOf(plainText(line))
  let id = wanted
  for (let n = 2; ids.has(id); n++) id = `${wanted}-${n}`
  ids.add(id)
  return [{ kind: 'heading', level: heading[1]!.length, id, line }, at + 1]
}

const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '') || 'part'

function readTable(lines: readonly string[], at: number): Read | null {
  if (!lines[at]!.startsWith('|') || !DIVIDER.test(lines[at + 1] ?? '')) return null
  const head = cells(lines[at]!)
  const rows: Line[][] = []
  let end = at + 2
  for (; end < lines.length && lines[end]!.startsWith('|'); end++) rows.push(cells(lines[end]!))
  return [{ kind: 'table', head, rows }, end]
}

/** A bar within code is no separator. */
function cells(row: string): Line[] {
  const inner = row.trim().replace(/^\|/, '').replace(/\|$/, '')
  const found: string[] = ['']
  for (const [part] of inner.matchAll(/`[^`]*`|[^|`]+|[|`]/g)) {
    if (part === '|') found.push('')
    else found[found.length - 1] += part
  }
  return found.map((cell) => readLine(cell.trim()))
}

function readList(lines: readonly string[], at: number): Read | null {
  const first = ITEM.exec(lines[at]!)
  if (first === null) return null
  const ordered = first[1] === undefined
  const items: string[] = []
  let end = at
  for (; end < lines.length; end++) {
    const item = ITEM.exec(lines[end]!)
    if (item !== null && (item[1] === undefined) === ordered) items.push(item[2]!)
    else if (/^ +\S/.test(lines[end]!)) items[items.length - 1] += ` ${lines[end]!.trim()}`
    else break
  }
  return [{ kind: 'list', ordered, items: items.map(readLine) }, end]
}

function readText(lines: readonly string[], at: number): Read {
  let end = at + 1
  const ends = (line: string): boolean =>
    line.trim() === '' || FENCE.test(line) || HEADING.test(line) || ITEM.test(line) || line.startsWith('|')
  while (end < lines.length && !ends(lines[end]!)) end++
  const text = lines.slice(at, end).map((line) => line.trim())
  return [{ kind: 'paragraph', line: readLine(text.join(' ')) }, end]
}

const MARK = /`([^`]+)`|\*\*(.+?)\*\*|\[([^[\]]*)\]\(([^()\s]+)\)/g

export function readLine(text: string): Line {
  const parts: Inline[] = []
  let from = 0
  const plain = (to: number): void => {
    if (to > from) parts.push({ kind: 'text', text: text.slice(from, to) })
  }
  for (const match of text.matchAll(MARK)) {
    const [all, code, strong, label, address] = match
    plain(match.index)
    from = match.index + all.length
    if (code !== undefined) parts.push({ kind: 'code', text: code })
    else if (strong !== undefined) parts.push({ kind: 'strong', parts: readLine(strong) })
    else parts.push(linkOf(address!, readLine(label!), all))
  }
  plain(text.length)
  return parts
}

/** Accepts fragments, paths of the service and http(s) URLs; other addresses become text. */
function linkOf(address: string, parts: Line, all: string): Inline {
  const fine = /^#[\w-]+$/.test(address) || /^\/(?![/\\])/.test(address) || /^https?:\/\/[^\s]+$/i.test(address)
  return fine ? { kind: 'link', href: address, parts } : { kind: 'text', text: all }
}

export const plainText = (line: Line): string =>
  line.map((part) => ('parts' in part ? plainText(part.parts) : part.text)).join('')
