import type { Caller } from '../../access/call.ts'
import type { Window } from '../../access/rate-limits/windows.ts'
import type { Client } from '../../access/x402/types.ts'

/** One HTTP request as its call sees it, and the values that the call passes back to the code that writes the answer. */
export interface Exchange {
  readonly requestId: string
  readonly caller: Caller
  /** the window in which the request was counted */
  readonly window: Window
  /** the answers that it is charged for */
  readonly answers: number
  readonly client: Client
  /** true if the message calls a tool; other messages have no tool result that could report a limit */
  readonly isCall: boolean
  /** the window that a refused payment exhausted */
  limited: Window | null
}
