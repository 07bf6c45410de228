import { DUP } from '../model/metadata.ts'
import type { Token } from '../model/state.ts'
import { COPY } from './constants.ts'

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
