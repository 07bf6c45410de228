import { keyToBase58 } from '../base/base58.ts'
import type { TOKEN_FIELDS } from '../contract/filter.ts'
import { isCopy } from '../engine/duplication.ts'
import { ownedByLargest } from '../engine/holders.ts'
import { curvePct } from '../engine/lists.ts'
import { whoOf } from '../engine/reading/who.ts'
import { isMigrated } from '../engine/tokens.ts'
import { verdictOf } from '../engine/verdict/said.ts'
import type { ClassSums } from '../model/buckets.ts'
import type { Token } from '../model/state.ts'
import { type ActorReader, hasRecord, rootOf } from './actors.ts'
import { maybe, percent, share } from './round.ts'
import { scoreGroup } from './score.ts'
import { tokenFacts } from './token-facts.ts'
import type { TokenView } from './view.ts'

/** Known actors on the token. Merged ones may have been two when they were named. */
function actorsOn(token: Token, reader: ActorReader) {
  return [...new Map(token.actors.map(({ actor }) => rootOf(reader, actor)).map((one) => [one.id, one])).values()]
}

/**
 * The values that conditions of alerts and filters of the board compare, so that a filter and its alert never disagree. Each is
 * read when it is used: holders and addresses cost most.
 */
export function tokenValues(view: TokenView, reader: ActorReader) {
  const { live, market, slot } = view
  const { token } = live
  let score: ReturnType<typeof scoreGroup> | undefined
  let people: ReturnType<typeof whoOf>['classes'] | undefined
  const scored = () => (score ??= scoreGroup(view.reading()))
  const classes = () => (people ??= whoOf(live, market.firstSlot).classes)
  const held = (sums: Readonly<ClassSums> | null): number | null => sums && share(sums.held, token.supply)
  return {
    name: token.name,
    symbol: token.symbol,
    mcap: token.mcap,
    trades: token.trades,
    age_slots: slot - token.createdSlot,
    graduated: isMigrated(token),
    dex_paid: token.dexPaidTime > 0,
    drained: token.drainedSlot >= 0,
    rugged: token.ruggedSlot >= 0,
    colour: verdictOf(token).name,
    copied: isCopy(token),
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
    get deployer_pct() {
      return held(classes().deployer)
    },
    get snipers_pct() {
      return held(classes().firstSeconds)
    },
    get fresh_pct() {
      return held(classes().fresh)
    },
    get top_10_pct() {
      return share(ownedByLargest(view.reading().holders), token.supply)
    },
    get curve_pct() {
      return maybe(curvePct(token, market.solUsd), percent)
    },
    get actors() {
      return actorsOn(token, reader).length
    },
    get bad_actors() {
      return actorsOn(token, reader).filter((one) => hasRecord(reader, one, token.id)).length
    },
  } satisfies Record<keyof typeof TOKEN_FIELDS, number | string | boolean | null>
}
