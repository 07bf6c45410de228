import type { WatchRow } from '../access/sql/schema.ts'
import type { AlertSource, Batch } from './batch.ts'
import type { Happening } from './events.ts'
import { inSlices, type Slices } from './slices.ts'
import type { WatchIndex } from './watch-index.ts'

/** The colour of a token's score that a watch compares with: the first one it saw, or the last one it reported. */
export interface Shown {
  readonly colour: string
  readonly score: number
  /** The slot of the last report, or -1 if the watch has not reported a colour yet. */
  readonly slot: number
  /** The number of colours reported so far. */
  readonly count: number
}

/** Reads the colour from a watch's row. Null means the watch has not looked yet. */
export const shownOf = ({ colour, colour_score: score, colour_slot: slot, colours: count }: WatchRow): Shown | null =>
  colour === null || score === null || slot === null ? null : { colour, score, slot, count }

interface Asked extends Slices {
  readonly source: AlertSource
  readonly index: WatchIndex
  readonly shown: (watch: string) => Shown | null
  /** Tokens to look at even without a trade, each with the slot from which on it is due. */
  readonly waiting: Map<number, number>
  /**
   * `quietSlots` is the pause between two reports of a watch. `looks` limits the tokens looked at without a trade in one batch.
   */
  readonly quietSlots: number
  readonly looks: number
}

/** Finds the watched tokens to look at without a trade: new ones, and those whose pause is running. */
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

/** Returns the first slot at which one of these watches has to look again without a trade, or null if none has to. */
function dueOf(shown: readonly (Shown | null)[], slot: number, quiet: number): number | null {
  const ends = shown.flatMap((one) => {
    if (one === null) return [0]
    return one.slot >= 0 && one.slot + quiet > slot ? [one.slot + quiet] : []
  })
  return ends.length === 0 ? null : Math.min(...ends)
}

/**
 * Finds watched tokens whose colour has changed as of the newest block, among those that traded and those that are due. The
 * caller replaces the known colours by `changed` once it is stored.
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
      // The first look only sets the colour that later ones are compared with.
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
