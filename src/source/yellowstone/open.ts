import { LIMITS } from '../../config/limits.ts'
import type { Source } from '../source.ts'
import type { BlockFiller } from './filler.ts'
import { endpointsOf } from './spec.ts'
import { systemClock } from './timing.ts'
import { createTransport, loadClient } from './transport.ts'
import { createYellowstone } from './yellowstone.ts'

/** Base58 ids of the programs whose transactions are asked for: those the decoder reads. */
export const LAUNCHPADS: readonly string[] = [
  '6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P',
  'pAMMBay6oceH9fJKBRGHP5D4bD4sWpmSwMn52FMfXEA',
  'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj',
]

/** The Yellowstone endpoints `urls` as one source. OperatorError where an address, a token or the client is missing. */
export async function openYellowstone(
  urls: readonly string[],
  tokens: string | undefined,
  filler: BlockFiller | null,
): Promise<Source> {
  const endpoints = endpointsOf(urls, tokens)
  const client = await loadClient()
  return createYellowstone({
    name: endpoints.map(({ url }) => `yellowstone:${new URL(url).origin}`).join(','),
    endpoints: endpoints.map(({ url, token }) => createTransport(client, url, token)),
    filler,
    accounts: LAUNCHPADS,
    clock: systemClock,
    random: Math.random,
    bounds: LIMITS.yellowstone,
  })
}
