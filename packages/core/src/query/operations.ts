import { ALL_ENDPOINTS, type AnyOperationId, ENDPOINTS, type Endpoint, methodOf } from '../contract/endpoints.ts'
import { type Cursor, cursorText, PARAMETERS, type ParameterName } from '../contract/parameters.ts'
import { SNAPSHOT_GROUPS, type SnapshotGroup } from '../contract/resources.ts'
import { QUERY_BOUNDS, type QueryBounds } from './bounds.ts'
import { type Answer, envelope } from './envelope.ts'
import { createKeptAnswers, snapshotName } from './kept-answers.ts'
import type { Rendered } from './query.ts'
import type { Found, Reads } from './reads.ts'

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
  /** The slot that an answer must have reached; -1: any. */
  min_slot: number
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
  min_slot: -1,
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
  answers(args: Arguments): number | Promise<number>
  /** Null for a 404. A promise if the state has to be asked first. */
  run(args: Arguments, requestId: string): Ran | Promise<Ran>
}

/** The newest slot that could be read is before `min_slot`. */
export interface Behind {
  readonly behind: number
}

type Ran = Answer | Behind | null

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

/** The canonical text of a call, without optional parameters that were omitted. Each answer is kept by it: no lists are made. */
function requestOf({ id, parameters }: Endpoint, args: Arguments): string {
  let text: string = id
  for (const name of parameters) text += textOf(name, args)
  return text
}

function textOf(name: ParameterName, args: Arguments): string {
  // the same answer for all who may have it
  if (name === 'min_slot') return ''
  if (name === 'at_slot') return args.at_slot < 0 ? '' : ` at_slot=${args.at_slot}`
  if (name === 'cursor') return args.cursor === null ? '' : ` cursor=${cursorText(args.cursor)}`
  return ` ${name}=${args[name]}`
}

const NINE: ReadonlySet<string> = new Set(ENDPOINTS.map(({ id }) => id))

/** Answers of the operations beyond the nine have their slot in `meta`. */
const enveloped = ({ id }: Endpoint, { data, summary, page }: Found, requestId: string): Answer =>
  envelope(data, requestId, NINE.has(id) ? page : `,"slot":${data.slot}${page}`, summary ?? undefined)

/** answers that can be requested by slot later */
const KEPT: ReadonlySet<string> = new Set(['snapshot', 'who', 'check', 'explain'])

/** The operations of the endpoint table: the nine of the specification, further ones, and the free one. */
export function createOperations(reads: Reads, bounds: QueryBounds = QUERY_BOUNDS): readonly Operation[] {
  const found = createFound(reads, bounds)

  /** A missing token may be found after `min_slot`. */
  function answerTo(endpoint: Endpoint, { min_slot }: Arguments, answer: Found | null, requestId: string): Ran {
    const slot = answer?.data.slot ?? reads.newest().slot
    if (slot < min_slot) return { behind: slot }
    return answer && enveloped(endpoint, answer, requestId)
  }

  return ALL_ENDPOINTS.map((endpoint: Endpoint & { readonly id: AnyOperationId }) => {
    const { id } = endpoint
    const readers = endpoint.parameters.map(reader)
    return {
      endpoint,
      run(args, requestId) {
        if (args.kept !== null) return enveloped(endpoint, { data: args.kept, summary: null, page: '' }, requestId)
        const answer = found.find(id, args, requestOf(endpoint, args))
        if (!(answer instanceof Promise)) return answerTo(endpoint, args, answer, requestId)
        return answer.then((late) => answerTo(endpoint, args, late, requestId))
      },
      request: (args) => requestOf(endpoint, args),
      answers: (args) => (methodOf(endpoint) === 'POST' ? reads.tracked(args.mints) : 1),
      parse(argument, search, into) {
        for (const read of readers) {
          const problem = read(argument, search, into)
          if (problem !== null) return problem
        }
        if (into.at_slot < 0) return null
        if (into.at_slot < into.min_slot) return `at_slot ${into.at_slot} is before min_slot ${into.min_slot}`
        const recalled = found.recall(id, into)
        if (!recalled.ok) return recalled.message
        into.kept = recalled.value
        return null
      },
    }
  })
}

/**
 * Keeps what was found until the next log entry, because every age and rank may move with a block. Equal requests that
 * wait for the state wait together.
 */
function createFound({ newest, find }: Reads, bounds: QueryBounds) {
  const kept = createKeptAnswers(bounds.keptAnswers)
  const answers = new Map<string, Found | null | Promise<Found | null>>()
  let answersSeq = -1

  function keep(id: AnyOperationId, args: Arguments, request: string, found: Found | null): Found | null {
    if (answersSeq === newest().seq) answers.set(request, found)
    if (found === null || !KEPT.has(id)) return found
    kept.keep(
      newest().slot,
      id === 'snapshot' ? snapshotName(args.mint, args.fields) : `${id}/${args.mint}`,
      found.data,
    )
    return found
  }

  return {
    recall: (id: AnyOperationId, args: Arguments) => kept.recall(id, args, newest().slot),
    find(id: AnyOperationId, args: Arguments, request: string): Found | null | Promise<Found | null> {
      const { seq } = newest()
      if (answersSeq !== seq || answers.size >= bounds.renderedAnswers) {
        answers.clear()
        answersSeq = seq
      }
      const known = answers.get(request)
      if (known !== undefined) return known
      const asked = find(id, args)
      if (!(asked instanceof Promise)) return keep(id, args, request, asked)
      const late = asked.then((found) => keep(id, args, request, found))
      answers.set(request, late)
      // a failure is not kept, also if no call waits for it any more
      late.catch(() => answers.get(request) === late && answers.delete(request))
      return late
    },
  }
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
