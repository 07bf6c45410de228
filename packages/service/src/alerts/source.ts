import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { TOKEN_FIELDS, Values } from '@ti/core/contract/filter.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { isMigrated } from '@ti/core/engine/tokens.ts'
import { type ActorReader, actorInBrief, howNamed } from '@ti/core/query/actors.ts'
import { scoreGroup } from '@ti/core/query/score.ts'
import { tokenFacts } from '@ti/core/query/token-facts.ts'
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

  /** Holders and addresses are read only for conditions that need them. */
  function values(id: number): Values | null {
    if (store.positionCount(id) > HOLDERS_MAX) return null
    const view = views.byId(id)
    const { token } = view.live
    let score: ReturnType<typeof scoreGroup> | undefined
    const scored = () => (score ??= scoreGroup(view.reading()))
    return {
      name: token.name,
      symbol: token.symbol,
      mcap: token.mcap,
      trades: token.trades,
      age_slots: globals.slot - token.createdSlot,
      graduated: isMigrated(token),
      dex_paid: token.dexPaidTime > 0,
      drained: token.drainedSlot >= 0,
      rugged: token.ruggedSlot >= 0,
      get mint() {
        return keyToBase58(token.mint)
      },
      get launchpad() {
        return tokenFacts(token).launchpad
      },
      get deployer() {
        return token.deployer < 0 ? null : keyToBase58(view.wallet(token.deployer).address)
      },
      get holders() {
        return view.reading().holders.count
      },
      get kols() {
        return view.reading().kols.length
      },
      get score() {
        return scored().value
      },
      get bundled_pct() {
        return scored().bundle_pct
      },
      get dirty_pct() {
        return scored().dirty_pct
      },
      get dumpers_pct() {
        return scored().dumpers_pct
      },
      get alpha_hands_pct() {
        return scored().alpha_hands_pct
      },
      get conviction() {
        return scored().conviction_score
      },
    } satisfies Record<keyof typeof TOKEN_FIELDS, Values[string]>
  }

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
