import type { Key } from '@ti/core/base/ids.ts'
import { createActorTracker } from '@ti/core/engine/actors/tracker.ts'
import type { BundleContext } from '@ti/core/engine/bundles/context.ts'
import { openPair } from '@ti/core/engine/bundles/pairs.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { openPosition } from '@ti/core/engine/positions.ts'
import { createResident, type LiveToken } from '@ti/core/engine/resident.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import type { Actor, ActorEdges } from '@ti/core/model/actors.ts'
import { FAMILIES, type Group } from '@ti/core/model/bundles.ts'
import { decodeActor, decodeActorEdges, encodeActor, encodeActorEdges } from '@ti/core/model/generated/actors.ts'
import { emptyBundleBook, emptyGlobals } from '@ti/core/model/generated/empty.ts'
import { addFamilies } from '@ti/core/model/pair.ts'
import type { Wallet } from '@ti/core/model/state.ts'
import type { Enrolment } from '../properties/actors-reference.ts'

/** The least around the actors: tokens whose confirmed groups grow wallet by wallet. */

/** Larger numbers have smaller keys, so that the order of keys is not the order of ids. */
const keyOf = (wallet: number): Key => `wallet ${9_999 - wallet}`.padEnd(32, '.') as Key
export const smallerKey = (a: number, b: number): number => Math.max(a, b)
const PAYER = FAMILIES.indexOf('payer')

export function createActorMarket(tokensKnown: number) {
  const globals = { ...emptyGlobals(), nextToken: tokensKnown }
  const wallets = new Map<number, Wallet>()
  const lives = new Map<number, LiveToken>()
  const stored = { actors: new Map<number, Buffer>(), edges: new Map<number, Buffer>() }
  const reader = {
    actor: (id: number): Actor | undefined => {
      const bytes = stored.actors.get(id)
      return bytes === undefined ? undefined : decodeActor(id, bytes)
    },
    actorEdges: (id: number): ActorEdges | undefined => {
      const bytes = stored.edges.get(id)
      return bytes === undefined ? undefined : decodeActorEdges(id, bytes)
    },
  }
  const wallet = (id: number): Wallet => {
    const known = wallets.get(id) ?? newWallet(id, keyOf(id), 0)
    wallets.set(id, known)
    return known
  }
  const live = (id: number): LiveToken => {
    const known = lives.get(id)
    if (known !== undefined) return known
    const token = newToken(id, `mint ${id}`.padEnd(32, '.') as Key, 1, 0)
    const opened = createResident(
      { positions: () => [], positionOf: () => undefined },
      token,
      emptyBundleBook(),
      new Map(),
    )
    for (const no of [0, 1]) opened.bundles.groups.push(groupOf(no))
    lives.set(id, opened)
    return opened
  }
  const start = () =>
    createActorTracker({
      ...{ globals, reader },
      tokens: { record: (id) => live(id).token },
      wallets: { byId: wallet, touch: () => {} },
    })
  let tracker = start()

  return {
    tracker: () => tracker,
    wallet,
    live,
    actors: () =>
      Array.from({ length: globals.nextActor }, (_, id) => tracker.byId(id)).filter((one) => one.mergedInto < 0),
    enrol({ token, group: no, wallet: id, payerWith }: Enrolment, slot: number): void {
      const opened = live(token)
      const group = opened.bundles.groups[no]!
      const own = wallet(id)
      const position = openPosition(token, own, slot)
      position.bought = 1_000
      position.episodeIn = 10
      position.firstBuySlot = slot
      opened.positions.set(id, position)
      group.members.push(id)
      if (payerWith >= 0) {
        addFamilies(openPair(opened.bundles, id, payerWith), 1 << PAYER, slot)
      }
      const context: BundleContext = {
        ...{ live: opened, slot, mints: tokensKnown, wallets: 1_000, wallet },
        touchWallet() {},
        touchPosition() {},
      }
      tracker.joined(context, group, id)
    },
    /** what is in memory goes through its bytes, as a restart does */
    restart(): void {
      for (const actor of tracker.changes.actors) stored.actors.set(actor.id, Buffer.from(encodeActor(actor)))
      for (const edges of tracker.changes.actorEdges) stored.edges.set(edges.id, Buffer.from(encodeActorEdges(edges)))
      tracker.committed()
      tracker = start()
    },
  }
}

const groupOf = (no: number): Group => ({
  ...{ no, red: false, mergedInto: -1, firstSlot: 0, founder: 0, members: [], remembered: 0, balance: 0, peak: 0 },
  ...{ confirmedSlot: 0, bought: 0, sold: 0, netSellSlot: -1, flows: [] },
})
