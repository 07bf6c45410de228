import { pause } from '../../base/clock.ts'

/** Nominal seconds of a slot. */
const SLOT_SECONDS = 0.4

/**
 * Waits until a block is due when material of the past is played at `speed` times real time. Block times are whole
 * seconds, so blocks of one second are spread by their slots. Being late is caught up without waiting.
 */
export function createPlayback(
  speed: number,
): (slot: number, time: number, signal: AbortSignal) => Promise<void> | undefined {
  let started = -1
  let startTime = 0
  let second = -1
  let slotOfSecond = 0
  return (slot, time, signal) => {
    if (speed === 0) return undefined
    if (time > second) {
      second = time
      slotOfSecond = slot
    }
    const moment = second + Math.min((slot - slotOfSecond) * SLOT_SECONDS, 1)
    if (started < 0) {
      started = performance.now()
      startTime = moment
    }
    const wait = started + ((moment - startTime) * 1000) / speed - performance.now()
    return wait < 1 ? undefined : pause(wait, signal)
  }
}
