import { RPC_CODE, RpcError } from './rpc-error.ts'

/** sends that wait for a test to release them */
const HELD_SENDS = 100

/**
 * Outcomes of a `sendTransaction`:
 * - `none`: lands at once
 * - `refuse`: returns an error; the transaction is not accepted
 * - `drop`: accepted (returns the signature), but never lands
 * - `hold`: accepted; lands at `release()` if its blockhash is still valid
 * - `hang`: no answer until `release()`, and accepted only then
 * - `accept-then-fail`: lands, but returns an error
 * - `accept-then-hang`: lands, but does not answer until `release()`
 */
export type SendFault = 'none' | 'refuse' | 'drop' | 'hold' | 'hang' | 'accept-then-fail' | 'accept-then-hang'

/** Faults for tests; each stays until it is reset. */
export interface SandboxKnobs {
  sends: SendFault
  /** When a landed transaction counts as confirmed: at once, milliseconds later, or at `release()`. */
  confirmations: 'now' | 'held' | number
  /** getSignatureStatuses returns nothing. */
  hideStatuses: boolean
  /** Methods that answer with an error. */
  readonly reject: Set<string>
  /** Runs before each call; a thrown error becomes the answer. */
  before: ((method: string, params: readonly unknown[]) => void | Promise<void>) | undefined
  /** Calls so far by method, including failed ones and those in batches; nonexistent methods count as `unknown`. */
  readonly calls: Record<string, number>
  /** Sends waiting for `release()`. */
  readonly waiting: number
  /** Releases held sends and confirmations; the settings stay. */
  release(): void
}

/** Further functions for the chain itself. */
export interface Gate extends SandboxKnobs {
  /** Resolves at `release()`, rejects at `shut()`. */
  wait(): Promise<void>
  /** Runs `run` at `release()`; never after `shut()`. */
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
    if (held.length >= HELD_SENDS) throw new RpcError(RPC_CODE.internal, 'too many held sends')
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
