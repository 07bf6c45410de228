import { setTimeout as pause } from 'node:timers/promises'

const LEDGER_WRITES = {
  /** milliseconds for which the write of a payment's outcome is retried while the database fails, and pause between two
   * tries: shorter than its lease, after which every node may look for itself */
  retryMs: 90_000,
  pauseMs: 1_000,
  /** writes retried at once, some kB each: four times as many as payments are worked on */
  waiting: 1_024,
}

/** Retries writes about payments while the ledger does not answer. */
export interface LedgerWrites {
  /** the write's result, or its last error after LEDGER_WRITES.retryMs, with too many waiting, or once stopped */
  write<T>(run: () => Promise<T>): Promise<T>
  /** ends all retries */
  stop(): void
}

export type LedgerWriteBounds = Readonly<typeof LEDGER_WRITES>

export function createLedgerWrites(bounds: LedgerWriteBounds = LEDGER_WRITES): LedgerWrites {
  let waiting = 0
  let stopped = false

  async function again<T>(run: () => Promise<T>, first: unknown): Promise<T> {
    let error = first
    for (const end = performance.now() + bounds.retryMs; performance.now() < end && !stopped; ) {
      // nothing is lost if the process ends: the lease expires and the poller of open payments takes over
      await pause(bounds.pauseMs)
      try {
        return await run()
      } catch (thrown) {
        error = thrown
      }
    }
    throw error
  }

  return {
    async write(run) {
      try {
        return await run()
      } catch (error) {
        if (waiting >= bounds.waiting) throw error
        waiting++
        return await again(run, error).finally(() => {
          waiting--
        })
      }
    },
    stop() {
      stopped = true
    },
  }
}
