import {
  ENDPOINTS,
  type Endpoint,
  FREE_ENDPOINTS,
  type FreeOperationId,
  type OperationId,
} from '../contract/endpoints.ts'
import { PARAMETERS, type ParameterName } from '../contract/parameters.ts'
import { SNAPSHOT_GROUPS, type SnapshotGroup } from '../contract/resources.ts'
import { type Answer, envelope } from './envelope.ts'
import type { Query } from './query.ts'

/** Arguments as text, whatever way they came; an array where one was given more than once. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Checked parameters of a call; an operation reads those its row in the endpoint table names. */
export interface Arguments {
  mint: string
  address: string
  fields: readonly SnapshotGroup[]
  limit: number
  offset: number
}

export const noArguments = (): Arguments => ({ mint: '', address: '', fields: SNAPSHOT_GROUPS, limit: 0, offset: 0 })

export interface Operation {
  readonly endpoint: Endpoint
  /** the message of a 400, or null and `into` filled; `argument` is the text of the path parameter */
  parse(argument: string, query: QueryParameters, into: Arguments): string | null
  /** operation and arguments in one canonical text: what a payment was made for */
  request(args: Arguments): string
  /** null where the answer is 404; later where a token with very many holders has to be read for it */
  run(args: Arguments, requestId: string): Answer | null | Promise<Answer | null>
}

type Run = (args: Arguments, requestId: string) => Answer | null

function runners(query: Query): Record<OperationId | FreeOperationId, Run> {
  const found = (data: ReturnType<Query['trades']>, requestId: string) =>
    data === null ? null : envelope(data, requestId)
  return {
    snapshot: (args, requestId) => found(query.snapshot(args.mint, args.fields), requestId),
    trades: (args, requestId) => found(query.trades(args.mint), requestId),
    new: (_, requestId) => envelope(query.list('new'), requestId),
    pumps: (_, requestId) => envelope(query.list('pumps'), requestId),
    graduated: (_, requestId) => envelope(query.list('graduated'), requestId),
    accuracy: (_, requestId) => envelope(query.accuracy(), requestId),
    agents: (_, requestId) => envelope(query.list('agents'), requestId),
    survivors: (_, requestId) => envelope(query.list('survivors'), requestId),
    trader: (args, requestId) => found(query.trader(args.address), requestId),
    deployer({ address, limit, offset }, requestId) {
      const answer = query.deployer(address, limit, offset)
      if (answer === null) return null
      const page = `,"page":{"limit":${limit},"offset":${offset},"returned":${answer.returned}}`
      return envelope(answer.data, requestId, answer.summary, page)
    },
  }
}

/** Reads one parameter from its place into `into`; the message of a 400 where it is malformed. */
function reader(name: ParameterName) {
  const parameter = PARAMETERS[name]
  return (argument: string, query: QueryParameters, into: Arguments): string | null => {
    const parsed = parameter.parse(parameter.in === 'path' ? argument : query[name])
    if (!parsed.ok) return parsed.message
    into[name] = parsed.value as never
    return null
  }
}

/** The nine operations of the endpoint table over a query, and the free one. */
export function createOperations(query: Query): readonly Operation[] {
  const runs = runners(query)
  return [...ENDPOINTS, ...FREE_ENDPOINTS].map((endpoint) => {
    const readers = endpoint.parameters.map(reader)
    return {
      endpoint,
      run: (args, requestId) => query.settled(() => runs[endpoint.id](args, requestId)),
      request: (args) => [endpoint.id, ...endpoint.parameters.map((name) => `${name}=${args[name]}`)].join(' '),
      parse(argument, search, into) {
        for (const read of readers) {
          const problem = read(argument, search, into)
          if (problem !== null) return problem
        }
        return null
      },
    }
  })
}
