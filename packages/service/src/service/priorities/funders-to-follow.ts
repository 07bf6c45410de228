import type { Key } from '@ti/core/base/ids.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import type { Funders } from '../../source/followed-funders.ts'

/** wallets of exchanges, however busy, whose payments are followed */
export const EXCHANGES = 1_000

/** The wallets of exchanges up to the filter's limit, then the deployers of the newest launches. */
export function fundersToFollow(
  { tokens, wallet }: Pick<Engine, 'tokens' | 'wallet'>,
  exchanges: Iterable<Key>,
  deployers: number,
): Funders {
  const known = new Set(exchanges)
  return {
    exchanges: [...known].slice(0, EXCHANGES),
    deployers: newestDeployers({ tokens, wallet }, known, deployers),
  }
}

function newestDeployers(
  { tokens, wallet }: Pick<Engine, 'tokens' | 'wallet'>,
  except: ReadonlySet<Key>,
  most: number,
): Key[] {
  if (most === 0) return []
  const launches = Array.from(tokens.live(), ({ token }) => token)
    .filter(({ deployer }) => deployer >= 0)
    .sort((a, b) => b.createdSlot - a.createdSlot || b.id - a.id)
  const found = new Set<Key>()
  for (const { deployer } of launches) {
    const { address } = wallet(deployer)
    if (!except.has(address)) found.add(address)
    if (found.size >= most) break
  }
  return [...found]
}
