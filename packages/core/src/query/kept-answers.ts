import type { AnyOperationId } from '../contract/endpoints.ts'
import type { Parsed } from '../contract/parameters.ts'
import { SNAPSHOT_GROUPS, type SnapshotGroup } from '../contract/resources.ts'
import type { AtSlot, Rendered } from './query.ts'

/**
 * Answers given, by the slot after which it was: the past is never worked out again, and so cannot become another. Kept in memory,
 * for as many answers as `max`.
 */
interface KeptAnswers {
  /** what is answered from now on after this slot; the last of a slot stays */
  keep(slot: number, name: string, rendered: Rendered): void
  /** What an operation answered after `at_slot`; null: that is the newest slot, `now`, and it has not answered yet. */
  recall(id: AnyOperationId, args: AtSlot, now: number): Parsed<Rendered | null>
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

  const find = (slot: number, name: string): Rendered | undefined => kept.get(`${slot} ${name}`)

  /** Groups of a whole snapshot that is kept. */
  function partOfWhole({ mint, fields, at_slot }: AtSlot): Rendered | undefined {
    const whole = find(at_slot, snapshotName(mint, SNAPSHOT_GROUPS))
    if (whole === undefined) return undefined
    const all = JSON.parse(whole.bytes.toString()) as Record<string, unknown>
    const bytes = Buffer.from(JSON.stringify(Object.fromEntries(fields.map((group) => [group, all[group]]))))
    return { bytes, renderedAt: whole.renderedAt, slot: whole.slot }
  }

  return {
    keep(slot, name, rendered) {
      const key = `${slot} ${name}`
      if (!kept.has(key)) slots.set(name, [...(slots.get(name) ?? []), slot])
      kept.set(key, rendered)
      if (kept.size > max) drop(kept.keys().next().value!)
    },
    recall(id, args, now) {
      const { mint, fields, at_slot } = args
      const isSnapshot = id === 'snapshot'
      const name = isSnapshot ? snapshotName(mint, fields) : `${id}/${mint}`
      const found = find(at_slot, name) ?? (isSnapshot ? partOfWhole(args) : undefined)
      if (found !== undefined || at_slot === now) return { ok: true, value: found ?? null }
      const first = slots.get(name)?.[0]
      const has = first === undefined ? 'no older answer is kept here' : `the earliest answer kept is of slot ${first}`
      const message = `at_slot ${at_slot} is not kept for this token: ${has}, the newest slot is ${now}`
      return { ok: false, message }
    },
  }
}

export const snapshotName = (mint: string, groups: readonly SnapshotGroup[]): string =>
  `snapshot/${mint}/${groups.join()}`
