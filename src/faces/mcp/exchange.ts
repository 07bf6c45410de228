import type { Caller } from '../../access/call.ts'
import type { Window } from '../../access/limits/windows.ts'
import type { Client } from '../../access/x402/types.ts'

/** One HTTP request, as the call in it sees it, and what the call tells whoever writes the answer. */
export interface Exchange {
  readonly requestId: string
  readonly caller: Caller
  /** the request was counted in */
  readonly window: Window
  readonly client: Client
  /** the window that a refused payment ran over: the whole answer becomes a 429 */
  limited: Window | null
  /** of a paid call: to be told once whether the whole answer was handed to the kernel */
  delivered: ((whole: boolean, begun: boolean) => void) | null
}
