import { setImmediate as turn } from 'node:timers/promises'
import { pause } from '@ti/service/base/clock.ts'
import type { Source, SourceCursor, SourceItem } from '@ti/service/source/source.ts'
import { readBlock } from '@ti/service/source/wire/reader.ts'
import { writeBlock } from '@ti/service/source/wire/writer.ts'
import { createEmitter } from './emit.ts'
import { writeFact } from './facts.ts'
import { createMarket, SLOT_SECONDS } from './market.ts'
import type { SlotPlan } from './plan.ts'
import { type RuleOptions, rulesOf, USUAL_MARKET } from './rules.ts'
import type { TruthToken } from './truth.ts'

/** slots (a day) that a stopped simulator is behind at most when it goes on: each is made again, some 0.4 ms */
const SIMULATOR_GAP_SLOTS_MAX = 216_000

export interface SimulatorOptions extends RuleOptions {
  readonly seed: number
  /** Trades per second, on average. */
  readonly tps: number
  /** Slots of history made as fast as possible before an empty store goes live. */
  readonly warmup: number
  /** 1: live, with current block times; 0: as fast as possible, with block times from `startTime`. */
  readonly speed: 0 | 1
  readonly startSlot: number
  /** Unix seconds of the first slot if speed is 0. */
  readonly startTime: number
  /** Ends after this many slots or trades; null for never. */
  readonly slots: number | null
  readonly trades: number | null
  /** Slots after the first from which three times as many launches graduate; null for never. */
  readonly surge: number | null
}

export const SIMULATOR_DEFAULTS: SimulatorOptions = {
  seed: 1,
  tps: 60,
  warmup: 4_500,
  speed: 1,
  startSlot: 300_000_000,
  startTime: 1_760_000_000,
  slots: null,
  trades: null,
  surge: null,
  ...USUAL_MARKET,
}

/** Slots between two turns of the event loop while nothing is awaited. */
const SLOTS_PER_TURN = 256
/** Milliseconds of delay after which the schedule restarts instead of catching up, as after a suspend. */
const LATE_MS = 60_000

/**
 * The simulated market as a source. With speed 0 the same options give the same bytes; with speed 1 the same except for
 * times, which are the clock's. After a cursor the market is replayed up to it without being written.
 */
export function createSimulator(options: Partial<SimulatorOptions> = {}): Simulator {
  const settings = { ...SIMULATOR_DEFAULTS, ...options }
  return {
    name: nameOf(settings),
    chain: async () => nameOf(settings),
    settings,
    items: (cursor, signal, onTruth) => run(settings, cursor, signal, onTruth),
  }
}

/** The market's name, which is also that of its chain: all options that make it, if they are not its defaults. */
function nameOf({ seed, tps, market, startSlot, traced, adversary, kinds, surge }: SimulatorOptions): string {
  const query = new URLSearchParams({ seed: `${seed}`, tps: `${tps}`, market: `${market}` })
  if (startSlot !== SIMULATOR_DEFAULTS.startSlot) query.set('start', `${startSlot}`)
  if (traced !== null) query.set('traced', `${traced}`)
  if (adversary !== null) query.set('adversary', `${adversary}`)
  if (kinds !== null) query.set('kinds', `${kinds}`)
  if (surge !== null) query.set('surge', `${surge}`)
  return `simulator:${query}`
}

/** A source that also provides the truth about each token. */
interface Simulator extends Source {
  readonly settings: SimulatorOptions
  /** `onTruth` receives each token once, in order of launch, when its life or the items have ended. */
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
  // slots that the chain advanced while the simulator was stopped: simulated but not delivered
  const missed = clock.missed()
  let parent = startSlot - 1
  let trades = 0
  // facts items after the cursor's block that the reader already has
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
    // encoded and decoded, so that blocks are as a node would have sent them
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
  /** Slots after the cursor that passed while the simulator was stopped. */
  missed(): number
  /** Milliseconds until the slot is due. */
  wait(slot: number): number
  /** Whole Unix seconds of its block. */
  time(slot: number): number
}

const replayClock = ({ startTime, startSlot }: SimulatorOptions): Clock => ({
  missed: () => 0,
  wait: () => 0,
  time: (slot) => Math.floor(startTime + (slot - startSlot) * SLOT_SECONDS),
})

/**
 * The warm-up lies in the past at the nominal pace. Then slots become due one by one, and block times are current and
 * never decrease. The market advances while it is stopped, like the chain, so a restart
 * leaves a gap of slots.
 */
function liveClock({ startSlot, warmup }: SimulatorOptions, cursor: SourceCursor): Clock {
  const warmNow = Date.now() / 1000
  const stopped = cursor.slot >= startSlot + warmup ? (warmNow - cursor.time) / SLOT_SECONDS : 0
  const missed = Math.max(0, Math.min(SIMULATOR_GAP_SLOTS_MAX, Math.floor(stopped)))
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
