import { z } from 'zod'
import { parseJson } from '../base/bounded-text.ts'
import type { Bucket } from '../base/bucket.ts'
import type { Clock } from './clock.ts'
import { QUICK_TIMEOUT_MS } from './outbound/json-rpc.ts'
import type { Outbound } from './outbound/outbound.ts'

/** bytes of a node's answer, and milliseconds of pause after too many requests */
const ANSWER_BYTES = 4 << 20
export const PAUSE_MS = 30_000

type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

/** One JSON-RPC call within the budget: it waits for its turn, and ends with the signal. */
export type BudgetedRpc = ReturnType<typeof createBudgetedRpc>

interface BudgetedRpcOptions {
  /** may carry a key: never shown */
  readonly url: string
  readonly outbound: Outbound
  readonly budget: Bucket
  readonly clock: Clock
}

const ENVELOPE = z.object({ result: z.unknown().optional(), error: z.object({ code: z.number() }).optional() })

export function createBudgetedRpc({ url, outbound, budget, clock }: BudgetedRpcOptions) {
  let id = 0
  return {
    async call<T>(
      method: string,
      params: readonly unknown[],
      schema: z.ZodType<T>,
      signal: AbortSignal,
    ): Promise<Answer<T>> {
      await turn(budget, clock, signal)
      if (signal.aborted) return { ok: false, reason: 'closed' }
      const answer = await outbound.get({
        url,
        namedBy: 'operator',
        signal,
        purpose: 'rpc',
        accept: ['application/json'],
        bytesMax: ANSWER_BYTES,
        timeoutMs: QUICK_TIMEOUT_MS,
        json: JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params }),
      })
      if (!answer.ok) {
        if (answer.reason === 'rate') budget.pause(PAUSE_MS)
        return answer
      }
      const envelope = ENVELOPE.safeParse(parseJson(answer.bytes.toString()))
      if (!envelope.success) return { ok: false, reason: 'malformed' }
      if (envelope.data.error !== undefined) return { ok: false, reason: 'rpc_error' }
      const result = schema.safeParse(envelope.data.result)
      return result.success ? { ok: true, value: result.data } : { ok: false, reason: 'malformed' }
    },
  }
}

/** Resolves when a request may go, or when the signal aborts. */
async function turn(budget: Bucket, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !budget.take()) {
    await new Promise<void>((done) => {
      const cancel = clock.after(Math.max(1, budget.waitMs()), finish)
      function finish(): void {
        cancel()
        signal.removeEventListener('abort', finish)
        done()
      }
      signal.addEventListener('abort', finish, { once: true })
    })
  }
}
