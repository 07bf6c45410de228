/** Powers of ten by exponent, exact; a table because the last bits of `pow` are the platform's. Decimals are 0 to 18. */
const POW10: readonly number[] = [
  1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
]

/** Base units of one whole token; decimals out of range count as 0 (the decoder lets none through). */
export const baseUnits = (decimals: number): number => POW10[decimals] ?? 1
