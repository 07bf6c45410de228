import { setMaxListeners } from 'node:events'
import { count, createCounts } from '@ti/core/base/counts.ts'
import type { Bucket } from '../base/bucket.ts'
import type { Logger } from '../base/log.ts'
import { createAttempts, type Pause } from './attempts.ts'
import type { Surroundings } from './clock.ts'
import type { Observer } from './types.ts'

/** subjects an observer asks the world for in every round, and now and then, so that those at the top who rest do not
 * hide those below: some hours of launches; milliseconds between two such long lists, which cost more */
const LOOK_FIRST = 128
const LOOK = 8_192
const DEEP_MS = 5_000
/** milliseconds between two rounds, and before a subject is tried again for which there was no place */
export const ROUND_MS = 500
const BUSY_MS = 3_000
/** subjects an observer remembers, some 150 bytes each: every launch of half a day */
const REMEMBERED = 20_000

/**
 * The outcome of a request about a subject; `as` is its counter.
 * - reported: a fact was reported; if the state does not have it after a while, it is requested again
 * - notYet: a valid answer that may change later
 * - failed: after a bounded number in a row the subject is given up and stays unknown
 * - busy: not the subject's fault; retried soon
 * - never: no later request can change the answer
 */
export interface Outcome {
  readonly end: 'reported' | 'notYet' | 'failed' | 'busy' | 'never'
  readonly as: string
}

export interface AskerOptions<S> {
  readonly name: string
  /** the subjects whose facts are missing, most important first */
  readonly list: (limit: number) => readonly S[]
  readonly subject: (item: S) => string
  readonly look: (item: S, signal: AbortSignal) => Promise<Outcome>
  readonly together: number
  /** a request takes one of these */
  readonly budget?: Bucket
  /** every second request goes to the subject that has waited longest, so that newcomers do not use up a short budget */
  readonly fair?: boolean
  readonly pauses: { readonly failed: Pause; readonly notYet?: Pause }
  readonly failuresMax: number
  readonly logger: Logger
  readonly around: Surroundings
}

interface Due<S> {
  readonly item: S
  readonly since: number
}

/** After a fact was reported, until the state has it. */
const REPORTED: Pause = { firstMs: 120_000, factor: 4, longestMs: 3_600_000 }

/**
 * An observer without a queue of its own. Whenever it has capacity, it asks the state which facts are still unknown and
 * takes subjects that are not in back-off. After a restart they are requested again, because the state still lacks them.
 */
export function createAsker<S>(options: AskerOptions<S>): Observer {
  const { name, list, subject, look, together, budget, pauses, failuresMax, logger, around } = options
  const attempts = createAttempts(REMEMBERED, around)
  const counts = createCounts()
  const flying = new Map<string, Promise<void>>()
  const stop = new AbortController()
  // one request may query several places
  setMaxListeners(together * 4, stop.signal)
  let deeper: readonly S[] = []
  let deepAt = -Infinity
  let waiting = 0
  let turn = 0
  let cancel = (): void => {}

  const dueOf = (items: readonly S[]): Due<S>[] =>
    items.flatMap((item) => {
      const since = flying.has(subject(item)) ? null : attempts.dueSince(subject(item))
      return since === null ? [] : [{ item, since }]
    })

  /** The top of the list in every round; due subjects further down are searched now and then. */
  function due(): Due<S>[] {
    const top = list(LOOK_FIRST)
    if (top.length < LOOK_FIRST) deeper = []
    else if (around.clock.ms() >= deepAt) {
      deeper = dueOf(list(LOOK).slice(top.length)).map(({ item }) => item)
      deepAt = around.clock.ms() + DEEP_MS
    }
    return dueOf([...top, ...deeper])
  }

  function next(candidates: Due<S>[]): S {
    let at = 0
    if (options.fair === true && turn++ % 2 === 1) {
      const again = candidates.filter(({ since }) => since > -Infinity)
      const oldest = again.reduce((a, b) => (b.since < a.since ? b : a), again[0] ?? candidates[0]!)
      at = candidates.indexOf(oldest)
    }
    return candidates.splice(at, 1)[0]!.item
  }

  function round(): void {
    try {
      const candidates = due()
      while (candidates.length > 0 && flying.size < together && (budget === undefined || budget.take())) {
        begin(next(candidates), candidates)
      }
      waiting = candidates.length
    } catch (error) {
      count(counts, 'round_failed')
      logger.error({ observer: name, error }, 'an observer could not read what is still unknown')
    }
    cancel = around.clock.after(ROUND_MS, round)
  }

  function begin(item: S, candidates: Due<S>[]): void {
    const id = subject(item)
    // the same wallet may be wanted for several tokens
    for (let i = candidates.length - 1; i >= 0; i--) if (subject(candidates[i]!.item) === id) candidates.splice(i, 1)
    const flight = look(item, stop.signal).then(
      (outcome) => end(id, outcome),
      (error: unknown) => {
        if (!stop.signal.aborted) logger.error({ observer: name, error }, 'an observer failed')
        end(id, { end: 'failed', as: 'fault' })
      },
    )
    flying.set(
      id,
      flight.finally(() => flying.delete(id)),
    )
  }

  function end(id: string, { end, as }: Outcome): void {
    if (stop.signal.aborted) return
    count(counts, as)
    if (end === 'busy') return attempts.wait(id, BUSY_MS)
    if (end === 'never') return attempts.giveUp(id)
    if (end === 'reported') return attempts.rest(id, REPORTED)
    if (end === 'notYet') return attempts.rest(id, pauses.notYet ?? pauses.failed)
    if (attempts.fail(id, pauses.failed) < failuresMax) return
    count(counts, 'given_up')
    attempts.giveUp(id)
  }

  return {
    start: round,
    async close() {
      stop.abort()
      cancel()
      await Promise.allSettled(flying.values())
    },
    status: () => ({ name, waiting, inFlight: flying.size, counts }),
  }
}
