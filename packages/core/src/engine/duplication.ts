import { DUP, type Dup, type DupField } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { COPY } from './constants.ts'
import type { StateReader } from './state.ts'

/** Which token used a normalised name, link or image first: methodology, section 1. */
export interface FirstUses {
  /** checks one value of a token and remembers it when it is new; an empty or missing value is never a duplicate */
  check(field: DupField, norm: string | null, token: number): Dup
  readonly added: { readonly field: DupField; readonly norm: string; readonly token: number }[]
  committed(): void
}

export function createFirstUses(reader: StateReader): FirstUses {
  const pending = new Map<string, number>()
  const added: FirstUses['added'] = []
  return {
    check(field, norm, token) {
      if (norm === null || norm === '') return DUP.no
      const key = `${field}\n${norm}`
      const first = pending.get(key) ?? reader.firstUse(field, norm)
      if (first !== undefined) return first === token ? DUP.no : DUP.yes
      pending.set(key, token)
      added.push({ field, norm, token })
      return DUP.no
    },
    added,
    committed() {
      pending.clear()
      added.length = 0
    },
  }
}

/** Image or links were another token's before: what nobody has in common by chance. */
export const isCopy = ({ dup }: Token): boolean => [dup.image, dup.twitter, dup.telegram, dup.website].includes(DUP.yes)

/**
 * Whether text that an earlier token used first is taken for a copy: names and symbols repeat by chance, so only for a day or
 * while the earlier one is worth more.
 */
export const isTextCopied = (token: Token, first: Token): boolean =>
  token.createdSlot - first.createdSlot < COPY.textSlots || first.mcap > token.mcap

/** True when no check found the token reusing anything. */
export const isOriginal = (token: Token): boolean => Object.values(token.dup).every((flag) => flag !== DUP.yes)
