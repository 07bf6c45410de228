import type { TradeRow } from '@ti/core/model/rows.ts'
import type { AlertSource } from './batch.ts'
import { type ConditionIndex, createConditionIndex, type Known } from './condition-index.ts'
import type { Happening } from './events.ts'
import type { Watched } from './watch-index.ts'

export const CONDITION_WORK = {
  /** milliseconds a slot, one percent of it, that conditions may take of the thread that folds, and those of two slots in one turn */
  msPerSlot: 4,
  msKept: 8,
  /** milliseconds that a long evaluation is paid back with: a thread that was held up is not the conditions' fault */
  msOwed: 20,
  /** conditions that are reported in one turn: alerts of some 10 µs each */
  metPerTurn: 500,
  /** bytes of what tokens were reported for, one bit a condition: 5,000 tokens with 100,000 conditions */
  knownBytes: 64 * 1_024 * 1_024,
  /** slots since its launch during which a token is new: an hour */
  newSlots: 9_000,
}

const NOTHING: Known = new Uint32Array(0)

interface Asked {
  readonly source: AlertSource
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number
  readonly bounds?: Readonly<typeof CONDITION_WORK>
}

/**
 * Evaluates conditions on new tokens that traded, the one that waits longest first, as long as the time lasts. A token that has to wait is
 * evaluated later, as of the newest block then.
 */
export interface Conditions extends Pick<ConditionIndex, 'add' | 'rename' | 'remove' | 'prepare'> {
  /** The token of this trade has to be looked at. */
  traded(row: TradeRow): void
  /** The number of tokens that wait. */
  readonly waiting: number
  /** The number of the first trade that no look has followed yet, or null if no token waits. */
  readonly from: number | null
  /** Gives the time of these slots. */
  earn(slots: number): void
  /** Returns the conditions that are met. */
  work(): Happening[]
}

export function createConditions({ source, now, bounds = CONDITION_WORK }: Asked): Conditions {
  let index = createConditionIndex()
  /** Tokens with the first and the last trade since they were looked at, oldest first. */
  const waiting = new Map<number, { readonly from: number; last: TradeRow }>()
  /** The conditions that each token has met. The token evaluated last is last. */
  const known = new Map<number, Known>()
  let knownBytes = 0
  let credit = 0

  function keep(token: number, now: Known): void {
    forget(token)
    known.set(token, now)
    knownBytes += now.byteLength
    for (const oldest of known.keys()) {
      if (knownBytes <= bounds.knownBytes) break
      forget(oldest)
    }
  }

  function forget(token: number): void {
    knownBytes -= known.get(token)?.byteLength ?? 0
    known.delete(token)
  }

  /** Leaves removed conditions behind. What is reported again is known by its id. */
  function renew(watches: readonly Watched[]): void {
    index = createConditionIndex()
    known.clear()
    knownBytes = 0
    for (const watched of watches) index.add(watched)
  }

  function look({ last }: { readonly last: TradeRow }, most: number): Happening[] {
    const { no, slot, time } = last
    const token = source.token(last.token)
    if (!token.createdKnown || source.globals.slot - token.createdSlot > bounds.newSlots) return []
    const values = source.values(token.id)
    if (values === null) return []
    const found = index.met(known.get(token.id) ?? NOTHING, values, no, most)
    keep(token.id, found.known)
    return found.met.map(({ watched, fields }) => ({
      watch: watched.row,
      event: 'condition_met',
      key: `token ${token.id}`,
      ...{ token, wallet: null, signature: null, slot, time },
      why: Object.fromEntries(fields.map((field) => [field, values[field]!])),
    }))
  }

  return {
    add: (watched) => index.add(watched),
    rename: (watched) => index.rename(watched),
    prepare: () => index.prepare(),
    remove(watch) {
      index.remove(watch)
      if (index.isWorn) renew(index.all())
    },
    traded(last) {
      if (index.size === 0) return
      const waits = waiting.get(last.token)
      if (waits === undefined) waiting.set(last.token, { from: last.no, last })
      else waits.last = last
    },
    get waiting() {
      return waiting.size
    },
    get from() {
      for (const { from } of waiting.values()) return from
      return null
    },
    earn(slots) {
      credit = Math.min(credit + slots * bounds.msPerSlot, bounds.msKept)
    },
    work() {
      const met: Happening[] = []
      let beganMs = now()
      for (const [token, one] of waiting) {
        if (credit <= 0 || met.length === bounds.metPerTurn) break
        met.push(...look(one, bounds.metPerTurn - met.length))
        const ms = now()
        credit = Math.max(credit - (ms - beganMs), -bounds.msOwed)
        beganMs = ms
        // a full turn may have left some
        if (met.length < bounds.metPerTurn) waiting.delete(token)
      }
      return met
    },
  }
}
