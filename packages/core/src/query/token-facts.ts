import { keyToBase58 } from '../base/base58.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import { launchpadName } from '../model/events.ts'
import type { Token } from '../model/state.ts'

/** A token's basic facts in the specification's fields, shared by snapshots, cards and deployer pages. */
export const tokenFacts = (token: Token) => ({
  deployed_at: isoMicrosOrNull(token.createdTime),
  image_uri: token.metadata?.image ?? null,
  launchpad: launchpadName(token.launchpad),
  mint: keyToBase58(token.mint),
})

export const tokenLinks = (token: Pick<Token, 'metadata'>) => ({
  description: token.metadata?.description ?? null,
  telegram: token.metadata?.telegram ?? null,
  twitter: token.metadata?.twitter ?? null,
  website: token.metadata?.website ?? null,
})

export const saidOf = ({ symbol, name }: Pick<Token, 'symbol' | 'name'>) => ({ symbol, name })
