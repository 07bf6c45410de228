import { ACCOUNT_ROWS, described } from './account-endpoints.ts'
import { ALL_ENDPOINTS, type Endpoint, isFree, methodOf } from './endpoints.ts'
import { GUIDES } from './guides.ts'
import { placeOf, priceText } from './openapi.ts'
import { PARAMETERS } from './parameters.ts'
import { SAID } from './scalars.ts'
import { OWN_TOPIC, STREAM_EVENTS, TOPICS, type Topic } from './streams.ts'
import { TOOL_ROWS, type ToolRow } from './tools.ts'

/** The parameters of an operation as `mint, fields?`, optional ones marked. */
const argumentsOf = ({ parameters }: Endpoint): string =>
  parameters.map((name) => (PARAMETERS[name].schema.safeParse(undefined).success ? `${name}?` : name)).join(', ')

function costOf(endpoint: Endpoint): string {
  if (isFree(endpoint)) return 'free'
  return priceText(endpoint.priceUnits) + (methodOf(endpoint) === 'POST' ? ' a token found' : '')
}

function operation(url: string, endpoint: Endpoint): string {
  const placed = (place: string): string =>
    endpoint.parameters
      .filter((name) => placeOf(endpoint, name) === place)
      .map((name) => `\`${name}\``)
      .join(', ')
  const [query, body] = [placed('query'), placed('body')]
  const asked = `${query && `, optional query ${query}`}${body && `, JSON body with ${body}`}`
  return `- \`${methodOf(endpoint)} ${url}${endpoint.path}\` (${costOf(endpoint)}${asked}): ${endpoint.description}`
}

function tool([name, row]: readonly [string, ToolRow]): string {
  const endpoint: Endpoint = ALL_ENDPOINTS.find(({ id }) => id === row.operation)!
  return `- \`${name}(${argumentsOf(endpoint)})\` (${costOf(endpoint)}): ${row.text}`
}

const STREAM_MEANINGS: Readonly<Record<Topic, string>> = {
  'tokens:live': 'what happens to tokens: created, metadata, duplication, graduated, listing paid',
  'frames:live': 'every trade, the trades of a transaction together',
  'verdicts:live': 'every change of the colour of a verdict',
}

/**
 * The overview for language models, `/llms.txt`: the service, its operations with prices, and access. `url` is the
 * public address without a trailing slash; if empty, links are relative.
 */
export function llmsText(url: string): string {
  const endpoints: readonly Endpoint[] = ALL_ENDPOINTS
  return `# Token Intelligence API

> Who is behind a memecoin on Solana: quality scores, coordinated wallet groups, holder behaviour, the record of traders
> and deployers. Read-only. No prices, charts or order routing.

Every success is \`{ data, meta }\`, every error \`{ error }\`. Colours: green, yellow, red; neutral means no reading yet and
is not a pass. ${SAID}

## Access
Two ways, on every operation and tool:
- A Pro key: \`Authorization: Bearer sk_live_…\`, from ${url}/account. Never charged per call; 600 calls a minute.
- x402, no account: call without a key, take the offer of the 402 (V2: header \`PAYMENT-REQUIRED\`, V1: body), sign the USDC
  transfer, repeat the call with \`PAYMENT-SIGNATURE\` (V2) or \`X-PAYMENT\` (V1). Errors and empty lists are never charged.

## Operations
${endpoints.map((endpoint) => operation(url, endpoint)).join('\n')}

## Tools
MCP over HTTP at ${url}/mcp. The key in the Authorization header, or a payment in the argument \`x_payment\`; without
either a tool answers with the x402 offer.
${Object.entries(TOOL_ROWS).map(tool).join('\n')}

## Streams
With a key: Phoenix Channels (vsn 2.0.0) over a WebSocket at ${url}/socket/websocket, as \`wss:\` or \`ws:\`; the key in the Authorization
header. Or server-sent events: \`GET ${url}/v1/stream?topic=TOPIC\`, \`Last-Event-ID\` resumes. A Pro key has no limit of time, a free one 20 minutes an hour.
${TOPICS.map((topic) => `- \`${topic}\`, event \`${STREAM_EVENTS[topic]}\`: ${STREAM_MEANINGS[topic]}`).join('\n')}
- \`token:MINT\`, event \`token_event\`: what happens to one token, its changes of verdict among it
- \`${OWN_TOPIC}\`, event \`alert\`: the alerts of your account
Join: \`["1","1","frames:live","phx_join",{}]\`; heartbeat every 25 s: \`[null,"2","phoenix","heartbeat",{}]\`. Every message has a \`seq\`;
join with \`{"after_seq":N}\` to receive everything after N first, drop what is not greater.
\`{"filter":"colour == \\"green\\""}\` (or \`&filter=\`) selects messages. The guide says more.

## Account
With a key of any plan, free of charge, bodies in JSON. Keys themselves are made by whoever signs in (${url}/account).
${ACCOUNT_ROWS.filter(([, { access }]) => access === 'key')
  .map(([, endpoint]) => `- \`${endpoint.method} ${url}${endpoint.path}\` ${described(endpoint)}`)
  .join('\n')}

## More
- [OpenAPI 3.1](${url}/openapi.json): every field, error and header
${Object.entries(GUIDES)
  .map(([name, { title, about }]) => `- [${title}](${url}/docs/${name}.md): ${about}`)
  .join('\n')}
- [Reference](${url}/docs): the same document as a page
- [Prices for x402 catalogues](${url}/.well-known/x402), [entry for MCP registries](${url}/server.json)
- [Account](${url}/account): keys and subscription
`
}
