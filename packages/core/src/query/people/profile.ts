import { keyToBase58 } from '../../base/base58.ts'
import { isoMicrosOrNull } from '../../base/time.ts'
import type { ActorProfile } from '../../contract/actors.ts'
import { isLaunchOf, type Records } from '../../engine/actors/standing.ts'
import { isMigrated } from '../../engine/tokens.ts'
import type { Actor, ActorToken } from '../../model/actors.ts'
import { type ActorReader, actorInBrief, recordsOf, renderEdges, rootOf } from '../actors.ts'
import { sol, turnover } from '../round.ts'
import { slotOrNull } from './person.ts'

/** An actor's full profile; null if there is none with this number. `most`: edges listed. */
export function renderProfile(reader: ActorReader, id: number, most: number): ActorProfile | null {
  if (id < 0 || id >= (reader.globals()?.nextActor ?? 0)) return null
  const one = rootOf(reader, id)
  const records = recordsOf(reader)
  const address = (wallet: number): string => keyToBase58(reader.wallet(wallet)!.address)
  return {
    no: one.id,
    ...actorInBrief(reader, one),
    members: one.wallets.map((wallet) => ({ wallet: address(wallet), name: reader.wallet(wallet)!.name })),
    deployers: deployersOf(records, one).map(([wallet, launches]) => ({
      wallet: address(wallet),
      launches,
      member: one.wallets.includes(wallet),
    })),
    recent_tokens: [...one.tokens].reverse().map((entry) => renderToken(reader, records, one, entry)),
    edges: renderEdges(reader, one, most),
    edges_total: reader.actorEdges(one.id)!.edges.length,
  }
}

/** Deployers of the actor's launches, those with most first. */
function deployersOf(records: Records, one: Actor): [wallet: number, launches: number][] {
  const launches = new Map<number, number>()
  for (const entry of one.tokens) {
    if (isLaunchOf(records, one, entry)) launches.set(entry.deployer, (launches.get(entry.deployer) ?? 0) + 1)
  }
  return [...launches].sort(([a, n], [b, m]) => m - n || a - b)
}

function renderToken(
  reader: ActorReader,
  records: Records,
  one: Actor,
  entry: ActorToken,
): ActorProfile['recent_tokens'][number] {
  const token = reader.token(entry.token)!
  const { deployer, grouped, bought, sold, paid, got } = entry
  return {
    mint: keyToBase58(token.mint),
    symbol: token.symbol,
    name: token.name,
    deployed_at: isoMicrosOrNull(token.createdTime),
    deployer: deployer < 0 ? null : keyToBase58(reader.wallet(deployer)!.address),
    launched: isLaunchOf(records, one, entry),
    grouped,
    first_buy_slot: slotOrNull(entry.firstBuySlot),
    exit_slot: slotOrNull(entry.exitSlot),
    bought_pct: turnover(bought, token.supply),
    sold_pct: turnover(sold, token.supply),
    paid_sol: sol(Math.max(0, paid)),
    got_sol: sol(Math.max(0, got)),
    drained_slot: slotOrNull(token.drainedSlot),
    rugged_slot: slotOrNull(token.ruggedSlot),
    graduated: isMigrated(token),
  }
}
