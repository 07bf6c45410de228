import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Clock } from '@ti/service/base/clock.ts'

/** Turns of the event loop without anything new, after which time moves on to the next timer. */
const IDLE_TURNS = 3

/** A clock that stands still while anything is being done and jumps when everyone waits. */
export interface VirtualClock extends Clock {
  stop(): void
}

interface Timer {
  readonly at: number
  readonly ring: () => void
}

/** `busy`: something is under way that no timer is needed for; time stands still until it has come. */
export function createVirtualClock(startMs: number, busy = (): boolean => false): VirtualClock {
  let now = startMs
  let running = true
  const timers: Timer[] = []
  async function drive(): Promise<void> {
    while (running) {
      for (let turn = 0; turn < IDLE_TURNS; turn = busy() ? 0 : turn + 1)
        await (busy() ? setTimeout(1) : setImmediate())
      const next = timers.shift()
      if (next === undefined) continue
      now = Math.max(now, next.at)
      next.ring()
    }
    for (const { ring } of timers.splice(0)) ring()
  }
  void drive()
  return {
    now: () => now,
    sleep: (ms, signal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted || !running) return resolve()
        const timer = { at: now + ms, ring }
        function ring(): void {
          signal.removeEventListener('abort', cancel)
          resolve()
        }
        function cancel(): void {
          timers.splice(timers.indexOf(timer), 1)
          resolve()
        }
        signal.addEventListener('abort', cancel, { once: true })
        let place = timers.length
        while (place > 0 && timers[place - 1]!.at > timer.at) place--
        timers.splice(place, 0, timer)
      }),
    stop: () => {
      running = false
    },
  }
}
