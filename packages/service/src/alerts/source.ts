import type { Values } from '@ti/core/contract/filter.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { type ActorReader, actorInBrief, howNamed } from '@ti/core/query/actors.ts'
import { tokenValues } from '@ti/core/query/token-values.ts'
import { createViews, type HistoryReader } from '@ti/core/query/view.ts'
import type { AlertSource } from './batch.ts'

/** holders beyond which a token is not asked about conditions: a scan holds the event loop */
export const HOLDERS_MAX = 5_000

interface Rows extends HistoryReader, Pick<ActorReader, 'positionOf'>, Pick<AlertSource, 'trades' | 'tokenEvents'> {}

/** The cache holds readings until the next block; it has room for the tokens that trade in one. */
const READINGS = 64

/** The worker's view of the state that a node has folded and committed. */
export function createAlertSource(
  engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets' | 'actors'>,
  store: Rows,
): AlertSource {
  const { globals, tokens, actors } = engine
  const views = createViews(engine, store, READINGS)

  const values = (id: number): Values | null =>
    store.positionCount(id) > HOLDERS_MAX ? null : tokenValues(views.byId(id), store)

  return {
    globals,
    trades: store.trades,
    tokenEvents: store.tokenEvents,
    tokenId: (mint) => tokens.peek(mint)?.token.id ?? store.tokenIdByMint(mint),
    walletId: store.walletIdByAddress,
    token: (id) => tokens.peekId(id)?.token ?? store.token(id)!,
    wallet: (id) => store.wallet(id)!,
    founderOf: (actor) => (actor < globals.nextActor ? actors.byId(actor).founder : undefined),
    rootOf: actors.rootOf,
    arrival(actor, by) {
      const { id, name, wallets, tokens, launched, drained, rugged, taken_sol } = actorInBrief(store, actor)
      return { actor: name, actor_id: id, how: howNamed(by), wallets, tokens, launched, drained, rugged, taken_sol }
    },
    values,
    score: (id) => (store.positionCount(id) > HOLDERS_MAX ? null : views.byId(id).reading().score.value),
  }
}
