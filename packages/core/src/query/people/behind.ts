import { keyToBase58 } from '../../base/base58.ts'
import { CHECK_LENGTH, type Check, type Who } from '../../contract/who.ts'
import { COVERAGE, EXITS, VERDICT } from '../../engine/constants.ts'
import { ruggedBy } from '../../engine/drain.ts'
import { earlySoldEverPct, earlySoldPct } from '../../engine/exits.ts'
import { ownedByLargest } from '../../engine/holders.ts'
import type { Reading } from '../../engine/reading/reading.ts'
import { hasValue } from '../../engine/units.ts'
import type { Globals, Token, Wallet } from '../../model/state.ts'
import { type ActorReader, actorsOf } from '../actors.ts'
import type { QueryBounds } from '../bounds.ts'
import { groupName } from '../bundle-name.ts'
import { explainMemory, explainOutlook } from '../explain.ts'
import { creatorRecord } from '../launch.ts'
import { percent, ratio, share, turnover } from '../round.ts'
import { span } from '../span.ts'
import { saidOf } from '../token-facts.ts'
import type { TokenView } from '../view.ts'
import { renderLargest, renderWho } from '../who.ts'
import { renderWhoDeployer } from './deployer.ts'
import type { Scene } from './evidence.ts'
import { renderGroups } from './groups.ts'
import { renderPerson } from './links.ts'
import { renderLiquidity } from './liquidity.ts'
import { renderFirstBag, renderMoney, renderState } from './money.ts'
import type { TradesAt } from './trades-at.ts'
import { verdictOf } from './verdict.ts'

/** The people behind a token, all as of one slot. */

interface BehindOptions {
  readonly view: TokenView
  readonly reader: ActorReader
  readonly trades: TradesAt
  readonly globals: Readonly<Pick<Globals, 'nextTrade' | 'missingSlots'>>
  readonly bounds: QueryBounds
  readonly findWallet: (address: string) => Wallet | null
}

export function renderBehind(options: BehindOptions): Who {
  const { view, reader, bounds, findWallet } = options
  const { live, slot } = view
  const { token, bundles } = live
  // the most demanding first, so that many holders are scanned once
  const largest = bounds.explainedHolders === 0 ? [] : view.shares(bounds.explainedHolders).largest()
  const reading = view.reading()
  const leftOut = { count: 0 }
  const groups = renderGroups({ view, reader, scene: sceneOf(options), bounds, leftOut })
  const sums = renderWho(view)
  const coverage = {
    ...coverageOf(options, reading),
    holders_told: largest.length,
    evidence_left_out: leftOut.count,
    groups_left_out: bundles.groups.filter(({ mergedInto }) => mergedInto < 0).length - groups.length,
  }
  const parts = {
    slot,
    created_slot: token.createdSlot,
    age_slots: Math.max(0, slot - token.createdSlot),
    outlook: explainOutlook(view.live.token),
    memory: memoryOf(token, slot),
    liquidity: renderLiquidity(view),
    launch: sums.launch,
    first_bag: renderFirstBag(token),
    money: renderMoney(view, bounds.whoGroups),
    creator_record: creatorRecord(sums.launch, findWallet),
    deployer: renderWhoDeployer(view, reader, sums),
    actors: actorsOf(view, reader),
    groups,
    classes: sums.classes,
    holders: {
      count: reading.holders.count,
      owned_pct: share(reading.holders.owned, token.supply),
      top_10_pct: share(ownedByLargest(reading.holders), token.supply),
      top: largest.map((person) => ({
        ...renderPerson(reader, token, person, view.wallet),
        group: person.group < 0 ? null : groupName(token, bundles.groups[person.group]!, view.wallet),
      })),
    },
    coverage,
  }
  const verdict = verdictOf({ ...parts, token, score: reading.score.value })
  return {
    mint: keyToBase58(token.mint),
    said_by_deployer: saidOf(token),
    verdict,
    ...parts,
    first_buyers: sums.first_buyers,
  }
}

/** Looks up at most this many slots for one answer. */
function sceneOf({ view, trades, globals, bounds }: BehindOptions): Scene {
  const { token, positions } = view.live
  const asked = new Set<number>()
  return {
    token,
    wallet: view.wallet,
    position: (id) => positions.get(id),
    tradesAt(slot) {
      if (!asked.has(slot) && asked.size >= bounds.whoSlots) return null
      asked.add(slot)
      return trades.of(token.id, slot, globals.nextTrade)
    },
  }
}

function memoryOf(token: Token, slot: number): Who['memory'] {
  const { drainedSlot, ruggedSlot } = token
  return {
    state: renderState(token, slot),
    rugged: ruggedSlot < 0 ? null : { slot: ruggedSlot, ago_slots: slot - ruggedSlot, by: ruggedBy(token) },
    drained: drainedSlot < 0 ? null : { slot: drainedSlot, ago_slots: slot - drainedSlot },
    ...explainMemory(token, slot),
    early_sold_pct: percent(earlySoldEverPct(token)),
    early_sold_in_hour_pct: percent(earlySoldPct(token, slot)),
    exits: token.exits.map(({ index, tokens }) => ({
      from_slot: index * EXITS.bucketSlots,
      to_slot: (index + 1) * EXITS.bucketSlots - 1,
      sold_pct: turnover(tokens, token.supply),
    })),
  }
}

type Coverage = Who['coverage']

/** The limits of this answer, as data. */
function coverageOf({ view, globals }: BehindOptions, { life, coverage, traced }: Reading) {
  const { token } = view.live
  const tracedPct = percent(100 * traced)
  const lacks: Readonly<Record<Coverage['unknown'][number], boolean>> = {
    launch: !life.launchSeen,
    funders: tracedPct < VERDICT.tracedPct,
    history: coverage < COVERAGE.min,
    price: !hasValue(token),
    missing_blocks: globals.missingSlots > 0,
    // single transfers and their signatures are not stored, only their effect on balances
    transfer_transactions: true,
    funding_transactions: true,
  }
  return {
    launch_seen: life.launchSeen,
    dead: life.dead,
    idle_slots: life.idleSlots,
    funders_traced_pct: tracedPct,
    largest_checked: renderLargest(view.live.token),
    history_pct: percent(100 * ratio(coverage)),
    phantom_supply_pct: percent(life.phantomPct),
    missing_slots: globals.missingSlots,
    log_from_slot: Math.max(0, view.market.firstSlot),
    price_known: hasValue(token),
    unknown: (Object.keys(lacks) as Coverage['unknown']).filter((what) => lacks[what]),
  }
}

const UNKNOWN: Readonly<Partial<Record<Coverage['unknown'][number], string>>> = {
  launch: 'first buyers',
  funders: 'who funded most holders',
}

/** The verdict as text, worst sentence first. One that does not fit is left out, and shorter ones after it still come. */
export function renderCheck(who: Who): Check {
  const { mint, said_by_deployer, slot, verdict, coverage } = who
  const left = coverage.unknown.flatMap((what) => UNKNOWN[what] ?? [])
  const tail = left.length > 0 ? ` Unknown: ${left.join(', ')}.` : ''
  let text = `${verdict.colour.toUpperCase()}: ${ageText(who)}`
  for (const sentence of verdict.reasons)
    if (text.length + 1 + sentence.text.length + tail.length <= CHECK_LENGTH) text += ` ${sentence.text}`
  return { mint, said_by_deployer, slot, colour: verdict.colour, text: `${text}${tail}` }
}

const ageText = ({ age_slots, coverage }: Who): string =>
  `${coverage.launch_seen ? 'launched' : 'first seen'} ${span(age_slots)} ago.`
