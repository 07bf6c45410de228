import { plainLine } from '@ti/core/base/plain-text.ts'
import { createRpcClient, QUICK_TIMEOUT_MS, type RpcFailed } from '../observe/outbound/json-rpc.ts'
import { PAYMENTS_IN_FLIGHT } from './x402/in-flight.ts'

/** bytes of a node's answer */
export const ANSWER_BYTES = 8 << 20

/** One call of a Solana node's JSON-RPC; answers its `result`, throws RpcFailure. */
export type SolanaRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

/** Hides the node's address, which may contain a key. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  /** the node's error code; null without an answer */
  readonly code: number | null

  constructor(method: string, why: string, code: number | null = null) {
    super(`${method}: ${why}`)
    this.code = code
  }
}

interface SolanaRpcOptions {
  readonly url: string
  readonly timeoutMs?: number
}

/** characters of a node's message that are repeated */
const MESSAGE_LENGTH = 200

/** Calls of which none is repeated: the callers know whether that is safe. */
export function createSolanaRpc({ url, timeoutMs = QUICK_TIMEOUT_MS }: SolanaRpcOptions): SolanaRpc {
  const client = createRpcClient({
    url: new URL(url),
    timeoutMs,
    bytesMax: ANSWER_BYTES,
    requestsPerSecond: null,
    connections: PAYMENTS_IN_FLIGHT.all,
  })
  return async (method, params) => {
    const answer = await client.call(method, params, new AbortController().signal, { attempts: 1 })
    if (answer.ok) return answer.result
    throw new RpcFailure(method, whyOf(answer, timeoutMs), answer.code)
  }
}

function whyOf({ reason, message }: RpcFailed, timeoutMs: number): string {
  if (message !== undefined) return plainLine(message, MESSAGE_LENGTH)
  if (reason === 'timeout') return `no answer within ${timeoutMs} ms`
  if (reason === 'limited') return 'the node has had too many requests'
  return reason === 'unreachable' ? 'the node cannot be reached' : 'the answer is not JSON-RPC, or too large'
}
