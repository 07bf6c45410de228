import { z } from 'zod'
import { ALL_ENDPOINTS, type Endpoint, isFree, methodOf, PRICED_ENDPOINTS } from './endpoints.ts'
import { EXAMPLE_ADDRESSES } from './examples.ts'
import { ANSWERS, BATCH_EXAMPLES } from './examples-who.ts'
import { placeOf } from './openapi.ts'
import { PARAMETERS, type ParameterName } from './parameters.ts'
import { PAYMENT } from './resources.ts'

/** Entries for service catalogues: of x402 (`bazaar` in an offer, `/.well-known/x402`) and of MCP (`/server.json`). */

type JsonSchema = Readonly<Record<string, unknown>>

function schemaOf(names: readonly ParameterName[]): JsonSchema {
  const shape = z.object(Object.fromEntries(names.map((name) => [name, PARAMETERS[name].schema])))
  const { $schema: _, additionalProperties: __, ...schema } = z.toJSONSchema(shape, { io: 'input' })
  return schema
}

/** A well-formed value for each path parameter; it need not exist. */
const EXAMPLE: Partial<Record<ParameterName, string>> = {
  ...{ mint: EXAMPLE_ADDRESSES.mint, address: EXAMPLE_ADDRESSES.trader, wallet: EXAMPLE_ADDRESSES.trader, id: '0' },
}

const exampleOf = (names: readonly ParameterName[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (EXAMPLE[name] === undefined ? [] : [[name, EXAMPLE[name]]])))

const text = (value: string) => ({ type: 'string', const: value })

/** bytes of an extension with the answer's example: base64 of the offer stays below 3.4 kB, and all headers of the answer below the
 * 4 kB that proxies take. Longer examples are in `/.well-known/x402` only */
const EXTENSION_BYTES = 1_950

/** An extension: its data and their schema. */
function extension(input: JsonSchema, properties: JsonSchema, example?: object) {
  const output = example && { type: 'json', example }
  const ofOutput = {
    type: 'object',
    properties: { type: text('json'), example: { type: 'object' } },
    required: ['type'],
  }
  return {
    info: { input, ...(output && { output }) },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: { type: 'object', properties, required: Object.keys(input), additionalProperties: false },
        ...(output && { output: ofOutput }),
      },
      required: ['input'],
    },
  }
}

function httpExtension(endpoint: Endpoint) {
  const placed = (place: string) => endpoint.parameters.filter((name) => placeOf(endpoint, name) === place)
  const [path, query, body] = [placed('path'), placed('query'), placed('body')]
  const method = methodOf(endpoint)
  const input = {
    ...{ type: 'http', method },
    ...(path.length > 0 && { pathParams: exampleOf(path) }),
    ...(body.length > 0 ? { bodyType: 'json', body: BATCH_EXAMPLES.batch.asked } : { queryParams: {} }),
  }
  const properties = {
    ...{ type: text('http'), method: text(method) },
    ...(path.length > 0 && { pathParams: schemaOf(path) }),
    ...(body.length > 0 ? { bodyType: text('json'), body: schemaOf(body) } : { queryParams: schemaOf(query) }),
  }
  const routeTemplate = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  const [whole, short] = [ANSWERS[endpoint.id], undefined].map((example) => ({
    ...extension(input, properties, example),
    ...(path.length > 0 && { routeTemplate }),
  }))
  return JSON.stringify(whole).length <= EXTENSION_BYTES ? whole : short
}

function toolExtension(endpoint: Endpoint, tool: string) {
  const inputSchema = schemaOf(endpoint.parameters)
  const input = { type: 'mcp', toolName: tool, transport: 'streamable-http', inputSchema }
  const properties = {
    ...{ type: text('mcp'), toolName: text(tool), transport: text('streamable-http'), inputSchema: { type: 'object' } },
  }
  return extension(input, properties)
}

/** Extensions of each operation's V2 offers, per face; built once. */
const EXTENSIONS = new Map(
  (ALL_ENDPOINTS as readonly Endpoint[]).map((endpoint) => [
    endpoint.id,
    {
      http: { bazaar: httpExtension(endpoint) },
      mcp: endpoint.tool === null ? {} : { bazaar: toolExtension(endpoint, endpoint.tool) },
    },
  ]),
)

export const extensionsOf = ({ id }: Pick<Endpoint, 'id'>, face: 'http' | 'mcp'): object => EXTENSIONS.get(id)![face]

/**
 * `/.well-known/x402`: addresses that answer a plain GET with an offer, every operation with its price, and where payments go.
 */
export function wellKnown(url: string, payments: { readonly asset?: string; readonly network?: string }): object {
  const filled = ({ path }: Endpoint): string =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => EXAMPLE[name as ParameterName]!)
  const { symbol, decimals } = PAYMENT
  const { asset = PAYMENT.asset, network = PAYMENT.network.v2 } = payments
  return {
    version: 1,
    resources: PRICED_ENDPOINTS.map((endpoint) => url + filled(endpoint)),
    instructions: `${url}/llms.txt`,
    x402Versions: [1, 2],
    openapi: `${url}/openapi.json`,
    mcp: `${url}/mcp`,
    payments,
    operations: (ALL_ENDPOINTS as readonly Endpoint[])
      .filter((endpoint) => !isFree(endpoint))
      .map((endpoint) => ({
        ...{ method: methodOf(endpoint), url: url + endpoint.path, tool: endpoint.tool, description: endpoint.summary },
        price: { amount: String(endpoint.priceUnits), asset, symbol, decimals, network },
        per: methodOf(endpoint) === 'POST' ? 'token found' : 'call',
        example: ANSWERS[endpoint.id],
      })),
  }
}

/** Reverses a host name, as registries name publishers. IP addresses cannot be reversed. */
function publisherOf(url: string): string {
  const hostname = URL.canParse(url) ? new URL(url).hostname : '127.0.0.1'
  return /^[\d.]+$|^\[/.test(hostname) ? 'localhost' : hostname.split('.').reverse().join('.')
}

/** `/server.json` in the format of MCP registries (schema 2025-12-11). `url` is the service's public address. */
export const serverJson = (url: string): object => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: `${publisherOf(url)}/token-intelligence`,
  title: 'Token Intelligence',
  description: 'Who is behind a Solana memecoin: coordinated wallets, holders, deployer, verdict.',
  version: '1.0.0',
  websiteUrl: url,
  remotes: [
    {
      type: 'streamable-http',
      url: `${url}/mcp`,
      headers: [
        {
          ...{ name: 'Authorization', isRequired: false, isSecret: true },
          description: '`Bearer` and an API key. Left out, each call is paid for with x402.',
        },
      ],
    },
  ],
})
