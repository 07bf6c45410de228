import { type Open, small, table, textOrNull } from './field.ts'

/** A token's metadata, and whether an earlier token has the same. */

/** Duplication flag: not checked yet, original, or used before. */
export const DUP = { unknown: 0, no: 1, yes: 2 } as const
export type Dup = (typeof DUP)[keyof typeof DUP]
const dup = small<Dup>(DUP.yes)

export const DUP_FLAGS = table('DupFlags', {
  name: dup,
  symbol: dup,
  symbolName: dup,
  image: dup,
  twitter: dup,
  telegram: dup,
  website: dup,
})
export interface DupFlags extends Open<typeof DUP_FLAGS> {}

export const TOKEN_METADATA = table('TokenMetadata', {
  description: textOrNull,
  image: textOrNull,
  twitter: textOrNull,
  telegram: textOrNull,
  website: textOrNull,
})
export interface TokenMetadata extends Open<typeof TOKEN_METADATA> {}

/** The fields checked for duplication, stored as an index from normalised text to the earliest token. */
export type DupField = keyof DupFlags
