import type { Key } from '@ti/core/base/ids.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { createMemoryStore, type MemoryStore, QUIET_AT_ONCE } from '../support/memory-store.ts'
import { globalsWithVeterans, VETERANS } from '../support/veterans.ts'
import type { Given, GivenGroup } from './reading-wallets.ts'

/** A generated history folded, and what a reference is given of it: which wallets belong together. */
export interface Folded {
  readonly engine: Engine
  readonly store: MemoryStore
  readonly bundled: ReadonlySet<number>
  /** slot by mint and wallet, of the first entry after which it was in a confirmed group */
  readonly members: ReadonlyMap<string, number>
}

/** `ask`: called after every entry, as a reader who is there all the time would. */
export function fold(entries: readonly LogEntry[], ask?: (folded: Folded) => void, walletsCached = 1_000): Folded {
  const store = createMemoryStore()
  const reader = { ...store, globals: () => store.globals() ?? globalsWithVeterans() }
  const engine = createEngine({ reader, walletsCached, quiet: QUIET_AT_ONCE })
  const bundled = new Set<number>()
  const members = new Map<string, number>()
  entries.forEach((entry, seq) => {
    engine.apply(seq, entry)
    const changes = engine.changes()
    for (const row of changes.trades) if (row.group >= 0) bundled.add(row.no)
    store.write(changes)
    for (const { token, bundles } of changes.bundles) noticeMembers(members, token.mint, bundles, engine)
    engine.committed()
    ask?.({ engine, store, bundled, members })
  })
  return { engine, store, bundled, members }
}

const memberOf = (mint: Key, wallet: Key): string => `${mint} ${wallet}`

function noticeMembers(members: Map<string, number>, mint: Key, { groups }: BundleBook, engine: Engine): void {
  for (const { mergedInto, confirmedSlot, members: ids } of groups) {
    if (mergedInto >= 0 || confirmedSlot < 0) continue
    for (const id of ids) {
      const key = memberOf(mint, engine.wallet(id).address)
      if (!members.has(key)) members.set(key, engine.globals.slot)
    }
  }
}

/** The confirmed groups of a mint as the detection left them. */
function groupsOf({ store, engine }: Folded, mint: Key): GivenGroup[] {
  const id = store.tokenIdByMint(mint)
  const book = id === undefined ? undefined : store.bundles(id)
  return (book?.groups ?? [])
    .filter(({ mergedInto, confirmedSlot }) => mergedInto < 0 && confirmedSlot >= 0)
    .map(({ members, red, netSellSlot, flows, peak, sold }) => ({
      members: members.map((wallet) => store.wallet(wallet)!.address),
      ...{ peak, sold },
      isRed: red && engine.globals.slot - netSellSlot < 1_500,
      netSold: flows.map(({ index, bought, sold }) => ({ bucket: index, tokens: sold - bought })),
    }))
}

export const givenOf = (folded: Folded): Given => ({
  bundled: folded.bundled,
  veterans: VETERANS,
  groups: (mint) => groupsOf(folded, mint),
  memberSince: (mint, wallet) => folded.members.get(memberOf(mint, wallet)) ?? null,
})
