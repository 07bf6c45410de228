import type { Tool as Definition } from '@modelcontextprotocol/server'
import { type Endpoint, isFree, methodOf } from '@ti/core/contract/endpoints.ts'
import { priceText } from '@ti/core/contract/openapi.ts'
import { PARAMETERS, type ParameterName } from '@ti/core/contract/parameters.ts'
import { SAID } from '@ti/core/contract/scalars.ts'
import { BATCH_SHORT, DETAILS, type Detail, TOOL_ROWS, type ToolRow } from '@ti/core/contract/tools.ts'
import type { Operation, QueryParameters } from '@ti/core/query/operations.ts'
import { z } from 'zod'
import { argumentsOf } from '../arguments.ts'
import type { Json } from './payment.ts'

/** The endpoint table's tools: built once, the same for every request. */
export interface Tools {
  /** as `tools/list` shows them */
  readonly definitions: readonly Definition[]
  /** null: there is no such tool */
  call(name: unknown, given: Json): ToolCall | null
}

export interface ToolCall {
  readonly tool: string
  readonly operation: Operation
  readonly argument: string
  readonly query: QueryParameters
  /** message of a 400; null: the operation checks its own arguments */
  readonly problem: string | null
  /** items of each list of the answer; null: as many as fit; Infinity: all */
  readonly most: number | null
  /** how to get what does not fit */
  readonly more: string
}

const isPaged = ({ endpoint }: Operation): boolean => endpoint.parameters.includes('limit')

interface Tool {
  readonly name: string
  readonly row: ToolRow
  readonly operation: Operation
  readonly windows: Operation | null
  readonly paged: Operation | null
  /** those of the operation and of its pages, and `limit` */
  readonly parameters: readonly ParameterName[]
  readonly details: readonly Detail[]
}

/** Only for clients that read on: a model has no use for them. */
const UNLISTED: ReadonlySet<string> = new Set(['min_slot', 'at_slot'])

const X_PAYMENT = z.string().optional().meta({ description: 'x402 payment: base64 of its JSON.' })
const LIMIT = z.int().min(1).max(100).optional()
const PAGE_LIMIT = LIMIT.meta({ description: 'Items a page.' })
const LIST_LIMIT = LIMIT.meta({ description: 'Items of each list; as many as fit 8,000 tokens when omitted.' })

const detailOf = (details: readonly Detail[]) =>
  z.enum(details).optional().meta({ description: '`full`: nothing left out, however long.' })

function createTool(name: string, row: ToolRow, operations: readonly Operation[]): Tool {
  const found = (id: string | undefined) => operations.find(({ endpoint }) => endpoint.id === id) ?? null
  const operation = found(row.operation)!
  const paged = found(row.paged)
  const own = (paged ?? operation).endpoint.parameters
  const hasLimit = !row.isShort && !own.includes('mints')
  return {
    ...{ name, row, operation, paged, windows: found(row.windows) },
    parameters: hasLimit ? [...new Set([...own, 'limit' as const])] : own,
    details: row.windows === undefined ? ['short', 'full'] : DETAILS,
  }
}

/** The parameters' own code checks arguments and reports errors; this schema only shows clients the expected input. */
function inputOf({ row, operation, paged, parameters, details }: Tool, payable: boolean): z.ZodObject {
  const limit = isPaged(paged ?? operation) ? PAGE_LIMIT : LIST_LIMIT
  const listed = parameters.filter((name) => !UNLISTED.has(name))
  return z.object({
    ...Object.fromEntries(listed.map((name) => [name, name === 'limit' ? limit : PARAMETERS[name].schema])),
    ...((!row.isShort || row.windows) && { detail: detailOf(details) }),
    ...(payable && { x_payment: X_PAYMENT }),
  })
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/** JSON Schema without the parts that tell a client nothing: the bounds of a safe integer, a date's long pattern. */
function schemaOf(type: z.ZodType): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  return { ...schema, type: 'object' }
}

function priceOf(endpoint: Endpoint, payable: boolean): string {
  if (isFree(endpoint)) return 'Free.'
  if (!payable) return 'Needs an API key.'
  return `${priceText(endpoint.priceUnits)} a ${methodOf(endpoint) === 'POST' ? 'token found' : 'call'}.`
}

function definitionOf(tool: Tool, payable: boolean): Definition {
  const { endpoint } = tool.operation
  return {
    name: tool.name,
    title: endpoint.summary,
    description: `${tool.row.text} ${SAID} ${priceOf(endpoint, payable)}`,
    inputSchema: schemaOf(inputOf(tool, payable && !isFree(endpoint))) as Definition['inputSchema'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  }
}

const MORE = '`limit` for longer lists, `detail: "full"` for everything; each is a call of its own'
const MORE_OF_PAGE = 'the same page with a smaller `limit`: the next one begins after what is left out'

function callOf(tool: Tool, given: Json): ToolCall {
  const detail = given.detail ? String(given.detail) : 'short'
  const { argument, query } = argumentsOf(tool, given)
  const asksPage = query.limit !== undefined || query.cursor !== undefined
  const operation = (detail === 'windows' ? tool.windows : asksPage ? tool.paged : null) ?? tool.operation
  const more = isPaged(operation) ? MORE_OF_PAGE : MORE
  const call = (problem: string | null, most: number | null = null): ToolCall => {
    return { tool: tool.name, operation, argument, query, problem, most, more }
  }
  if (!(tool.details as readonly string[]).includes(detail)) return call(`detail must be ${tool.details.join(' or ')}`)
  if (detail === 'full') return call(null, Infinity)
  const { mints, limit } = query
  const { defaults } = tool.row
  for (const name of operation.endpoint.parameters) query[name] ??= defaults?.[name]
  if (mints !== undefined && [mints].flat().length > BATCH_SHORT)
    return call(`mints has ${mints.length} items: at most ${BATCH_SHORT} fit, up to 50 with detail "full"`)
  if (limit === undefined) return call(null)
  if (isPaged(operation)) return call(null, Infinity)
  const parsed = PARAMETERS.limit.parse(limit)
  return parsed.ok ? call(null, parsed.value) : call(parsed.message)
}

/** `payable`: calls can be paid for one by one. */
export function createTools(operations: readonly Operation[], payable: boolean): Tools {
  const tools = new Map(Object.entries(TOOL_ROWS).map(([name, row]) => [name, createTool(name, row, operations)]))
  return {
    definitions: [...tools.values()].map((tool) => definitionOf(tool, payable)),
    call(name, given) {
      const tool = tools.get(name as string)
      return tool === undefined ? null : callOf(tool, given)
    },
  }
}
