import type { Key } from '@ti/core/base/ids.ts'
import { confirmedGroup } from '@ti/core/engine/bundles/groups.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { Block, LogEntry } from '@ti/core/model/entries.ts'
import { createMemoryStore } from '../support/memory-store.ts'

/** What a reference is given of the fold. */
export interface Joined {
  /** When wallets came to be in confirmed groups: by mint, then wallet, how many events and which slot had been folded then. */
  readonly members: ReadonlyMap<Key, ReadonlyMap<Key, { readonly index: number; readonly slot: number }>>
  /** Mints at rest, which are not told who funded whom, by the number of the entry. */
  readonly resting: ReadonlyMap<number, ReadonlySet<Key>>
}

const start = () => createEngine({ reader: createMemoryStore(), walletsCached: 1_000 })
type Engine = ReturnType<typeof start>

function membersOf(engine: Engine): Map<string, { mint: Key; wallet: Key }> {
  const members = new Map<string, { mint: Key; wallet: Key }>()
  for (const { token, bundles, positions } of engine.tokens.live()) {
    for (const position of positions.values()) {
      if (confirmedGroup(bundles, position) === null) continue
      const wallet = engine.wallet(position.wallet).address
      members.set(token.mint + wallet, { mint: token.mint, wallet })
    }
  }
  return members
}

/** Nothing is committed here, so the changes say of every token whether it is live. */
const restingIn = ({ tokens, changes }: Engine): Set<Key> =>
  new Set([...changes().live].flatMap(([id, isLive]) => (isLive ? [] : [tokens.peekId(id)!.token.mint])))

/** Where a block of several events makes members, its beginnings are folded one by one. */
export function joinedIn(entries: readonly LogEntry[]): Joined {
  const joined = new Map<Key, Map<Key, { index: number; slot: number }>>()
  const resting = new Map<number, Set<Key>>()
  const engine = start()
  let known = new Map<string, unknown>()
  let events = 0
  for (const [i, entry] of entries.entries()) {
    if (entry.kind === 'facts') resting.set(i, restingIn(engine))
    engine.apply(i, entry)
    const members = membersOf(engine)
    const fresh = [...members].filter(([name]) => !known.has(name)).map(([name, who]) => ({ name, ...who }))
    known = members
    const size = entry.kind === 'block' ? entry.events.length : 0
    const within = entry.kind === 'block' && fresh.length > 0 ? firstWithin(entries.slice(0, i), entry, fresh) : null
    for (const { name, mint, wallet } of fresh) {
      const of = joined.get(mint) ?? new Map()
      joined.set(mint, of.set(wallet, { index: events + (within?.get(name) ?? 0), slot: engine.globals.slot }))
    }
    events += size
  }
  return { members: joined, resting }
}

/** How many of the block's events it takes to make each of them a member. */
function firstWithin(
  before: readonly LogEntry[],
  block: Block,
  fresh: readonly { name: string }[],
): Map<string, number> {
  const first = new Map<string, number>()
  for (let n = 1; n < block.events.length && first.size < fresh.length; n++) {
    const engine = start()
    for (const [i, entry] of [...before, { ...block, events: block.events.slice(0, n) }].entries())
      engine.apply(i, entry)
    const members = membersOf(engine)
    for (const { name } of fresh) if (members.has(name) && !first.has(name)) first.set(name, n)
  }
  return new Map(fresh.map(({ name }) => [name, first.get(name) ?? block.events.length]))
}
