import {
  ALL_ENDPOINTS,
  type AnyOperationId,
  ENDPOINTS,
  type Endpoint,
  methodOf,
  type OperationId,
} from '../contract/endpoints.ts'
import { type Cursor, cursorText, PARAMETERS, type ParameterName } from '../contract/parameters.ts'
import { SNAPSHOT_GROUPS, type SnapshotGroup } from '../contract/resources.ts'
import { type Answer, envelope } from './envelope.ts'
import type { Query, Rendered } from './query.ts'

/** Arguments as text, from any transport. An array if one was given several times. */
export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>

/** Checked parameters of a call. An operation reads those listed in its row of the endpoint table. */
export interface Arguments {
  mint: string
  address: string
  fields: readonly SnapshotGroup[]
  limit: number
  offset: number
  /** An actor's stable name or number. */
  id: string
  wallet: string
  /** Without duplicates. */
  mints: readonly string[]
  cursor: Cursor | null
  /** -1: as of now. */
  at_slot: number
  /** The cached answer of that slot, found when the call was checked; null for the newest slot. */
  kept: Rendered | null
}

/** One literal, because building it from two spreads cost as much as the rest of an answer. */
export const noArguments = (): Arguments => ({
  mint: '',
  address: '',
  fields: SNAPSHOT_GROUPS,
  limit: 0,
  offset: 0,
  id: '',
  wallet: '',
  mints: NO_MINTS,
  cursor: null,
  at_slot: -1,
  kept: null,
})

const NO_MINTS: readonly string[] = []

export interface Operation {
  readonly endpoint: Endpoint
  /** Fills `into` and returns null, or returns the message of a 400. `argument` is the path parameter. */
  parse(argument: string, query: QueryParameters, into: Arguments): string | null
  /** Operation and arguments as canonical text, which a payment is bound to. */
  request(args: Arguments): string
  /** The number of answers charged: the tokens found by a batch (possibly 0), else 1. */
  answers(args: Arguments): number
  /** Null for a 404. A promise if a token with very many holders must be read first. */
  run(args: Arguments, requestId: string): Answer | null | Promise<Answer | null>
}

type Run = (args: Arguments, requestId: string) => Answer | null

/** An answer of an operation beyond the nine, with the slot in `meta`. */
const withSlot = (data: Rendered, requestId: string, page = '', summary?: Buffer): Answer =>
  envelope(data, requestId, `,"slot":${data.slot}${page}`, summary)

const further = (data: Rendered | null, requestId: string): Answer | null =>
  data === null ? null : withSlot(data, requestId)

function cursorPage(limit: number, { returned, next }: { readonly returned: number; readonly next: Cursor | null }) {
  const cursor = next === null ? 'null' : `"${cursorText(next)}"`
  return `,"page":{"limit":${limit},"returned":${returned},"next_cursor":${cursor}}`
}

/** The nine operations of the specification. */
function runners(query: Query): Record<OperationId, Run> {
  const found = (data: Rendered | null, requestId: string) => (data === null ? null : envelope(data, requestId))
  return {
    snapshot: (args, requestId) => found(query.snapshot(args.mint, args.fields), requestId),
    trades: (args, requestId) => found(query.trades(args.mint), requestId),
    new: (_, requestId) => envelope(query.list('new'), requestId),
    pumps: (_, requestId) => envelope(query.list('pumps'), requestId),
    graduated: (_, requestId) => envelope(query.list('graduated'), requestId),
    agents: (_, requestId) => envelope(query.list('agents'), requestId),
    survivors: (_, requestId) => envelope(query.list('survivors'), requestId),
    trader: (args, requestId) => found(query.trader(args.address), requestId),
    deployer({ address, limit, offset }, requestId) {
      const answer = query.deployer(address, limit, offset)
      if (answer === null) return null
      const page = `,"page":{"limit":${limit},"offset":${offset},"returned":${answer.returned}}`
      return envelope(answer.data, requestId, page, answer.summary)
    },
  }
}

function furtherRunners(query: Query): Record<Exclude<AnyOperationId, OperationId>, Run> {
  return {
    who: ({ mint }, requestId) => further(query.who(mint), requestId),
    check: ({ mint }, requestId) => further(query.check(mint), requestId),
    explain: ({ mint }, requestId) => further(query.explain(mint), requestId),
    actor: ({ id }, requestId) => further(query.actor(id), requestId),
    positions({ wallet, limit, cursor }, requestId) {
      const answer = query.positions(wallet, limit, cursor)
      return answer && withSlot(answer.data, requestId, cursorPage(limit, answer), answer.summary)
    },
    history({ mint, limit, cursor }, requestId) {
      const answer = query.history(mint, limit, cursor)
      return answer && withSlot(answer.data, requestId, cursorPage(limit, answer))
    },
    trader_windows: ({ address }, requestId) => further(query.traderWindows(address), requestId),
    deployer_windows: ({ address }, requestId) => further(query.deployerWindows(address), requestId),
    batch: ({ mints, fields }, requestId) => further(query.batch(mints, fields), requestId),
    accuracy: (_, requestId) => withSlot(query.accuracy(), requestId),
  }
}

/** Parses one parameter into `into`; returns the message of a 400 if it is malformed. */
function reader(name: ParameterName) {
  const parameter = PARAMETERS[name]
  const asList = `${name}[]`
  return (argument: string, query: QueryParameters, into: Arguments): string | null => {
    const parsed = parameter.parse(parameter.in === 'path' ? argument : (query[name] ?? listed(query[asList])))
    if (!parsed.ok) return parsed.message
    into[name] = parsed.value as never
    return null
  }
}

/** The canonical text of a call, without optional parameters that were omitted. */
const requestOf = ({ id, parameters }: Endpoint, args: Arguments): string =>
  [id, ...parameters.flatMap((name) => textOf(name, args))].join(' ')

function textOf(name: ParameterName, args: Arguments): string[] {
  if (name === 'at_slot') return args.at_slot < 0 ? [] : [`at_slot=${args.at_slot}`]
  if (name === 'cursor') return args.cursor === null ? [] : [`cursor=${cursorText(args.cursor)}`]
  return [`${name}=${args[name]}`]
}

/** EAGAIN marks an error that a retry may avoid. */
const passed = (slot: number): Error =>
  Object.assign(new Error(`slot ${slot} was over before it was read`), { code: 'EAGAIN' })

const NINE: ReadonlySet<string> = new Set(ENDPOINTS.map(({ id }) => id))

const isOfTheNine = ({ id }: Endpoint): boolean => NINE.has(id)

/** The operations of the endpoint table: the nine of the specification, further ones, and the free one. */
export function createOperations(query: Query): readonly Operation[] {
  const runs = { ...runners(query), ...furtherRunners(query) }
  return ALL_ENDPOINTS.map((endpoint: Endpoint & { readonly id: AnyOperationId }) => {
    const readers = endpoint.parameters.map(reader)
    const run = runs[endpoint.id]
    return {
      endpoint,
      run(args, requestId) {
        if (args.kept !== null) return (isOfTheNine(endpoint) ? envelope : withSlot)(args.kept, requestId)
        const ready = endpoint.id === 'actor' ? query.named(args.id) : null
        const answer = () =>
          query.settled(() => {
            // a payment between check and work can take seconds
            if (args.at_slot >= 0 && args.at_slot !== query.slot()) throw passed(args.at_slot)
            return run(args, requestId)
          })
        return ready instanceof Promise ? ready.then(answer) : answer()
      },
      request: (args) => requestOf(endpoint, args),
      answers: (args) => (methodOf(endpoint) === 'POST' ? query.tracked(args.mints) : 1),
      parse(argument, search, into) {
        for (const read of readers) {
          const problem = read(argument, search, into)
          if (problem !== null) return problem
        }
        if (into.at_slot < 0) return null
        const recalled = query.recall(endpoint.id, into)
        if (!recalled.ok) return recalled.message
        into.kept = recalled.value
        return null
      },
    }
  })
}

/** Accepts lists as `name[]=a&name[]=b`, too. */
const listed = (raw: string | readonly string[] | undefined): string | undefined =>
  raw === undefined || typeof raw === 'string' ? raw : raw.join()

/** Query parameters that the operation does not know. */
export function unknownIn(query: QueryParameters, parameters: readonly string[]): string[] {
  const unknown: string[] = []
  for (const name in query) if (!parameters.includes(name.endsWith('[]') ? name.slice(0, -2) : name)) unknown.push(name)
  return unknown
}
