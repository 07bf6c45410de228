import { readFileSync } from 'node:fs'
import { constants, type NodeGCPerformanceDetail, PerformanceObserver } from 'node:perf_hooks'

/** A piece of work that blocked the event loop, in milliseconds. */
export interface Held {
  readonly ms: number
  /** Wall time. */
  readonly wallMs: number
  /** Wall time of minor garbage collections, and of steps of major ones. */
  readonly youngMs: number
  readonly allMs: number
  readonly what: string
}

/** Measures consecutive pieces of work and their share of garbage collection. */
export interface Turns {
  /** Measures until the returned function is called with the name of the work. */
  start(): (what: string) => void
  /** Everything since the last call, longest first. Collections are reported one turn later. */
  take(): Held[]
  close(): void
}

interface Spent {
  readonly from: number
  readonly to: number
  readonly ms: number
  readonly what: string
}

/**
 * The time of a turn is the smaller of two: wall time without waiting for a processor, and the process's CPU time. If
 * the system does not report the wait, wall time counts in full.
 */
export function watchTurns(): Turns {
  const collections: { readonly at: number; readonly ms: number; readonly isYoung: boolean }[] = []
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { startTime: at, duration: ms, detail } = entry as typeof entry & { detail: NodeGCPerformanceDetail }
      collections.push({ at, ms, isYoung: detail.kind === constants.NODE_PERFORMANCE_GC_MINOR })
    }
  })
  observer.observe({ entryTypes: ['gc'] })
  const spent: Spent[] = []
  const collecting = ({ from, to }: Spent, young: boolean): number =>
    collections.reduce((sum, { at, ms, isYoung }) => (isYoung === young && at >= from && at < to ? sum + ms : sum), 0)
  return {
    start() {
      const [from, used, waited] = [performance.now(), process.cpuUsage(), waitedMs()]
      return (what) => {
        const to = performance.now()
        const { user, system } = process.cpuUsage(used)
        spent.push({ from, to, what, ms: Math.min(to - from - (waitedMs() - waited), (user + system) / 1_000) })
      }
    },
    take() {
      const all = spent.map((one) => {
        const [youngMs, allMs] = [collecting(one, true), collecting(one, false)]
        return { ms: one.ms, wallMs: one.to - one.from, youngMs, allMs, what: one.what }
      })
      spent.length = 0
      collections.length = 0
      return all.sort((a, b) => b.ms - a.ms)
    },
    close: () => observer.disconnect(),
  }
}

const SCHEDULING = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds for which the main thread was runnable without a processor. */
function waitedMs(): number {
  try {
    return Number(readFileSync(SCHEDULING, 'latin1').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}

export const describeHeld = ({ ms, wallMs, youngMs, allMs, what }: Held): string =>
  `${ms.toFixed(1)} ms (${what}; ${wallMs.toFixed(1)} of the clock, collecting young garbage ${youngMs.toFixed(1)}, all of it ${allMs.toFixed(1)})`
