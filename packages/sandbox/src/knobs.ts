import { LIMITS } from '@ti/service/config/limits.ts'
import { RPC_CODE, RpcError } from './rpc-error.ts'

/**
 * What becomes of a `sendTransaction`:
 * - `none`: it lands at once
 * - `refuse`: an error, nothing accepted
 * - `drop`: accepted (the signature is answered) and never seen again
 * - `hold`: accepted; lands at `release()`, if its blockhash still lives then
 * - `hang`: no answer until `release()`; only then it is accepted
 * - `accept-then-fail`: lands, and the caller gets an error
 * - `accept-then-hang`: lands, and the caller gets no answer until `release()`
 */
export type SendFault = 'none' | 'refuse' | 'drop' | 'hold' | 'hang' | 'accept-then-fail' | 'accept-then-hang'

/** Faults for tests; each can be set at any time and stays until it is set back. */
export interface SandboxKnobs {
  sends: SendFault
  /** when a landed transaction counts as confirmed: at once, milliseconds later, or at `release()` */
  confirmations: 'now' | 'held' | number
  /** getSignatureStatuses knows nothing */
  hideStatuses: boolean
  /** methods that answer with an error */
  readonly reject: Set<string>
  /** runs before each call is carried out; what it throws becomes the answer */
  before: ((method: string, params: readonly unknown[]) => void | Promise<void>) | undefined
  /** calls so far by method, failed ones and those in batches too; methods that do not exist count as `unknown` */
  readonly calls: Record<string, number>
  /** sends that wait for `release()` */
  readonly waiting: number
  /** lets held sends and confirmations go; the knobs stay as they are */
  release(): void
}

/** What the chain itself needs besides. */
export interface Gate extends SandboxKnobs {
  /** resolves at `release()`, is refused at `shut()` */
  wait(): Promise<void>
  /** `run` at `release()`; never after `shut()` */
  later(run: () => void): void
  shut(): void
}

export function createGate(confirmHeld: () => void): Gate {
  let held: { go(): void; give(error: Error): void }[] = []
  const take = () => {
    const taken = held
    held = []
    return taken
  }
  const hold = (go: () => void, give: (error: Error) => void): void => {
    if (held.length >= LIMITS.sandbox.heldSends) throw new RpcError(RPC_CODE.internal, 'too many held sends')
    held.push({ go, give })
  }
  return {
    sends: 'none',
    confirmations: 'now',
    hideStatuses: false,
    reject: new Set(),
    before: undefined,
    calls: Object.create(null) as Record<string, number>,
    get waiting() {
      return held.length
    },
    release() {
      for (const { go } of take()) go()
      confirmHeld()
    },
    wait: () => new Promise<void>((resolve, reject) => hold(resolve, reject)),
    later: (run) => hold(run, () => {}),
    shut() {
      for (const { give } of take()) give(new RpcError(RPC_CODE.internal, 'the sandbox is closing'))
    },
  }
}
