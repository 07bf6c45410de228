import { OPERATIONS } from '../../../../clients/typescript/src/index.ts'
import type { Run } from './definition.ts'
import { didYouMean } from './nearest.ts'
import { wrongUsage } from './parse.ts'
import { askWhole } from './service-address.ts'

export const callOperation: Run = async (given, io) => {
  const [id = '', ...rest] = given.operands
  const operation = Object.hasOwn(OPERATIONS, id) ? (id as keyof typeof OPERATIONS) : null
  if (operation === null) {
    const known = Object.keys(OPERATIONS)
    throw wrongUsage(`there is no operation ${JSON.stringify(id)}${didYouMean(id, known)}: ${known.join(', ')}`)
  }
  const [, path, inQuery, inBody] = OPERATIONS[operation]
  const places = path.match(/\{\w+\}/g) ?? []
  if (rest.length < places.length) throw wrongUsage(`${id} takes ${places.join(' ')}`)
  const values = valuesOf(rest.slice(places.length), [...inQuery, ...inBody])
  const answer = await askWhole(given, io, (client, how) =>
    (client[operation] as (...given: readonly unknown[]) => Promise<object>)(...rest.slice(0, places.length), {
      ...values,
      ...how,
    }),
  )
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
