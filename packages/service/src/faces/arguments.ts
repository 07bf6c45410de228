import type { Endpoint } from '@ti/core/contract/endpoints.ts'
import { PARAMETERS } from '@ti/core/contract/parameters.ts'
import type { QueryParameters } from '@ti/core/query/operations.ts'

/**
 * Converts JSON arguments to the text that an operation parses. Null counts as not given, and so does an empty text for a query
 * parameter. A list for `fields` is joined with commas.
 */
export function argumentsOf({ parameters }: Pick<Endpoint, 'parameters'>, given: Readonly<Record<string, unknown>>) {
  let argument = ''
  const query: Record<string, QueryParameters[string]> = {}
  for (const name of parameters) {
    const value = Object.hasOwn(given, name) ? textOf(given[name]) : undefined
    if (PARAMETERS[name].in === 'path') argument = typeof value === 'string' ? value : ''
    else query[name] = value === '' ? undefined : name === 'fields' && Array.isArray(value) ? value.join() : value
  }
  return { argument, query }
}

function textOf(value: unknown): QueryParameters[string] {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.every((item) => typeof item === 'string') ? value : '(a list)'
  return '(an object)'
}
