/** milliseconds by which the clock may differ from the monotonic one between two looks: it is slewed by far less */
const JUMP_MS = 2_000
/** milliseconds for which a jump is shown */
const SHOWN_MS = 600_000

export interface ClockJump {
  /** positive: forwards, or the machine slept */
  readonly seconds: number
  /** RFC 3339, by the clock after the jump */
  readonly at: string
}

/** Compares the system's clock with the monotonic one: after a jump, ages, waits and "behind the chain" are wrong by as much. */
export function createClockWatch(wall: () => number = Date.now, steady = () => performance.now()) {
  let offset = wall() - steady()
  let last: { readonly jump: ClockJump; readonly at: number } | null = null
  let jumps = 0
  return {
    /** Returns the jump since the last look; null for none. */
    look(): ClockJump | null {
      const before = offset
      offset = wall() - steady()
      if (Math.abs(offset - before) < JUMP_MS) return null
      jumps++
      const jump = { seconds: Math.round((offset - before) / 1_000), at: new Date(wall()).toISOString() }
      last = { jump, at: steady() }
      return jump
    },
    /** the last jump within SHOWN_MS; null for none */
    recent: (): ClockJump | null => (last !== null && steady() - last.at < SHOWN_MS ? last.jump : null),
    /** since the start */
    get jumps(): number {
      return jumps
    },
  }
}

export const processClock = createClockWatch()
