import {
  createMcpHandler,
  type Implementation,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { INSTRUCTIONS } from '@ti/core/contract/guidance.ts'
import type { RunTool } from './calls.ts'
import type { Exchange } from './exchange.ts'
import { createGuidance } from './guidance.ts'
import { wholeResult } from './results.ts'
import type { Tools } from './tools.ts'
import type { WatchTools } from './watch-tools.ts'

/** milliseconds a client may keep lists and guides: they change with a release only */
const KEPT_MS = 3_600_000
const KEPT = [
  ...(['tools/list', 'server/discover', 'prompts/list'] as const),
  ...(['resources/list', 'resources/templates/list', 'resources/read'] as const),
]

/** Takes one JSON-RPC message and returns one complete HTTP answer. */
interface Serving {
  /** `headers` are the protocol's; `signal` fires when the client hangs up, and the promise may then reject */
  serve(message: unknown, headers: Headers, exchange: Exchange, signal: AbortSignal): Promise<Response>
  close(): Promise<void>
}

interface ServingOptions {
  readonly tools: Tools
  readonly run: RunTool
  /** null: there are no watches */
  readonly watches: WatchTools | null
  /** calls can be paid for one by one */
  readonly payable: boolean
  readonly identity: Implementation
  /** receives errors that the SDK reports outside its answers; their messages may repeat client input */
  readonly onError: (error: Error) => void
}

const PAYING = `A call without an API key answers with an x402 offer in structuredContent: pay it and send the payment as \
x_payment (base64) or _meta["x402/payment"]. A payment is taken only for an answer with data; the receipt is in \
_meta["x402/payment-response"].`
const KEYS_ONLY = 'Send an API key as `Authorization: Bearer <key>`.'

export const identityOf = (websiteUrl: string): Implementation => ({
  name: 'token-intelligence',
  title: 'Token Intelligence',
  version: '1.0.0',
  websiteUrl,
})

/**
 * Serves both protocol eras on one path: the SDK's handler serves the stateless revision of 2026, our own transport that of
 * 2025 because the handler would answer that era with event streams where a single JSON body suffices.
 */
export function createServing({ tools, run, watches, payable, identity, onError }: ServingOptions): Serving {
  const exchanges = new WeakMap<Request, Exchange>()
  const kept = { ttlMs: KEPT_MS, cacheScope: 'public' } as const
  const options = {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: `${INSTRUCTIONS} ${payable ? PAYING : KEYS_ONLY}`,
    cacheHints: Object.fromEntries(KEPT.map((method) => [method, kept])),
  }
  const guide = createGuidance(identity.websiteUrl ?? '')

  /** The low-level server: schemas are built once, and our own code checks arguments and reports errors. */
  function serverFor(exchange: Exchange): Server {
    const server = new Server(identity, options)
    guide(server)
    server.setRequestHandler('tools/list', () => ({ tools: [...tools.definitions, ...(watches?.definitions ?? [])] }))
    server.setRequestHandler('tools/call', ({ params }) => {
      const watching = watches?.call(params.name, params.arguments ?? {}, exchange)
      if (watching != null) return watching
      const call = tools.call(params.name, params.arguments ?? {})
      if (call === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'unknown tool: tools/list names them')
      return run(call, exchange).then(wholeResult)
    })
    return server
  }

  const modern = createMcpHandler(({ requestInfo }) => serverFor(exchanges.get(requestInfo!)!), {
    legacy: 'reject',
    onerror: onError,
  })

  async function serveLegacy(request: Request, parsedBody: unknown, exchange: Exchange): Promise<Response> {
    const server = serverFor(exchange)
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    try {
      await server.connect(transport)
      server.onerror = onError
      return await transport.handleRequest(request, { parsedBody })
    } finally {
      await server.close()
    }
  }

  return {
    async serve(message, headers, exchange, signal) {
      const request = new Request('http://mcp.invalid/mcp', { method: 'POST', headers, signal })
      exchanges.set(request, exchange)
      const gone = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      const answer = (await isLegacyRequest(request, message))
        ? serveLegacy(request, message, exchange)
        : modern.fetch(request, { parsedBody: message })
      return Promise.race([answer, gone])
    },
    close: () => modern.close(),
  }
}
