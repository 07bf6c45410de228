import { keyToBase58 } from '../../base/base58.ts'
import { confirmedGroup } from '../../engine/bundles/groups.ts'
import { SLOTS } from '../../engine/constants.ts'
import type { Engine } from '../../engine/engine.ts'
import { METRICS, rawScore } from '../../engine/reading/score.ts'
import { countDump, countPump } from '../../engine/reading/signals.ts'
import { isDead, isMigrated, priceOf } from '../../engine/tokens.ts'
import type { Token } from '../../model/state.ts'
import { API_NAME } from '../../query/metric-names.ts'
import { ratingsOf } from '../../query/ratings.ts'
import { percent, share } from '../../query/round.ts'
import { scoreGroup } from '../../query/score.ts'
import { createViews, type HistoryReader, type TokenView } from '../../query/view.ts'
import type { Decision, PairFound, Sample } from './sample.ts'

/**
 * Samples every launch at its decision times while a log is folded, and learns later in the same pass what became of it.
 * A sample is what was served then: it is taken before the first block after its slot.
 */
interface Sampler {
  /** everything due before the block at `slot` is folded */
  before(slot: number): void
  /** what the block just folded has shown */
  after(): void
  finish(): { readonly samples: Sample[]; readonly found: Found[] }
}

export type Found = Omit<PairFound, 'hidden'>

/** Slots after the launch. */
const AGES: readonly (readonly [Decision, number])[] = [
  ['t60', 150],
  ['t300', 750],
  ['t900', 2_250],
]
const SURVIVES = { ageSlots: 27_000, tradeSlots: 2_250 }
/** `falls_20m`: below this share of the migration price within so many slots of migrating. */
const FALLS = { slots: 3_000, share: 0.3 }

/** One launch on its way to its labels. */
interface Watched {
  readonly id: number
  readonly createdSlot: number
  readonly samples: Sample[]
  survives: boolean | null
  rugged: boolean | null
  ruggedSlot: number
  graduated: boolean | null
  falls: boolean | null
  migrationPrice: number
}

export function createSampler(
  engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>,
  store: HistoryReader,
  options: { readonly samples: boolean },
): Sampler {
  const { globals } = engine
  const watched: Watched[] = []
  const found: Found[] = []
  const migrating = new Set<Watched>()
  const byId = new Map<number, Watched>()
  let nextToken = globals.nextToken
  const queues = createQueues(watched)
  // one view at a time: sampling is not serving
  const viewOf = (id: number): TokenView => createViews(engine, store, 1).byId(id)

  function take(one: Watched, decision: Decision): void {
    if (options.samples) one.samples.push(sampleOf(viewOf(one.id), decision))
  }

  function noticeNew(): void {
    for (; nextToken < globals.nextToken; nextToken++) {
      const token = engine.tokens.peekId(nextToken)?.token
      // a launch that was not seen has no age
      if (token === undefined || !token.createdKnown) continue
      const one: Watched = {
        id: token.id,
        createdSlot: token.createdSlot,
        samples: [],
        survives: null,
        rugged: null,
        ruggedSlot: -1,
        graduated: null,
        falls: null,
        migrationPrice: 0,
      }
      watched.push(one)
      byId.set(one.id, one)
    }
  }

  function noticeMigrations(): void {
    for (let i = globals.migrated.length - 1; i >= 0; i--) {
      const one = byId.get(globals.migrated[i]!)
      if (one === undefined) continue
      if (one.migrationPrice > 0) return
      const { token } = engine.tokens.peekId(one.id)!
      one.migrationPrice = priceOf(token)
      take(one, 'migration')
      migrating.add(one)
    }
  }

  function followMigrated(): void {
    for (const one of migrating) {
      const { token } = viewOf(one.id).live
      if (globals.slot - token.migratedSlot > FALLS.slots) {
        one.falls ??= false
        migrating.delete(one)
      } else if (priceOf(token) < one.migrationPrice * FALLS.share) one.falls = true
    }
  }

  return {
    before(slot) {
      for (const [decision, age] of AGES) queues.due(decision, age, slot, (one) => take(one, decision))
      queues.due('hour', SLOTS.hour, slot, (one) => {
        const { live, wallet } = viewOf(one.id)
        one.ruggedSlot = live.token.ruggedSlot
        one.rugged = one.ruggedSlot >= 0
        found.push(groupsOf(live, wallet))
      })
      queues.due('survives', SURVIVES.ageSlots, slot, (one) => {
        one.survives = isAlive(viewOf(one.id).live.token, globals.slot)
      })
      queues.due('day', SLOTS.day, slot, (one) => {
        one.graduated = isMigrated(viewOf(one.id).live.token)
        byId.delete(one.id)
      })
    },
    after() {
      noticeNew()
      noticeMigrations()
      if (migrating.size > 0) followMigrated()
    },
    finish: () => ({ samples: watched.flatMap(withLabels), found }),
  }
}

/** Launches come in order of slot, so those due at one age are a moving place in the list. */
function createQueues(watched: readonly Watched[]) {
  const places = new Map<string, number>()
  return {
    due(name: string, age: number, slot: number, act: (one: Watched) => void): void {
      let place = places.get(name) ?? 0
      while (place < watched.length && watched[place]!.createdSlot + age < slot) act(watched[place++]!)
      places.set(name, place)
    },
  }
}

const isAlive = (token: Token, slot: number): boolean =>
  !isDead(token, slot) && token.ruggedSlot < 0 && slot - token.lastTradeSlot <= SURVIVES.tradeSlots

function groupsOf(live: TokenView['live'], wallet: TokenView['wallet']): Found {
  const groups = live.bundles.groups
    .filter((group) => group.mergedInto < 0 && group.confirmedSlot >= 0)
    .map((group) => group.members.map((id) => keyToBase58(wallet(id).address)))
  return { mint: keyToBase58(live.token.mint), groups }
}

const withLabels = (one: Watched): Sample[] =>
  one.samples.map((sample) => ({
    ...sample,
    labels: {
      graduated_24h: one.graduated,
      survives_3h: one.survives,
      // what has happened already cannot be foreseen
      rugged_1h: one.ruggedSlot >= 0 && one.ruggedSlot <= sample.slot ? null : one.rugged,
      falls_20m: one.falls,
    },
  }))

const NO_LABELS = { graduated_24h: null, survives_3h: null, rugged_1h: null, falls_20m: null }

function sampleOf(view: TokenView, decision: Decision): Sample {
  const { live, slot, wallet } = view
  const { token } = live
  const reading = view.reading()
  const conditions = view.conditions()
  const { metrics, holders } = reading
  const raw = rawScore(metrics) ?? 0
  const top10 = holders.top.reduce((sum, { balance }) => sum + balance, 0)
  const isBundled = live.bundles.groups.some(({ members }) =>
    members.some((id) => {
      const position = live.positions.get(id)
      return position !== undefined && confirmedGroup(live.bundles, position) !== null
    }),
  )
  return {
    mint: keyToBase58(token.mint),
    deployer: token.deployer < 0 ? null : keyToBase58(wallet(token.deployer).address),
    createdSlot: token.createdSlot,
    decision,
    slot,
    score: scoreGroup(reading).value,
    mcap: token.mcap,
    trades: token.trades,
    buyers: token.buyers,
    metrics: {
      ...Object.fromEntries(METRICS.map((metric) => [API_NAME[metric], metrics[metric]])),
      in_profit_pct: metrics.inProfit,
      chart_nukers_pct: metrics.dumpers === null ? null : percent(reading.shares.nukers),
      diamond_hands_pct: percent(reading.shares.diamond),
      holders_count: holders.count,
      top_10_pct: share(top10, token.supply),
      kols_count: reading.kols.length,
      bundled: isBundled ? 1 : 0,
      pump_conditions_met: conditions === null ? null : countPump(conditions),
      dump_conditions_met: conditions === null ? null : countDump(conditions),
    },
    withoutMetric: {
      none: raw,
      ...Object.fromEntries(METRICS.map((metric) => [API_NAME[metric], rawScore(metrics, metric) ?? 0])),
    },
    ratings: { ...ratingsOf(reading, conditions) },
    labels: NO_LABELS,
  }
}
