import { keyToBase58 } from '@ti/core/base/base58.ts'
import { LAUNCHPAD_PROGRAMS } from '@ti/core/model/programs.ts'
import { wallClock } from '../../base/clock.ts'
import type { BlockFiller } from '../block-filler.ts'
import { createFollowed, type Followed } from '../followed.ts'
import type { Source } from '../source.ts'
import { endpointsOf } from './spec.ts'
import { createTransport, loadClient } from './transport.ts'
import { createYellowstone, YELLOWSTONE } from './yellowstone.ts'

/** The Yellowstone endpoints `urls` as one source. OperatorError where an address, a token or the client is missing. */
export async function openYellowstone(
  urls: readonly string[],
  tokens: string | undefined,
  fillerFor: ((followed: Followed) => BlockFiller) | null,
): Promise<Source> {
  const endpoints = endpointsOf(urls, tokens)
  const client = await loadClient()
  const followed = createFollowed(LAUNCHPAD_PROGRAMS)
  return createYellowstone({
    name: endpoints.map(({ url }) => `yellowstone:${new URL(url).origin}`).join(','),
    endpoints: endpoints.map(({ url, token }) => createTransport(client, url, token)),
    filler: fillerFor?.(followed) ?? null,
    accounts: LAUNCHPAD_PROGRAMS.map(keyToBase58),
    followed,
    clock: wallClock,
    random: Math.random,
    bounds: YELLOWSTONE,
  })
}
