import type { Tool as Definition } from '@modelcontextprotocol/server'
import { type Endpoint, isFree, methodOf } from '@ti/core/contract/endpoints.ts'
import { PARAMETERS } from '@ti/core/contract/parameters.ts'
import { SAID } from '@ti/core/contract/scalars.ts'
import type { Operation } from '@ti/core/query/operations.ts'
import { z } from 'zod'

/** The endpoint table's tools: built once, the same for every request. */
export interface Tools {
  /** as `tools/list` shows them */
  readonly definitions: readonly Definition[]
  readonly byName: ReadonlyMap<string, Operation>
}

const X_PAYMENT = z.string().optional().meta({
  description:
    'Optional payment with x402 (V1 or V2): base64 of the JSON payload. A call without key and payment answers with the offer.',
})

/** The parameters' own code checks arguments and reports errors; this schema only shows clients the expected input. */
const inputOf = (endpoint: Endpoint, payable: boolean): z.ZodObject =>
  z.object({
    ...Object.fromEntries(endpoint.parameters.map((name) => [name, PARAMETERS[name].schema])),
    ...(payable && { x_payment: X_PAYMENT }),
  })

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

const dollars = (units: number): string => `$${(units / 1_000_000).toFixed(2)}`

function definitionOf(name: string, endpoint: Endpoint, payable: boolean): Definition {
  const price = isFree(endpoint)
    ? 'Free.'
    : `${dollars(endpoint.priceUnits)} a ${methodOf(endpoint) === 'POST' ? 'token found' : 'call'} in USDC with x402, or nothing with an API key.`
  const missing = endpoint.notFound === null ? '' : ` Answers \`not_found\`, free of charge, when ${endpoint.notFound}.`
  return {
    name,
    title: endpoint.summary,
    description: `${endpoint.description} ${SAID}${missing} ${payable || isFree(endpoint) ? price : 'Needs an API key.'}`,
    inputSchema: schemaOf(inputOf(endpoint, payable && !isFree(endpoint))) as Definition['inputSchema'],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  }
}

/** `payable`: calls can be paid for one by one. */
export function createTools(operations: readonly Operation[], payable: boolean): Tools {
  const byName = new Map<string, Operation>()
  for (const operation of operations) {
    if (operation.endpoint.tool !== null) byName.set(operation.endpoint.tool, operation)
  }
  return { byName, definitions: [...byName].map(([name, { endpoint }]) => definitionOf(name, endpoint, payable)) }
}
