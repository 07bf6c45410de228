import type { Logger } from '../base/log.ts'
import type { RegisteredPayments } from '../config/kinds.ts'

/** A chain of play money inside the process. The service is its fee payer. */
export interface PlayChain {
  readonly rpcUrl: string
  /** wallet that is paid, base58 */
  readonly seller: string
  /** 64 bytes */
  readonly feePayerSecret: Uint8Array
  /** The signature of a transfer of play money that names an account's reference. */
  pay(reference: string, lamports: bigint): string
  close(): Promise<void>
}

/** A kind of payments that another package brings; PAYMENTS names it. */
export interface PaymentsKind {
  readonly mode: RegisteredPayments
  /** `seller`: PAY_TO; `mint`: of the money */
  start(options: { readonly logger: Logger; readonly seller?: string; readonly mint: string }): Promise<PlayChain>
}

const kinds = new Map<string, PaymentsKind>()

export const addPaymentsKind = (kind: PaymentsKind): void => void kinds.set(kind.mode, kind)
export const paymentsKind = (mode: string): PaymentsKind | undefined => kinds.get(mode)
