import type { WatchRow } from '../access/sql/schema.ts'
import type { AlertSource, Batch } from './batch.ts'
import type { Happening } from './events.ts'
import { inSlices, type Slices } from './slices.ts'
import type { WatchIndex } from './watch-index.ts'

/** The colour of its token's score that a watch knows: the one it saw first, or the one it reported last. */
export interface Shown {
  readonly colour: string
  readonly score: number
  /** at which it was reported, -1: the watch has reported none yet */
  readonly slot: number
  /** colours reported so far */
  readonly count: number
}

/** What a watch knows as its row says; null: it has not looked yet. */
export const shownOf = ({ colour, colour_score: score, colour_slot: slot, colours: count }: WatchRow): Shown | null =>
  colour === null || score === null || slot === null ? null : { colour, score, slot, count }

interface Asked extends Slices {
  readonly source: AlertSource
  readonly index: WatchIndex
  readonly shown: (watch: string) => Shown | null
  /** tokens that are looked at without a trade, and the slot from which on */
  readonly waiting: Map<number, number>
  /** slots after a report in which a watch makes no other, and tokens looked at in one batch without a trade */
  readonly quietSlots: number
  readonly looks: number
}

/** Watched tokens to look at though they do not trade: those never looked at, and those whose quiet time is running. */
export function waitingTokens({ tokens }: WatchIndex, of: Asked['shown'], slot: number, quiet: number) {
  const waiting = new Map<number, number>()
  for (const [token, watches] of tokens) {
    const due = dueOf(
      watches.map(({ row }) => of(row.id)),
      slot,
      quiet,
    )
    if (due !== null) waiting.set(token, due)
  }
  return waiting
}

/** The first slot at which one of these has to look again without a trade; null: none has to. */
function dueOf(shown: readonly (Shown | null)[], slot: number, quiet: number): number | null {
  const ends = shown.flatMap((one) => {
    if (one === null) return [0]
    return one.slot >= 0 && one.slot + quiet > slot ? [one.slot + quiet] : []
  })
  return ends.length === 0 ? null : Math.min(...ends)
}

/**
 * Colours that watched tokens have come to as of the newest block: those that traded, and those whose time to be looked at has
 * come. `changed` replaces what the watches knew, once it is stored.
 */
export async function coloursOf({ lasts, next, time }: Batch, asked: Asked) {
  const { source, index, waiting, quietSlots, looks } = asked
  const found: Happening[] = []
  const changed = new Map<string, Shown>()
  const tokens = new Set(lasts.flatMap(({ token }) => (index.tokens.has(token) ? [token] : [])))
  const most = tokens.size + looks
  for (const [token, due] of waiting) {
    if (tokens.size >= most) break
    if (due <= next.slot) tokens.add(token)
  }
  await inSlices(tokens, asked, (id) => {
    waiting.delete(id)
    const seen = source.colour(id)
    if (seen === null) return
    const { colour, score, why } = seen
    const known = index.tokens.get(id)!.map(({ row: watch }) => {
      const before = asked.shown(watch.id)
      const isQuiet = before !== null && before.slot >= 0 && next.slot < before.slot + quietSlots
      if (before !== null && (before.colour === colour || isQuiet)) return before
      // the first look is what later ones are compared with
      const after =
        before === null
          ? { colour, score, slot: -1, count: watch.colours }
          : { colour, score, slot: next.slot, count: before.count + 1 }
      changed.set(watch.id, after)
      if (before === null) return after
      found.push({
        watch,
        event: 'colour_changed',
        key: `colour ${id} ${after.count}`,
        token: source.token(id),
        wallet: null,
        signature: null,
        slot: next.slot,
        time,
        why: { before: before.colour, after: colour, score_before: before.score, score, ...why },
      })
      return after
    })
    const due = dueOf(known, next.slot, quietSlots)
    if (due !== null) waiting.set(id, due)
  })
  return { found, changed }
}
