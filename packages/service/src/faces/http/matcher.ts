import { parse } from 'node:querystring'
import type { QueryParameters } from '@ti/core/query/operations.ts'

/** What a URL asks for: the value kept for its path, the text of its path parameter (empty without one), its query. */
export interface Match<T> {
  readonly value: T
  readonly argument: string
  readonly query: QueryParameters
}

const NO_QUERY: QueryParameters = Object.freeze({})
/** parameters of a query that are looked at */
const QUERY_KEYS = 100

/**
 * Matches URLs against OpenAPI path templates with at most one parameter; literal paths come first. Null where nothing
 * fits, `malformed` where the percent-encoding is broken.
 */
export function createMatcher<T>(templates: readonly (readonly [path: string, value: T])[]) {
  const literals = new Map<string, T>()
  const patterns: { readonly value: T; readonly before: string; readonly after: string }[] = []
  for (const [path, value] of templates) {
    const parts = /^([^{]*)\{\w+\}([^{]*)$/.exec(path)
    if (parts === null) literals.set(path, value)
    else patterns.push({ value, before: parts[1]!, after: parts[2]! })
  }

  return (url: string): Match<T> | 'malformed' | null => {
    const mark = url.indexOf('?')
    const path = mark < 0 ? url : url.slice(0, mark)
    const query = mark < 0 ? NO_QUERY : parse(url.slice(mark + 1), '&', '=', { maxKeys: QUERY_KEYS })
    const literal = literals.get(path)
    if (literal !== undefined) return { value: literal, argument: '', query }
    for (const { value, before, after } of patterns) {
      if (!path.startsWith(before) || !path.endsWith(after)) continue
      const raw = path.slice(before.length, path.length - after.length)
      if (raw.includes('/') || path.length < before.length + after.length) continue
      const argument = decoded(raw)
      return argument === null ? 'malformed' : { value, argument, query }
    }
    return null
  }
}

function decoded(raw: string): string | null {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return null
  }
}
