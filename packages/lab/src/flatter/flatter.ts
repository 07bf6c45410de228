import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { Ratings } from '@ti/core/contract/resources.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { ratingsOf } from '@ti/core/query/ratings.ts'
import { createViews } from '@ti/core/query/view.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import { createRandom } from '../evaluate/random.ts'
import { createSimulator } from '../simulator/simulator.ts'
import type { TruthToken } from '../simulator/truth.ts'
import { createLayer, type Layer } from './layer.ts'
import { createOwnLogs, type Script, scriptOf } from './script.ts'
import { play } from './stage.ts'
import { TRICK_NAMES, TRICKS, type TrickName } from './tricks.ts'

/** Measures how far an adversary with a given budget can improve a planted rug's verdict (methodology, section 11). */

/** Lamports. */
export const BUDGETS = [100_000_000, 1_000_000_000, 10_000_000_000] as const
/** Slots after the end of an exit at which the verdict is read again: 23 s, 5 min, 15 min. */
const AFTER = [58, 750, 2_250]
/** The initial part of the market without rugs, because wallets have no history yet. */
const WARM = 0.3
/** The fewest slots between launch and exit that leave time for a trick. */
const TIME = 40

interface FlatterOptions {
  readonly seed: number
  readonly tps: number
  readonly slots: number
  /** The largest number of rugs tried, those with a red score first. */
  readonly rugs: number
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly update: (share: number) => void
}

export interface Verdict {
  readonly score: number
  readonly ratings: Ratings
}

/** Verdicts before the exit, at its end and some time later. */
interface Judged {
  readonly before: Verdict
  readonly after: readonly Verdict[]
  /** Lamports. */
  readonly net: number
}

export interface Attempt extends Judged {
  readonly trick: TrickName | 'best_two'
  readonly budget: number
}

export interface Rug {
  readonly mint: string
  readonly usual: Judged
  readonly attempts: readonly Attempt[]
}

export interface Flattery {
  readonly market: string
  readonly launches: number
  /** Planted rugs, and those whose exit leaves time. */
  readonly planted: number
  readonly rugs: readonly Rug[]
}

interface Candidate {
  readonly truth: TruthToken
  readonly mint: Key
  readonly exit: number
  readonly wallets: readonly Key[]
}

/** Simulates a market and tries every trick with every budget on its planted rugs. Deterministic. */
export async function flatter(options: FlatterOptions): Promise<Flattery> {
  const { name, entries, truth } = await simulate(options)
  const first = startOf(entries)
  const planted = truth.filter(({ fate, rugs = [] }) => fate === 'rug' && rugs.length > 0)
  const candidates = planted
    .filter(
      ({ slot, venue, completed }) => venue === 'pump' && completed === null && slot > first + options.slots * WARM,
    )
    .map(candidateOf)
    .filter(({ exit, truth: { slot } }) => exit - slot >= TIME && exit - first < options.slots)
  const logs = createOwnLogs(new Set(candidates.map(({ mint }) => mint)))
  for (const entry of decoded(entries)) logs.add(entry)
  const scripts = new Map<number, { candidate: Candidate; script: Script }[]>()
  for (const candidate of candidates) {
    const script = scriptOf(logs.of(candidate.mint), { slot: candidate.exit, wallets: candidate.wallets })
    if (script !== null) scripts.set(script.created, [...(scripts.get(script.created) ?? []), { candidate, script }])
  }
  const rugs = tryAll(entries, scripts, logs.firstImage(), options)
  return { market: name, launches: truth.length, planted: planted.length, rugs }
}

async function simulate({ seed, tps, slots, signal }: FlatterOptions) {
  const simulator = createSimulator({ seed, tps, slots, speed: 0, market: 2 })
  const truth: TruthToken[] = []
  const source = {
    ...simulator,
    items: (...[cursor, end]: Parameters<typeof simulator.items>) =>
      simulator.items(cursor, end, (token) => truth.push(token)),
  }
  const entries: Buffer[] = []
  const stream = createEntryStream(source)
  for await (const batch of stream.batches({ slot: -1, time: 0, facts: 0 }, signal)) entries.push(...batch)
  return { name: simulator.name, entries, truth }
}

function* decoded(entries: readonly Buffer[]): Iterable<LogEntry> {
  for (const [seq, bytes] of entries.entries()) yield decodeEntry(seq, bytes)
}

function startOf(entries: readonly Buffer[]): number {
  for (const entry of decoded(entries)) if (entry.kind === 'block') return entry.slot
  return 0
}

function candidateOf(truth: TruthToken): Candidate {
  const [rug] = truth.rugs!
  const persons = new Set(truth.rugs!.map(({ person }) => person))
  const wallets = truth.groups!.filter(({ person }) => persons.has(person)).flatMap((group) => group.wallets)
  return {
    truth,
    mint: keyFromBase58(truth.mint)!,
    exit: rug!.slot,
    wallets: [...new Set(wallets)].map((wallet) => keyFromBase58(wallet)!),
  }
}

type Scripts = ReadonlyMap<number, readonly { readonly candidate: Candidate; readonly script: Script }[]>
type Image = Extract<Fact, { kind: 'image_hash' }> | undefined

/** Folds the market. At the launch of each chosen rug, its life is replayed in separate states. */
function tryAll(entries: readonly Buffer[], scripts: Scripts, image: Image, options: FlatterOptions): Rug[] {
  const base = createLayer(null)
  const engine = createEngine({ reader: base, walletsCached: Number.MAX_SAFE_INTEGER })
  const rugs: Rug[] = []
  for (const [seq, bytes] of entries.entries()) {
    if (options.signal.aborted) break
    const entry = decodeEntry(seq, bytes)
    const due = entry.kind === 'block' ? (scripts.get(entry.slot) ?? []) : []
    if (due.length > 0) {
      base.write(engine.changes())
      engine.committed()
    }
    for (const { candidate, script } of due) {
      if (rugs.length < options.rugs) rugs.push(tryOne(base, candidate, script, image, options.seed))
    }
    options.update(seq / entries.length)
    engine.apply(seq, entry)
  }
  return rugs
}

function tryOne(base: Layer, { mint, truth }: Candidate, script: Script, image: Image, seed: number): Rug {
  const usual = judge(base, mint, script, 0)
  const means = (name: string) => ({ image, name, random: createRandom(seed, `${truth.mint} ${name}`) })
  const attempts: Attempt[] = []
  for (const budget of BUDGETS) {
    const tried = TRICK_NAMES.map((trick): Attempt => {
      return { trick, budget, ...judge(base, mint, TRICKS[trick](script, means(trick)), budget) }
    })
    const [best, second] = [...tried]
      .filter(({ trick }) => trick !== 'whole_curve')
      .sort((a, b) => b.before.score - a.before.score)
    const both = [best!, second!].reduce((on, { trick }) => TRICKS[trick as TrickName](on, means(trick)), script)
    attempts.push(...tried, { trick: 'best_two', budget, ...judge(base, mint, both, budget) })
  }
  return { mint: truth.mint, usual, attempts }
}

/** The verdict on a script that continues the state of `base`. */
function judge(base: Layer, mint: Key, script: Script, budget: number): Judged {
  const layer = createLayer(base)
  const engine = createEngine({ reader: layer, walletsCached: Number.MAX_SAFE_INTEGER })
  const slots = [script.exit - 1, ...AFTER.map((later) => script.end + later)]
  const { entries, net } = play(script, budget, slots)
  let seq = engine.globals.seq
  const verdicts: Verdict[] = []
  for (const entry of entries) {
    engine.apply(++seq, entry)
    if (entry.kind === 'block' && slots.includes(entry.slot)) {
      layer.write(engine.changes())
      engine.committed()
      const view = createViews(engine, layer, 1).find(mint)!
      const reading = view.reading()
      verdicts.push({ score: reading.score.value, ratings: ratingsOf(reading, view.conditions()) })
    }
  }
  const [before, ...after] = verdicts
  return { before: before!, after, net }
}
