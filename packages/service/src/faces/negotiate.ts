import { CODINGS, type Coding } from '@ti/core/base/coding.ts'

/** Chooses the form of an answer from a request's Accept headers (RFC 9110, 12). */

/** Names (lower case) with their weights; a malformed item weighs nothing. */
function weights(header: string | string[] | undefined): Map<string, number> {
  const found = new Map<string, number>()
  for (const item of String(header ?? '').split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim().toLowerCase())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    const value = weight === undefined ? 1 : Number(weight.slice(2))
    if (name !== '') found.set(name, value >= 0 && value <= 1 ? value : 0)
  }
  return found
}

/**
 * A browser names `text/html`. Programs name JSON, or anything, or nothing; they get JSON if both forms exist at one
 * address.
 */
export function prefersPage(accept: string | undefined): boolean {
  const given = weights(accept)
  const html = given.get('text/html') ?? 0
  return html > 0 && html >= (given.get('application/json') ?? 0)
}

/** If the page is the only form, every client gets it unless it excludes the page. */
export function takesPage(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true
  const given = weights(accept)
  return (given.get('text/html') ?? given.get('text/*') ?? given.get('*/*') ?? 0) > 0
}

/** The accepted codings that we support, heaviest first; of equal weights the smaller encoding comes first. */
export function codingsTaken(header: string | string[] | undefined): Coding[] {
  const given = weights(header)
  const weight = (name: Coding): number =>
    given.get(name) ?? (name === 'gzip' ? given.get('x-gzip') : undefined) ?? given.get('*') ?? 0
  return CODINGS.filter((name) => weight(name) > 0).sort((a, b) => weight(b) - weight(a))
}

/** different headers to cache: clients send a handful, each with every request */
const REMEMBERED = 64
const REMEMBERED_LENGTH = 64
const remembered = new Map<string, Coding | null>()

/** The coding for the answer; null: none. */
export function codingTaken(header: string | string[] | undefined): Coding | null {
  if (header === undefined) return null
  const text = String(header)
  const known = remembered.get(text)
  if (known !== undefined) return known
  const coding = codingsTaken(text)[0] ?? null
  if (remembered.size < REMEMBERED && text.length <= REMEMBERED_LENGTH) remembered.set(text, coding)
  return coding
}

/** Weak comparison, as If-None-Match requires. */
export const matchesTag = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => opaque(tag.trim()) === opaque(etag)))

const opaque = (tag: string): string => tag.replace(/^W\//, '')
