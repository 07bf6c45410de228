import { keyToBase58 } from '../base/base58.ts'
import type { AppCard } from '../contract/app.ts'
import { LISTS } from '../engine/constants.ts'
import { allDeeds, withoutLaunch } from '../engine/deployers.ts'
import type { Engine } from '../engine/engine.ts'
import { ownedByLargest } from '../engine/holders.ts'
import { passesRugFilter } from '../engine/lists.ts'
import { MILLION, probabilityOf } from '../engine/outlook/counts.ts'
import { latchedOf } from '../engine/outlook/outlook.ts'
import { whoOf } from '../engine/reading/who.ts'
import type { LiveToken } from '../engine/resident.ts'
import { isDead, isMigrated } from '../engine/tokens.ts'
import { hasPrice, toLamports } from '../engine/units.ts'
import { verdictOf } from '../engine/verdict/said.ts'
import type { ClassSums } from '../model/buckets.ts'
import type { Token, Wallet } from '../model/state.ts'
import { type ActorReader, hasRecord, rootOf } from './actors.ts'
import type { QueryBounds } from './bounds.ts'
import { renderCard } from './card.ts'
import type { Listings } from './query.ts'
import { share, shareOfCounted, turnover } from './round.ts'
import { scoreGroup } from './score.ts'
import { candidateOf, type TokenView, type Views } from './view.ts'

/** Board data of a token beyond its card, and the list of tokens close to graduation. */

/** Percent of a full curve, at most 100; null if there is no curve or its fill is unknown. */
function curvePct(token: Token, solUsd: number): number | null {
  if (isMigrated(token) || token.startQuote === 0 || !hasPrice(token)) return null
  return Math.min(100, share(toLamports(token.quote, token.realQuote, solUsd), LISTS.graduating.fullLamports))
}

function renderDeployer(wallet: Wallet): AppCard['deployer'] {
  const deeds = allDeeds(wallet)
  return {
    wallet: keyToBase58(wallet.address),
    launched: wallet.launches,
    graduated: wallet.launchesBonded,
    drained: deeds === null ? null : deeds.drained,
  }
}

/** Resolves merged actors, which may have been two when they were named. */
function badActors({ id, actors }: Token, reader: ActorReader): number {
  const met = new Map(actors.map(({ actor }) => rootOf(reader, actor)).map((one) => [one.id, one]))
  return [...met.values()].filter((one) => hasRecord(reader, one, id)).length
}

/** `bundle_pct` is of the owned supply, as on snapshots; all other shares are of the total supply. */
function renderAppCard(view: TokenView, reader: ActorReader): AppCard {
  const { live, market, wallet } = view
  const { token } = live
  const reading = view.reading()
  const { classes } = whoOf(live, market.firstSlot)
  const drain = latchedOf(token, 'drain')
  const risk = drain && probabilityOf(drain)
  const held = (sums: Readonly<ClassSums> | null): number | null => sums && share(sums.held, token.supply)
  return {
    colour: verdictOf(token).name,
    bundle_pct: scoreGroup(reading).bundle_pct,
    group_sold_pct: turnover(classes.bundled?.sold ?? 0, token.supply),
    dev_pct: held(classes.deployer),
    dev_sold_pct: classes.deployer && turnover(classes.deployer.sold, token.supply),
    top_10_pct: share(ownedByLargest(reading.holders), token.supply),
    snipers_pct: held(classes.firstSeconds),
    fresh_pct: held(classes.fresh),
    actors: token.actors.length,
    actors_bad: badActors(token, reader),
    drain: risk === null ? null : { p: shareOfCounted(drain!.n, risk / MILLION), n: drain!.n },
    rugged: token.ruggedSlot >= 0,
    curve_pct: curvePct(token, market.solUsd),
    deployer: token.deployer < 0 ? null : renderDeployer(withoutLaunch(wallet(token.deployer), token)),
  }
}

type NearMarket = Pick<Engine, 'globals' | 'tokens'>

/** Fullest curve first. */
function nearTokens({ globals, tokens }: NearMarket, views: Views, limit: number): TokenView[] {
  const { slot, solUsd } = globals
  const { filled, tradeSlots } = LISTS.graduating
  const near: { readonly live: LiveToken; readonly pct: number }[] = []
  for (const live of tokens.live()) {
    const pct = curvePct(live.token, solUsd) ?? 0
    const isQuiet = slot - live.token.lastTradeSlot > tradeSlots || isDead(live.token, slot)
    if (pct >= 100 * filled && !isQuiet) near.push({ live, pct })
  }
  near.sort((a, b) => b.pct - a.pct || b.live.token.id - a.live.token.id)
  const found: TokenView[] = []
  for (const { live } of near) {
    if (found.length === limit) break
    const view = views.of(live)
    if (passesRugFilter(candidateOf(view))) found.push(view)
  }
  return found
}

interface CardsOptions {
  readonly engine: NearMarket
  readonly lists: Listings
  readonly reader: ActorReader
  /** Unix milliseconds. */
  readonly now: () => number
  readonly bounds: QueryBounds
}

interface Kept {
  readonly text: string
  readonly atMs: number
}

/** Both answers are cached briefly, because each reads up to two hundred tokens. */
export function createCards({ engine, lists, reader, now, bounds }: CardsOptions) {
  const { views } = lists
  const kept = new Map<string, Kept>()
  function again(name: string, make: () => unknown): string {
    const before = kept.get(name)
    const atMs = now()
    if (before !== undefined && atMs - before.atMs < bounds.cardsKeptMs) return before.text
    const text = JSON.stringify(make())
    kept.set(name, { text, atMs })
    return text
  }
  const near = (): TokenView[] => nearTokens(engine, views, bounds.listItems)
  const cardOf = (view: TokenView) => [keyToBase58(view.live.token.mint), renderAppCard(view, reader)] as const
  return {
    near: () => again('near', () => near().map(renderCard)),
    cards: () =>
      again('cards', () => Object.fromEntries([...[...lists.listed()].map(views.byId), ...near()].map(cardOf))),
  }
}
