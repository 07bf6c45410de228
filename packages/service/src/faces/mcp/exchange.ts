import type { Caller } from '../../access/call.ts'
import type { Window } from '../../access/rate-limits/windows.ts'
import type { Client } from '../../access/x402/types.ts'

/** One HTTP request, as the call in it sees it, and what the call passes to the code that writes the answer. */
export interface Exchange {
  readonly requestId: string
  readonly caller: Caller
  /** the request was counted in */
  readonly window: Window
  readonly client: Client
  /** a tool is called; false: what comes has no result that could say more than the protocol does */
  readonly isCall: boolean
  /** the window that a refused payment ran over */
  limited: Window | null
  /** of a paid call: called once: whether the whole answer was handed to the kernel */
  delivered: ((whole: boolean, begun: boolean) => void) | null
}
