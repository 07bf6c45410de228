import type { DupFlags } from '../model/metadata.ts'
import type { TokenEventRow } from '../model/rows.ts'
import type { Globals, Token } from '../model/state.ts'

/** A token event without its number, token and time. */
type Happening = TokenEventRow extends infer Row
  ? Row extends TokenEventRow
    ? Omit<Row, 'seq' | 'token' | 'slot' | 'time'>
    : never
  : never

/** Events of tokens, numbered and stored as of their moment, for live and resuming clients. */
export interface TokenEvents {
  record(token: Token, happening: Happening, moment: { readonly slot: number; readonly time: number }): void
  readonly added: readonly TokenEventRow[]
  committed(): void
}

export function createTokenEvents(globals: Globals): TokenEvents {
  const added: TokenEventRow[] = []
  return {
    record(token, happening, { slot, time }) {
      globals.tokenEvents++
      added.push({ seq: globals.tokenEvents, token: token.id, slot, time, ...happening })
    },
    added,
    committed() {
      added.length = 0
    },
  }
}

export const imageOf = (token: Token): string | null => token.metadata?.image ?? null

/** The current flags if they differ from `before`, else null. */
export function flipped(before: DupFlags, { dup }: Token): DupFlags | null {
  const same = Object.entries(before).every(([field, flag]) => dup[field as keyof DupFlags] === flag)
  return same ? null : { ...dup }
}
