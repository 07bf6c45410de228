import type { Duplication } from '../contract/resources.ts'
import { DUP, type DupFlags } from '../model/metadata.ts'

const flag = (value: number): boolean | null => (value === DUP.unknown ? null : value === DUP.yes)

export const duplication = (dup: DupFlags): Duplication => ({
  image: flag(dup.image),
  name: flag(dup.name),
  symbol: flag(dup.symbol),
  symbol_name: flag(dup.symbolName),
  telegram: flag(dup.telegram),
  twitter: flag(dup.twitter),
  website: flag(dup.website),
})
