import { key } from '../../base/base58.ts'
import type { Key } from '../../base/ids.ts'

/** Programs as instructions and logs name them. */
export interface Program {
  readonly key: Key
  readonly text: string
  /** log lines at depth 1 to 3, ready made */
  readonly invoke: readonly string[]
  readonly success: string
}

const program = (text: string): Program => ({
  key: key(text),
  text,
  invoke: [0, 1, 2, 3, 4].map((depth) => `Program ${text} invoke [${depth}]`),
  success: `Program ${text} success`,
})

export const PUMP = program('6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P')
export const PUMPSWAP = program('pAMMBay6oceH9fJKBRGHP5D4bD4sWpmSwMn52FMfXEA')
export const MAYHEM = program('MAyhSmzXzV1pTf7LsNkrNwkWKTo4ougAJ1PPg47MD4e')
export const SYSTEM = program('11111111111111111111111111111111')
export const TOKEN = program('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
export const TOKEN_2022 = program('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')
export const ASSOCIATED = program('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const FEES = program('pfeeUxB6jkeY1Hxd7CsFCAjcbHA9rWtchMGdZ6VojVZ')
/** Some router: a program nobody here knows, which calls the venue on the trader's behalf. */
export const ROUTER = program('Route11111111111111111111111111111111111111')

export const WRAPPED_SOL = key('So11111111111111111111111111111111111111112')
export const USDC = key('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
/** One of the public tip accounts of Jito's block engine. */
export const TIP = key('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5')
