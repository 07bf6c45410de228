import { createHash, randomBytes } from 'node:crypto'

export const RATES = {
  /** calls a minute (specification): a Pro key, an address with payments, an address without, a free key */
  pro: 600,
  paid: 600,
  unpaid: 60,
  free: 5,
}

/** subjects (keys, addresses) whose rate-limit window is held exactly, twice: about 100 bytes each; those beyond share
 * this many counters */
export const WINDOW_SUBJECTS = 100_000
const WINDOWS_SHARED = 4_096

/** A subject's fixed window after this call was counted. */
export interface Window {
  readonly allowed: boolean
  readonly limit: number
  /** calls left in the window */
  readonly remaining: number
  /** whole seconds until the next window, 1 to 60 */
  readonly resetS: number
  /** calls that were asked for at once and refused */
  readonly asked?: number
}

/** Counts calls per subject in fixed windows of a minute that start with the subject's first call. */
export interface Windows {
  /** counts `calls` of `subject` against `limit`. 0 only reads; negative numbers return places, never more than were taken */
  take(subject: string, limit: number, calls?: number): Window | Promise<Window>
}

/** milliseconds of a window: limits are calls a minute (specification) */
export const WINDOW_MS = 60_000

interface Count {
  startMs: number
  count: number
}

/** Derives a window from a count. */
export function windowOf(limit: number, count: number, startMs: number, nowMs: number): Window {
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    // fractions of a clock must not round the first moment up to 61
    resetS: Math.min(WINDOW_MS / 1000, Math.max(1, Math.ceil((startMs + WINDOW_MS - nowMs) / 1000))),
  }
}

/** A subject and its calls a minute. */
export interface Place {
  readonly subject: string
  readonly most: number
}

/**
 * Counts calls in one window after the other. Returns the window that refuses, or the one with the fewest calls left. Several calls
 * at once that one window refuses use up none.
 */
export function takeFrom(windows: Windows, places: readonly Place[], calls: number): Window | Promise<Window> {
  function refused(index: number, window: Window): Window | Promise<Window> {
    if (calls <= 1) return window
    const back = places.slice(0, index + 1).map(({ subject, most }) => windows.take(subject, most, -calls))
    const last = back[index]!
    const tell = (now: Window): Window => ({ ...now, allowed: false, asked: calls })
    return last instanceof Promise ? Promise.all(back).then((all) => tell(all[index]!)) : tell(last)
  }

  function from(index: number, nearest: Window | null): Window | Promise<Window> {
    const place = places[index]
    if (place === undefined) return nearest!
    const taken = windows.take(place.subject, place.most, calls)
    const next = (window: Window): Window | Promise<Window> => {
      if (!window.allowed) return refused(index, window)
      return from(index + 1, nearest === null || window.remaining < nearest.remaining ? window : nearest)
    }
    return taken instanceof Promise ? taken.then(next) : next(taken)
  }
  return from(0, null)
}

interface MemoryWindows extends Windows {
  take(subject: string, limit: number, calls?: number): Window
  /** subjects with a window of their own */
  readonly size: number
}

/**
 * Windows in memory. Two generations make expiry free. Beyond WINDOW_SUBJECTS, new subjects share counters by a keyed
 * hash: no subject exceeds the limit, and during a flood only strangers that share a counter get less.
 */
export function createMemoryWindows(now: () => number, bound: number = WINDOW_SUBJECTS): MemoryWindows {
  let young = new Map<string, Count>()
  let old = new Map<string, Count>()
  let turnedMs = now()
  const shared: Count[] = []
  const secret = randomBytes(16)

  function turn(nowMs: number): void {
    if (nowMs - turnedMs < WINDOW_MS) return
    // windows untouched for a whole minute are over
    old = nowMs - turnedMs < 2 * WINDOW_MS ? young : new Map()
    young = new Map()
    turnedMs = nowMs
  }

  function find(subject: string, nowMs: number): Count {
    const current = young.get(subject)
    if (current !== undefined) return current
    const known = old.get(subject)
    if (known !== undefined) {
      young.set(subject, known)
      return known
    }
    if (young.size >= bound) return sharedBy(subject, nowMs)
    const fresh = { startMs: nowMs, count: 0 }
    young.set(subject, fresh)
    return fresh
  }

  function sharedBy(subject: string, nowMs: number): Count {
    const digest = createHash('sha256').update(secret).update(subject).digest()
    const place = digest.readUInt32LE(0) % WINDOWS_SHARED
    shared[place] ??= { startMs: nowMs, count: 0 }
    return shared[place]
  }

  return {
    take(subject, limit, calls = 1) {
      const nowMs = now()
      turn(nowMs)
      const window = find(subject, nowMs)
      if (nowMs - window.startMs >= WINDOW_MS) {
        window.startMs = nowMs
        window.count = 0
      }
      window.count = Math.max(0, window.count + calls)
      return windowOf(limit, window.count, window.startMs, nowMs)
    },
    get size() {
      return young.size + old.size
    },
  }
}
