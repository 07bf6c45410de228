import { ACCOUNT_ROWS } from '@ti/core/contract/account-endpoints.ts'
import { ALL_ENDPOINTS, type Endpoint, methodOf } from '@ti/core/contract/endpoints.ts'
import { placeOf } from '@ti/core/contract/openapi.ts'
import type { Run } from './definition.ts'
import { didYouMean } from './nearest.ts'
import { wrongUsage } from './parse.ts'
import { answerOf } from './service-address.ts'

interface Callable {
  readonly method: string
  readonly path: string
  readonly inQuery: readonly string[]
  readonly inBody: readonly string[]
}

/** Everything that a key opens, by its name in the OpenAPI document. */
function operations(): ReadonlyMap<string, Callable> {
  const ofData = (ALL_ENDPOINTS as readonly Endpoint[]).map((endpoint) => {
    const placed = (place: string) => endpoint.parameters.filter((name) => placeOf(endpoint, name) === place)
    const { path, operationId = endpoint.id } = endpoint
    return [
      operationId,
      { method: methodOf(endpoint), path, inQuery: placed('query'), inBody: placed('body') },
    ] as const
  })
  const ofAccount = ACCOUNT_ROWS.filter(([, { access }]) => access === 'key').map(
    ([id, { method, path, ...takes }]) => {
      const names = (part: 'query' | 'body') => Object.keys(takes[part]?.shape ?? {})
      return [id, { method, path, inQuery: names('query'), inBody: names('body') }] as const
    },
  )
  return new Map([...ofData, ...ofAccount])
}

export const callOperation: Run = async (given, io) => {
  const [id = '', ...rest] = given.operands
  const known = operations()
  const operation = known.get(id)
  if (operation === undefined) {
    const near = didYouMean(id, [...known.keys()], (name) => name)
    throw wrongUsage(`there is no operation ${JSON.stringify(id)}${near}: ${[...known.keys()].join(', ')}`)
  }
  const { method, path, inQuery, inBody } = operation
  const places = path.match(/\{\w+\}/g) ?? []
  if (rest.length < places.length) throw wrongUsage(`${id} takes ${places.join(' ')}`)
  const filled = places.reduce((sum, place, i) => sum.replace(place, encodeURIComponent(rest[i]!)), path)
  const values = valuesOf(rest.slice(places.length), [...inQuery, ...inBody])
  const query = new URLSearchParams(
    inQuery.flatMap((name) => (name in values ? [[name, String(values[name])] as [string, string]] : [])),
  )
  const body = Object.fromEntries(inBody.flatMap((name) => (name in values ? [[name, values[name]]] : [])))
  const search = query.size === 0 ? '' : `?${query}`
  const request = { method, body: inBody.length === 0 ? undefined : body }
  const answer = await answerOf(given, io, filled + search, request)
  io.result(`${JSON.stringify(answer)}\n`)
}

/** Values by their names; what is no JSON is text. */
function valuesOf(pairs: readonly string[], names: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = '', text = ''] = /^(\w+)=(.*)$/s.exec(pair) ?? []
      if (!names.includes(name))
        throw wrongUsage(`${pair}: expected NAME=VALUE, with one of ${names.join(', ') || 'none'}`)
      try {
        return [name, JSON.parse(text) as unknown]
      } catch {
        return [name, text]
      }
    }),
  )
}
