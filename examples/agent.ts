// An agent over MCP: it finds the newest tokens and warns of those in one hand. Its plan is a rule, so that it runs without a
// model; a model gets the same tools from `listTools` and calls them the same way.
//
//   TI_URL=http://127.0.0.1:4000 TI_KEY=sk_live_… npx tsx examples/agent.ts
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { TokenCards, TokenSnapshotAnswer } from '@token-intelligence/client'

const { TI_URL = 'http://127.0.0.1:4000', TI_KEY } = process.env
const client = new Client({ name: 'example-agent', version: '1.0.0' })
await client.connect(
  new StreamableHTTPClientTransport(new URL('/mcp', TI_URL), {
    ...(TI_KEY !== undefined && { requestInit: { headers: { authorization: `Bearer ${TI_KEY}` } } }),
  }),
)
const { tools } = await client.listTools()
console.log(`tools: ${tools.map(({ name }) => name).join(', ')}`)

async function use<T>(name: string, args: Record<string, unknown> = {}): Promise<T> {
  const { content, isError } = await client.callTool({ name, arguments: args })
  const [said] = content as { text: string }[]
  if (isError === true) throw new Error(`${name}: ${said!.text}`)
  return JSON.parse(said!.text) as T
}

const { data: cards } = await use<TokenCards>('list_new_tokens')
for (const { mint, symbol } of cards.slice(0, 3)) {
  const { data } = await use<TokenSnapshotAnswer>('scan_token', { mint, fields: 'bundles,score,ratings' })
  const { owned_pct_supply: bundled = 0, count = 0 } = data.bundles ?? {}
  const verdict = data.ratings?.score === 'green' ? 'looks fine' : `is rated ${data.ratings?.score}`
  console.log(`${symbol}: ${count} bundles own ${bundled}% of supply; it ${bundled > 25 ? 'is in one hand' : verdict}`)
}
await client.close()
