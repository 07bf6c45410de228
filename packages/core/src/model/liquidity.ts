import { atMost, key, list, none, num, type Open, sig, table, when } from './field.ts'

/** What one wallet took out of a pool, less what it put in after the opening. */
const PROVIDER = table('Provider', {
  /** -1 for accounts of programs. */
  wallet: none,
  /** Base units of the token and of the token's unit; negative if more was put in. */
  tokens: num,
  took: num,
  /** Of its last withdrawal. */
  slot: none,
  sig: when(1, sig),
})
export interface Provider extends Open<typeof PROVIDER> {}

/** Liquidity of the canonical pool, in the program's units; before the graduation what is planned, in percent. */
export const TOKEN_LIQUIDITY = table('TokenLiquidity', {
  /** The curve for a plan. */
  pool: key,
  /** The transaction that opened the pool; '' if it was not seen. */
  opened: when(1, sig),
  /** Units at the opening or when first seen; units now, and the part of them locked for ever, -1 if unknown. */
  opening: num,
  total: num,
  locked: none,
  providers: atMost(16, list(PROVIDER)),
})
export interface TokenLiquidity extends Open<typeof TOKEN_LIQUIDITY> {}
