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

const NEW: Attempt = { looks: 0, failures: 0, dueAt: -Infinity }

/**
 * The memory of requested subjects. It is bounded: the least recent one is dropped first, at the price of one early
 * request. Pauses are random between half and all of their length, so that simultaneous failures are not retried
 * simultaneously.
 */
export function createAttempts(max: number, { clock, random }: Surroundings) {
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
    /** since when it may be requested (again): null not now, -Infinity never requested before */
    dueSince(subject: string): number | null {
      const { dueAt } = of(subject)
      return dueAt <= clock.ms() ? dueAt : null
    },
    /** after a good answer: rests longer with each */
    rest(subject: string, pause: Pause): void {
      const looks = of(subject).looks + 1
      put(subject, { looks, failures: 0, dueAt: afterTimes(pause, looks) })
    },
    /** rests longer with each failure in a row; answers how many there were */
    fail(subject: string, pause: Pause): number {
      const { looks, failures } = of(subject)
      put(subject, { looks, failures: failures + 1, dueAt: afterTimes(pause, failures + 1) })
      return failures + 1
    },
    /** rests `ms`, and nothing is counted */
    wait(subject: string, ms: number): void {
      put(subject, { ...of(subject), dueAt: inAbout(ms) })
    },
    giveUp(subject: string): void {
      put(subject, { ...of(subject), dueAt: Infinity })
    },
    get size(): number {
      return attempts.size
    },
  }
}
