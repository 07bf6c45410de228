import { base58Encode, key } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { ZERO_KEY } from '@ti/core/base/ids.ts'
import {
  ASSOCIATED_TOKEN_TEXT,
  COMPUTE_BUDGET as COMPUTE_BUDGET_KEY,
  LAUNCHLAB_TEXT,
  MAYHEM_TEXT,
  METEORA_DBC_TEXT,
  PUMP_FEES_TEXT,
  PUMP_TEXT,
  PUMPSWAP_TEXT,
  TIP_ACCOUNTS_TEXT,
  TOKEN_2022_TEXT,
  TOKEN_TEXT,
} from '@ti/core/model/programs.ts'

export { USDC, WRAPPED_SOL } from '@ti/core/model/programs.ts'

/** A program with its names in instructions and logs. */
export interface Program {
  readonly key: Key
  readonly text: string
  /** Prepared log lines at depth 1 to 3. */
  readonly invoke: readonly string[]
  readonly success: string
}

const program = (text: string): Program => ({
  key: key(text),
  text,
  invoke: [0, 1, 2, 3, 4].map((depth) => `Program ${text} invoke [${depth}]`),
  success: `Program ${text} success`,
})

export const PUMP = program(PUMP_TEXT)
export const PUMPSWAP = program(PUMPSWAP_TEXT)
export const LAUNCHLAB = program(LAUNCHLAB_TEXT)
export const METEORA_DBC = program(METEORA_DBC_TEXT)
export const MAYHEM = program(MAYHEM_TEXT)
export const SYSTEM = program(base58Encode(ZERO_KEY))
export const COMPUTE_BUDGET = program(base58Encode(COMPUTE_BUDGET_KEY))
export const TOKEN = program(TOKEN_TEXT)
export const TOKEN_2022 = program(TOKEN_2022_TEXT)
export const ASSOCIATED = program(ASSOCIATED_TOKEN_TEXT)
export const FEES = program(PUMP_FEES_TEXT)
/** A router: a program unknown to decoders that calls the venue on the trader's behalf. */
export const ROUTER = program('Route11111111111111111111111111111111111111')

/** One of the public tip accounts of Jito's block engine. */
export const TIP = key(TIP_ACCOUNTS_TEXT[0])
