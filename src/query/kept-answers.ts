import { SNAPSHOT_GROUPS, type SnapshotGroup } from '../contract/resources.ts'
import type { Recalled, Rendered } from './query.ts'

/**
 * Answers given, by the slot after which it was: the past is never worked out again, and so cannot become another. Kept in memory,
 * for as many answers as `max`.
 */
interface KeptAnswers {
  /** what is answered from now on after this slot; the last of a slot stays */
  keep(slot: number, name: string, rendered: Rendered): void
  /** of `what`, about one mint; undefined where it is not kept */
  find(slot: number, name: string): Rendered | undefined
  /** the earliest slot kept of it, -1 none */
  earliest(name: string): number
}

export function createKeptAnswers(max: number): KeptAnswers {
  /** oldest first */
  const kept = new Map<string, Rendered>()
  const slots = new Map<string, number[]>()

  function drop(key: string): void {
    kept.delete(key)
    const at = key.indexOf(' ')
    const name = key.slice(at + 1)
    const left = slots.get(name)!.filter((slot) => slot !== Number(key.slice(0, at)))
    if (left.length > 0) slots.set(name, left)
    else slots.delete(name)
  }

  return {
    keep(slot, name, rendered) {
      const key = `${slot} ${name}`
      if (!kept.has(key)) slots.set(name, [...(slots.get(name) ?? []), slot])
      kept.set(key, rendered)
      if (kept.size > max) drop(kept.keys().next().value!)
    },
    find: (slot, name) => kept.get(`${slot} ${name}`),
    earliest: (name) => slots.get(name)?.[0] ?? -1,
  }
}

export const snapshotName = (mint: string, groups: readonly SnapshotGroup[]): string =>
  `snapshot/${mint}/${groups.join()}`

/** Fills in the answer of then; the message of a 400 where it is not kept. `now`: the slot that may still be answered by reading. */
export function recallInto(kept: KeptAnswers, name: string, now: number, args: Recalled): string | null {
  const { at_slot } = args
  const found = kept.find(at_slot, name)
  if (found !== undefined) {
    args.kept = found
    return null
  }
  if (at_slot === now) return null
  const first = kept.earliest(name)
  const has = first < 0 ? 'no older answer is kept here' : `the earliest answer kept is of slot ${first}`
  return `at_slot ${at_slot} is not kept for this token: ${has}, the newest slot is ${now}`
}

/** A part of a whole snapshot that is kept. */
export function partOf(kept: KeptAnswers, { mint, fields, at_slot }: Recalled): Rendered | undefined {
  const whole = kept.find(at_slot, snapshotName(mint, SNAPSHOT_GROUPS))
  if (whole === undefined) return undefined
  const all = JSON.parse(whole.bytes.toString()) as Record<string, unknown>
  const bytes = Buffer.from(JSON.stringify(Object.fromEntries(fields.map((group) => [group, all[group]]))))
  return { bytes, renderedAt: whole.renderedAt, slot: whole.slot }
}
