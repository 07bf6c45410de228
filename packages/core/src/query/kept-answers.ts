import type { AnyOperationId } from '../contract/endpoints.ts'
import type { Parsed } from '../contract/parameters.ts'
import { SNAPSHOT_GROUPS, type SnapshotGroup } from '../contract/resources.ts'
import type { Arguments } from './operations.ts'
import type { Rendered } from './query.ts'

/** The arguments of a historical answer. */
type AtSlot = Readonly<Pick<Arguments, 'mint' | 'fields' | 'at_slot'>>

/** Caches up to `max` answers by slot, so that an answer for `at_slot` is never recomputed and cannot change. */
interface KeptAnswers {
  /** Stores an answer for this slot; the last one of a slot stays. */
  keep(slot: number, name: string, rendered: Rendered): void
  /** The answer after `at_slot`; null if that is the newest slot, `now`, and was not answered yet. */
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

  /** Groups cut from a cached whole snapshot. */
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
