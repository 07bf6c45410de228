import { EXIT, OperatorError } from '../../base/errors.ts'
import { REQUESTS_PER_SECOND, REQUESTS_PER_SECOND_MAX } from '../../observe/outbound/json-rpc.ts'
import type { FeedMode } from './feed.ts'

/** The addresses in `rpc:ADDRESS`. They may carry a key, so no message repeats them. */
interface RpcSpec {
  readonly url: URL
  readonly wsUrl: URL | null
  readonly modes: readonly FeedMode[]
  readonly requestsPerSecond: number
}

const MODES: Readonly<Record<string, readonly FeedMode[]>> = {
  auto: ['blocks', 'logs'],
  blocks: ['blocks'],
  logs: ['logs'],
  poll: [],
}

const refuse = (message: string): OperatorError => new OperatorError(message, { exitCode: EXIT.usage })

/**
 * `https://HOST/…?ws=wss://…&rps=20&mode=auto`: the node's address, and in its query, which goes to the node without them,
 * our own options. Without `ws` the WebSocket is at the same address; at the port after it where the address names one, as
 * nodes have it. Options alone (`?mode=poll`, or nothing) belong to the address `secretUrl`.
 */
export function parseRpcSpec(text: string, secretUrl?: string): RpcSpec {
  const bare = text === '' || text.startsWith('?')
  if (bare && secretUrl === undefined)
    throw refuse('source rpc: needs an address: rpc:https://HOST, or SOURCE_RPC_URL, which is shown nowhere')
  const url = addressOf(bare ? secretUrl! : text)
  const options = takeOptions(url)
  if (bare) for (const [name, value] of takeOptions(new URL(`http://options/${text}`))) options.set(name, value)
  const mode = options.get('mode') ?? 'auto'
  const modes = Object.hasOwn(MODES, mode) ? MODES[mode]! : null
  if (modes === null) throw refuse(`source rpc: mode takes one of ${Object.keys(MODES).join(', ')}, not "${mode}"`)
  const rps = Number(options.get('rps') ?? REQUESTS_PER_SECOND)
  if (!(rps >= 0.1 && rps <= REQUESTS_PER_SECOND_MAX))
    throw refuse(`source rpc: rps takes a number from 0.1 to ${REQUESTS_PER_SECOND_MAX}`)
  const ws = options.get('ws')
  const wsUrl = ws === undefined ? derived(url) : URL.canParse(ws) ? new URL(ws) : null
  if (wsUrl === null || !/^wss?:$/.test(wsUrl.protocol)) throw refuse('source rpc: ws takes a ws or wss address')
  return { url, wsUrl: modes.length === 0 ? null : wsUrl, modes, requestsPerSecond: rps }
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse('source rpc: takes an http or https address: rpc:https://HOST')
  return url
}

/** Takes ours out of the query and leaves the rest as it was written. */
function takeOptions(url: URL): Map<string, string> {
  const options = new Map<string, string>()
  const rest: string[] = []
  for (const part of url.search.slice(1).split('&')) {
    const [name, value] = [...new URLSearchParams(part)][0] ?? []
    if (name === 'ws' || name === 'rps' || name === 'mode') options.set(name, value ?? '')
    else if (part !== '') rest.push(part)
  }
  url.search = rest.join('&')
  return options
}

function derived(url: URL): URL {
  const ws = new URL(url)
  ws.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  if (url.port !== '') ws.port = String(Number(url.port) + 1)
  return ws
}
