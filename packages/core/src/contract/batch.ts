import { z } from 'zod'
import { TokenSnapshot } from './resources.ts'
import { address, slot } from './scalars.ts'

/** Tokens per batch; 50 snapshots are some 150 kB. */
export const BATCH_MAX = 50

export const TokenBatch = z
  .object({
    tokens: z
      .array(z.object({ mint: address(), slot: slot().describe('newest block in it'), snapshot: TokenSnapshot }))
      .max(BATCH_MAX)
      .describe('tracked mints, in the order of the request'),
    not_found: z.array(address()).max(BATCH_MAX).describe('mints that are not tracked; never charged'),
  })
  .meta({ id: 'TokenBatch' })
export type TokenBatch = z.infer<typeof TokenBatch>
