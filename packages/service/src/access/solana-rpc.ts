import { z } from 'zod'
import { boundedText, parseJson } from '../base/bounded-text.ts'
import { LIMITS } from '../config/limits.ts'

/** One call of a Solana node's JSON-RPC; answers its `result`, throws RpcFailure. */
export type SolanaRpc = (method: string, params: readonly unknown[]) => Promise<unknown>

/** What went wrong, without the node's address: it may carry a key. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  /** the node's own error code, null where it did not get to answer */
  readonly code: number | null

  constructor(method: string, why: string, code: number | null = null, cause?: unknown) {
    super(`${method}: ${why}`, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

interface SolanaRpcOptions {
  readonly url: string
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}

const Answer = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
})

/** characters of a node's message that are repeated */
const MESSAGE_LENGTH = 200

export function createSolanaRpc(options: SolanaRpcOptions): SolanaRpc {
  const { url, fetch: send = fetch, timeoutMs = LIMITS.rpcTimeoutMs } = options
  let id = 0

  async function post(method: string, body: string): Promise<string> {
    const headers = { 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const response = await send(url, { method: 'POST', headers, body, signal, redirect: 'error' })
      // an error of the node may come with any status; a body that is not JSON is reported by its status
      return (await boundedText(response.body ?? noBytes(), LIMITS.rpcAnswerBytes)) ?? ''
    } catch (error) {
      const timedOut = (error as Error).name === 'TimeoutError'
      throw new RpcFailure(method, timedOut ? `no answer within ${timeoutMs} ms` : 'the node cannot be reached', null)
    }
  }

  return async (method, params) => {
    const text = await post(method, JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }))
    const parsed = Answer.safeParse(parseJson(text))
    if (!parsed.success) throw new RpcFailure(method, 'the answer is not JSON-RPC, or too large')
    const { error, result } = parsed.data
    if (error !== undefined) {
      const said = error.message.slice(0, MESSAGE_LENGTH).replace(/[\p{C}]/gu, ' ')
      throw new RpcFailure(method, said, error.code)
    }
    if (result === undefined) throw new RpcFailure(method, 'the answer has no result')
    return result
  }
}

async function* noBytes(): AsyncIterable<Uint8Array> {}
