import { DUP, type DupField } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { type Fold, schedule } from './fold.ts'
import type { StateReader } from './state.ts'
import type { Moment } from './trade.ts'

/** Knows the earliest token with each normalised name, link or image (methodology, section 1). */
export interface FirstUses {
  /** Records a use and returns the token that was the first before; `token` itself if none was. */
  take(field: DupField, norm: string, token: number): number
  readonly added: { readonly field: DupField; readonly norm: string; readonly token: number }[]
  committed(): void
}

export function createFirstUses(reader: StateReader): FirstUses {
  const pending = new Map<string, number>()
  const added: FirstUses['added'] = []
  return {
    take(field, norm, token) {
      const key = `${field}\n${norm}`
      const known = pending.get(key) ?? reader.firstUse(field, norm)
      if (known !== undefined && known <= token) return known
      pending.set(key, token)
      added.push({ field, norm, token })
      return known ?? token
    },
    added,
    committed() {
      pending.clear()
      added.length = 0
    },
  }
}

/**
 * Compares one value of a token with those of all others. Ids follow the order of creation in the chain, so the token with
 * the higher one is the copy, whichever fact came first. An empty or missing value is never a duplicate.
 */
export function compare(fold: Fold, { dup, id }: Token, field: DupField, norm: string | null, now: Moment): void {
  const first = norm === null || norm === '' ? id : fold.firstUses.take(field, norm, id)
  dup[field] = first < id ? DUP.yes : DUP.no
  if (first > id) correct(fold, first, field, now)
}

/** The token that was the first so far turns out to be a copy. All later ones already are. */
function correct(fold: Fold, id: number, field: DupField, now: Moment): void {
  const live = fold.tokens.byId(id)
  const { token } = live
  token.dup[field] = DUP.yes
  fold.tokenEvents.record(token, { kind: 'duplication', dup: { ...token.dup } }, now)
  fold.tokens.touch(live)
  schedule(fold, live, fold.globals.slot - 1)
}
