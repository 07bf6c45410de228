import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

type Json = Record<string, unknown>

export interface ToolResult {
  readonly isError?: boolean
  readonly structuredContent?: Json
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly _meta?: Json
}

export interface ListedTool {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: { readonly properties?: Json }
  readonly outputSchema?: object
  readonly annotations?: Json
}

/** What the tests need of a client, whatever its version. */
export interface TestClient {
  listTools(): Promise<readonly ListedTool[]>
  callTool(name: string, args: Json, meta?: Json): Promise<ToolResult>
  close(): Promise<void>
}

const WHO = { name: 'test', version: '1' }

async function connectV1(url: URL, headers: Record<string, string>): Promise<TestClient> {
  const client = new ClientV1(WHO)
  await client.connect(new TransportV1(url, { requestInit: { headers } }) as Parameters<ClientV1['connect']>[0])
  return {
    listTools: async () => (await client.listTools()).tools as readonly ListedTool[],
    callTool: async (name, args, meta) =>
      (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })) as ToolResult,
    close: () => client.close(),
  }
}

async function connectV2(url: URL, headers: Record<string, string>, mode: Mode): Promise<TestClient> {
  const client = new Client(WHO, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return {
    listTools: async () => (await client.listTools()).tools as readonly ListedTool[],
    callTool: async (name, args, meta) =>
      (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })) as ToolResult,
    close: () => client.close(),
  }
}

type Mode = 'legacy' | { readonly pin: string }

/** Three official clients: the one most people have, and the current one in both eras of the protocol. */
export const CLIENTS: Record<string, (url: URL, headers: Record<string, string>) => Promise<TestClient>> = {
  'client 1': connectV1,
  'client 2, 2025 era': (url, headers) => connectV2(url, headers, 'legacy'),
  'client 2, 2026 era': (url, headers) => connectV2(url, headers, { pin: '2026-07-28' }),
}
