import { DUP, type Dup, type DupField } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { COPY } from './constants.ts'
import type { StateReader } from './state.ts'

/** Records which token first used a normalised name, link or image (methodology, section 1). */
export interface FirstUses {
  /** Checks one value of a token and records it if it is new. An empty or missing value is never a duplicate. */
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

/** True if an image or link was used by an earlier token. Unlike names, these never repeat by chance. */
export const isCopy = ({ dup }: Token): boolean => [dup.image, dup.twitter, dup.telegram, dup.website].includes(DUP.yes)

/**
 * True if text first used by an earlier token counts as copied. Names and symbols repeat by chance, so this holds only
 * for a day or while the earlier token is worth more.
 */
export const isTextCopied = (token: Token, first: Token): boolean =>
  token.createdSlot - first.createdSlot < COPY.textSlots || first.mcap > token.mcap

/** True if none of the token's texts, links or images is a duplicate. */
export const isOriginal = (token: Token): boolean => Object.values(token.dup).every((flag) => flag !== DUP.yes)
