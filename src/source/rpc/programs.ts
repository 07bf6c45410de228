import { key } from '../../base/base58.ts'
import type { Key } from '../../base/ids.ts'

/** Programs whose transactions are asked for: those that the decoder reads. */
export const LAUNCHPAD_PROGRAMS: readonly Key[] = [
  '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
  'pAMMBay6oceH9fJKBRGHP5D4bD4sWpmSwMn52FMfXEA',
  'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
].map(key)
