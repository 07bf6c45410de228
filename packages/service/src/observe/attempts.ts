import type { Surroundings } from './clock.ts'

/** The pause of a subject after an outcome. */
export interface Pause {
  readonly firstMs: number
  /** each further one is longer by this factor, up to `longestMs` */
  readonly factor: number
  readonly longestMs: number
}

interface Attempt {
  readonly looks: number
  /** in a row */
  readonly failures: number
  /** clock's ms from which it may be requested again; Infinity: not again in this process */
  readonly dueAt: number
}

/**
 * The memory of requested subjects. It is bounded: the least recent one is dropped first, at the price of one early
 * request. Pauses are random between half and all of their length, so that simultaneous failures are not retried
 * simultaneously.
 */
interface Attempts {
  /** since when it may be requested (again): null not now, -Infinity never requested before */
  dueSince(subject: string): number | null
  /** after a good answer: rests longer with each */
  rest(subject: string, pause: Pause): void
  /** rests longer with each failure in a row; answers how many there were */
  fail(subject: string, pause: Pause): number
  /** rests `ms`, and nothing is counted */
  wait(subject: string, ms: number): void
  giveUp(subject: string): void
  readonly size: number
}

const NEW: Attempt = { looks: 0, failures: 0, dueAt: -Infinity }

export function createAttempts(max: number, { clock, random }: Surroundings): Attempts {
  const attempts = new Map<string, Attempt>()
  const of = (subject: string): Attempt => attempts.get(subject) ?? NEW

  function put(subject: string, attempt: Attempt): void {
    attempts.delete(subject)
    if (attempts.size >= max) attempts.delete(attempts.keys().next().value!)
    attempts.set(subject, attempt)
  }
  const inAbout = (ms: number): number => clock.ms() + ms * (0.5 + random() / 2)
  const afterTimes = ({ firstMs, factor, longestMs }: Pause, times: number): number =>
    inAbout(Math.min(longestMs, firstMs * factor ** (times - 1)))

  return {
    dueSince(subject) {
      const { dueAt } = of(subject)
      return dueAt <= clock.ms() ? dueAt : null
    },
    rest(subject, pause) {
      const looks = of(subject).looks + 1
      put(subject, { looks, failures: 0, dueAt: afterTimes(pause, looks) })
    },
    fail(subject, pause) {
      const { looks, failures } = of(subject)
      put(subject, { looks, failures: failures + 1, dueAt: afterTimes(pause, failures + 1) })
      return failures + 1
    },
    wait(subject, ms) {
      put(subject, { ...of(subject), dueAt: inAbout(ms) })
    },
    giveUp(subject) {
      put(subject, { ...of(subject), dueAt: Infinity })
    },
    get size() {
      return attempts.size
    },
  }
}
