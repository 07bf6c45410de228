import { setImmediate as turn } from 'node:timers/promises'
import { LIMITS } from '@ti/service/config/limits.ts'
import { pause } from '@ti/service/source/clock.ts'
import type { Source, SourceCursor, SourceItem } from '@ti/service/source/source.ts'
import { readBlock } from '@ti/service/source/wire/reader.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import { createEmitter } from './emit.ts'
import { writeFact } from './facts.ts'
import { createMarket, SLOT_SECONDS } from './market.ts'
import type { SlotPlan } from './plan.ts'
import { KIND_RULES, type RuleOptions, rulesOf } from './rules.ts'
import type { TruthToken } from './truth.ts'

export interface SimulatorOptions extends RuleOptions {
  readonly seed: number
  /** trades a second, on average */
  readonly tps: number
  /** slots of history made as fast as possible before an empty store goes live */
  readonly warmup: number
  /** 1: live, block times are now; 0: as fast as possible, block times from `startTime` */
  readonly speed: 0 | 1
  readonly startSlot: number
  /** Unix seconds of the first slot when speed is 0 */
  readonly startTime: number
  /** ends after so many slots or trades; null: never */
  readonly slots: number | null
  readonly trades: number | null
  /** slots after the first from which three times as many launches graduate; null: never */
  readonly surge: number | null
}

export const SIMULATOR_DEFAULTS: SimulatorOptions = {
  seed: 1,
  tps: 60,
  warmup: 9_000,
  speed: 1,
  startSlot: 300_000_000,
  startTime: 1_760_000_000,
  slots: null,
  trades: null,
  surge: null,
  ...KIND_RULES,
}

/** Slots between two turns for timers and sockets while nothing is waited for. */
const SLOTS_PER_TURN = 256
/** Milliseconds behind real time after which the schedule starts anew (the machine slept) instead of catching up. */
const LATE_MS = 60_000

/**
 * The simulated market as a source. With speed 0 the same options give the same bytes; with speed 1 the same apart from
 * times, which are the wall clock's. After a cursor the market is brought there again without being written.
 */
export function createSimulator(options: Partial<SimulatorOptions> = {}): Simulator {
  const settings = { ...SIMULATOR_DEFAULTS, ...options }
  return {
    name: nameOf(settings),
    settings,
    items: (cursor, signal, onTruth) => run(settings, cursor, signal, onTruth),
  }
}

/** What distinguishes this market from others; nothing for market 1 with defaults. */
function nameOf({ seed, tps, market, traced, adversary, surge }: SimulatorOptions): string {
  const query = new URLSearchParams({ seed: `${seed}`, tps: `${tps}` })
  if (market !== KIND_RULES.market) query.set('market', `${market}`)
  if (traced !== null) query.set('traced', `${traced}`)
  if (adversary !== null) query.set('adversary', `${adversary}`)
  if (surge !== null) query.set('surge', `${surge}`)
  return `simulator:${query}`
}

/** A source that also knows who was behind each token. */
interface Simulator extends Source {
  readonly settings: SimulatorOptions
  /** `onTruth` gets each token once, in order of launch, when it is finished with: the last ones when the items end */
  items(cursor: SourceCursor, signal: AbortSignal, onTruth?: OnTruth): AsyncIterable<SourceItem>
}

type OnTruth = (token: TruthToken) => void

async function* run(
  settings: SimulatorOptions,
  cursor: SourceCursor,
  signal: AbortSignal,
  onTruth?: OnTruth,
): AsyncIterable<SourceItem> {
  const { seed, tps, startSlot } = settings
  const rules = rulesOf(settings)
  const market = createMarket({
    seed,
    tps,
    start: startSlot,
    truth: onTruth !== undefined,
    surge: settings.surge,
    rules,
  })
  const emit = createEmitter(seed)
  const clock = settings.speed === 0 ? replayClock(settings) : liveClock(settings, cursor)
  const last = settings.slots === null ? Number.POSITIVE_INFINITY : startSlot + settings.slots - 1
  const wanted = settings.trades ?? Number.POSITIVE_INFINITY
  // slots the chain went on for while nobody looked: the market has them, the reader does not
  const missed = clock.missed()
  let parent = startSlot - 1
  let trades = 0
  // facts items that the reader has already, of those that come after the cursor's block
  let had = cursor.facts
  for (let slot = startSlot; slot <= last && trades < wanted; slot++) {
    if (slot % SLOTS_PER_TURN === 0) await turn()
    if (signal.aborted) return
    const plan = market.step(slot)
    if (onTruth !== undefined) market.finished(slot).forEach(onTruth)
    if (settings.trades !== null) trades += tradesIn(plan)
    const from = parent
    if (!plan.skipped) parent = slot
    if (slot <= cursor.slot + missed) {
      if (slot > cursor.slot) had = 0
      continue
    }
    const wait = clock.wait(slot)
    if (wait > 0) await pause(wait, signal)
    if (signal.aborted) return
    const time = clock.time(slot)
    if (plan.facts.length > 0 && had-- <= 0)
      yield { kind: 'facts', time, facts: plan.facts.map((fact) => writeFact(seed, fact, time)) }
    if (plan.skipped) continue
    had = 0
    // through the wire and back: what is decoded is what a node would have sent
    yield { kind: 'raw', block: readBlock(writeBlock({ slot, parent: from, time, transactions: emit(plan, time) })) }
  }
  if (onTruth !== undefined) market.finished().forEach(onTruth)
}

function tradesIn(plan: SlotPlan): number {
  let trades = 0
  for (const { failed, actions } of plan.transactions) {
    if (!failed) for (const action of actions) if (action.kind === 'trade') trades++
  }
  return trades
}

interface Clock {
  /** slots behind the cursor that passed while the simulator was stopped */
  missed(): number
  /** milliseconds until the slot is due */
  wait(slot: number): number
  /** Unix seconds of its block, whole */
  time(slot: number): number
}

const replayClock = ({ startTime, startSlot }: SimulatorOptions): Clock => ({
  missed: () => 0,
  wait: () => 0,
  time: (slot) => Math.floor(startTime + (slot - startSlot) * SLOT_SECONDS),
})

/**
 * Warm-up lies before now at the nominal pace; then slots are due one by one and block times are now, never going back.
 * The harder market goes on while it is stopped, as the chain does: a restart leaves a gap of slots.
 */
function liveClock({ startSlot, warmup, market }: SimulatorOptions, cursor: SourceCursor): Clock {
  const warmNow = Date.now() / 1000
  const stopped = market === 2 && cursor.slot >= startSlot + warmup ? (warmNow - cursor.time) / SLOT_SECONDS : 0
  const missed = Math.max(0, Math.min(LIMITS.simulatorGapSlotsMax, Math.floor(stopped)))
  const live = Math.max(startSlot + warmup, cursor.slot + missed + 1)
  let due = 0
  let latest = cursor.time
  return {
    missed: () => missed,
    wait(slot) {
      if (slot < live) return 0
      const now = performance.now()
      if (slot === live || now - due > LATE_MS) due = now
      else due += SLOT_SECONDS * 1000
      return due - now
    },
    time(slot) {
      const now = Date.now() / 1000
      const moment = slot < live ? warmNow - (live - slot) * SLOT_SECONDS : now
      latest = Math.max(latest, Math.floor(moment))
      return latest
    },
  }
}
