import { keyFromBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import { createEntryStream } from '@ti/service/ingest/entries.ts'
import { decodeEntry } from '@ti/service/log/codec.ts'
import type { Colour } from '../evaluate/looks.ts'
import { createRandom } from '../evaluate/random.ts'
import { colourOf } from '../evaluate/verdict.ts'
import { TOTAL_SUPPLY } from '../simulator/curve.ts'
import { createSimulator } from '../simulator/simulator.ts'
import type { TruthToken } from '../simulator/truth.ts'
import { DUST, GRIEF_NAMES, GRIEFS } from './griefing.ts'
import { createLayer, type Layer } from './layer.ts'
import { createOwnLogs, type ImageFact, type Script, scriptOf } from './script.ts'
import { play } from './stage.ts'
import { stranger, TRICK_NAMES, TRICKS, withSteps } from './tricks.ts'

/** Replays launches of a simulated market with a trick put between, and reads the verdict with and without it. */

/** Lamports that may be out because of a trick at any moment. */
export const BUDGETS = [100_000_000, 1_000_000_000, 10_000_000_000] as const
/** Slots after the end of an exit, or of a trick on a rival, at which the verdict is read: 23 s, 5 min, 15 min. */
const AFTER = [58, 750, 2_250]
/** The initial part of the market from which no launch is taken, because wallets have no history yet. */
const WARM = 0.3
/** Fewest slots between launch and exit that leave time for a trick. */
const TIME = 40
/** Buyers after which a rival is attacked, at the latest so many slots after its launch. */
const RIVAL = { buyers: 20, slots: 2_000 }

interface FlatterOptions {
  readonly seed: number
  readonly market: number
  readonly tps: number
  readonly slots: number
  /** The largest number of rugs, and of rivals. */
  readonly most: number
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly update: (share: number) => void
}

/** Readings of one replay at its slots; held: share of supply with the adversary. */
interface Judged {
  readonly colours: readonly Colour[]
  readonly held: readonly number[]
  /** Lamports. */
  readonly net: number
}

export interface Attempt extends Judged {
  readonly trick: string
  readonly budget: number
}

/** A launch, as it was, with dust bought by a stranger who means nothing by it, and with each trick. */
export interface Trial {
  readonly mint: string
  readonly usual: Judged
  readonly control: Judged
  readonly attempts: readonly Attempt[]
}

export interface Flattery {
  readonly market: string
  /** Planted rugs that want to look good, and honest launches that a griefer wants to look bad. */
  readonly rugs: readonly Trial[]
  readonly rivals: readonly Trial[]
  /** Honest launches that were red at every reading without any trick, and so not tried. */
  readonly red: number
}

interface Candidate {
  readonly mint: Key
  readonly isRival: boolean
  readonly script: Script
}

/** Deterministic. */
export async function flatter(options: FlatterOptions): Promise<Flattery> {
  const { name, entries, truth } = await simulate(options)
  const first = truth[0]?.slot ?? 0
  const wanted = truth.filter(({ slot, venue, completed }) => {
    return venue === 'pump' && completed === null && slot > first + options.slots * WARM
  })
  const logs = createOwnLogs(new Set(wanted.map(({ mint }) => keyFromBase58(mint)!)))
  for (const [seq, bytes] of entries.entries()) logs.add(decodeEntry(seq, bytes))
  const candidates = wanted.flatMap((token): Candidate[] => {
    const mint = keyFromBase58(token.mint)!
    const isRival = token.fate !== 'rug' && token.groups.length === 0
    const exit = isRival ? momentOf(logs.of(mint).blocks) : exitOf(token)
    const script = exit === null ? null : scriptOf(logs.of(mint), exit)
    const last = first + options.slots
    return script === null || script.exit - script.created < TIME || script.exit > last
      ? []
      : [{ mint, isRival, script }]
  })
  return { market: name, ...tryAll(entries, candidates, { image: logs.firstImage(), truth }, options) }
}

async function simulate({ seed, market, tps, slots, signal }: FlatterOptions) {
  const simulator = createSimulator({ seed, tps, slots, speed: 0, market })
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

const walletsOf = (groups: TruthToken['groups']): Key[] =>
  [...new Set(groups.flatMap(({ wallets }) => wallets))].map((wallet) => keyFromBase58(wallet)!)

/** The exit of those who rug it; null for others. */
function exitOf({ rugs, groups }: TruthToken): Parameters<typeof scriptOf>[1] | null {
  const [rug] = rugs
  if (rug === undefined) return null
  const persons = new Set(rugs.map(({ person }) => person))
  return { slot: rug.slot, wallets: walletsOf(groups.filter(({ person }) => persons.has(person))) }
}

/** The moment at which an honest launch has its buyers; null if it never has. */
function momentOf(blocks: ReturnType<ReturnType<typeof createOwnLogs>['of']>['blocks']) {
  const buyers = new Set<Key>()
  for (const { slot, events } of blocks) {
    for (const event of events) if (event.kind === 'trade' && event.isBuy) buyers.add(event.user)
    if (slot > blocks[0]!.slot + RIVAL.slots) return null
    if (buyers.size >= RIVAL.buyers && slot >= blocks[0]!.slot + TIME) return { slot, wallets: [] }
  }
  return null
}

interface World {
  readonly image: ImageFact | undefined
  readonly truth: readonly TruthToken[]
}

/** Folds the market. At each chosen launch, its life is replayed in states of its own. */
function tryAll(entries: readonly Buffer[], candidates: readonly Candidate[], world: World, options: FlatterOptions) {
  const base = createLayer(null)
  const engine = createEngine({ reader: base, walletsCached: Number.MAX_SAFE_INTEGER })
  const rugs: Trial[] = []
  const rivals: Trial[] = []
  let red = 0
  for (const [seq, bytes] of entries.entries()) {
    if (options.signal.aborted) break
    const entry: LogEntry = decodeEntry(seq, bytes)
    const due = entry.kind === 'block' ? candidates.filter(({ script }) => script.created === entry.slot) : []
    const wanted = due.filter(({ isRival }) => (isRival ? rivals : rugs).length < options.most)
    if (wanted.length > 0) {
      base.write(engine.changes())
      engine.committed()
    }
    for (const one of wanted) {
      const usual = judge(base, one.mint, one.script, 0)
      if (one.isRival && usual.colours.every((colour) => colour === 'red' || colour === 'over')) red++
      else (one.isRival ? rivals : rugs).push(tryOne(base, one, usual, world, options.seed))
    }
    options.update(seq / entries.length)
    engine.apply(seq, entry)
  }
  return { rugs, rivals, red }
}

function tryOne(
  base: Layer,
  { mint, isRival, script }: Candidate,
  usual: Judged,
  { image, truth }: World,
  seed: number,
): Trial {
  const name = `${mint.slice(0, 8)}`
  const rug = truth.findLast(({ rugs, groups }) => groups.length > 0 && rugs.some(({ slot }) => slot < script.created))
  const griefer = rug === undefined ? null : { rugger: walletsOf(rug.groups)[0]!, rugged: keyFromBase58(rug.mint)! }
  const isKnown = (wallet: Key): boolean => base.walletIdByAddress(wallet) !== undefined
  const scripts = isRival
    ? GRIEF_NAMES.flatMap((trick) =>
        griefer === null
          ? []
          : [{ trick, changed: GRIEFS[trick](script, { ...griefer, name: `${name}${trick}`, isKnown }) }],
      )
    : TRICK_NAMES.map((trick) => {
        const means = { image, name: `${name}${trick}`, random: createRandom(seed, `${mint} ${trick}`) }
        return { trick, changed: TRICKS[trick](script, means) }
      })
  const attempts = scripts.flatMap(({ trick, changed }) =>
    BUDGETS.map((budget): Attempt => ({ trick, budget, ...judge(base, mint, changed, budget) })),
  )
  const dust = { kind: 'buy', slot: script.exit, wallet: stranger(`${name}nobody`, 0), lamports: DUST } as const
  const control = judge(base, mint, withSteps(script, [dust]), BUDGETS[0])
  return { mint, usual, control, attempts }
}

/** The verdict on a script that continues the state of `base`. */
function judge(base: Layer, mint: Key, script: Script, budget: number): Judged {
  const layer = createLayer(base)
  const engine = createEngine({ reader: layer, walletsCached: Number.MAX_SAFE_INTEGER })
  const { views } = createQuery({ engine, store: layer })
  const slots = [script.exit - 1, ...AFTER.map((later) => script.end + later)]
  const { entries, net, held } = play(script, budget, slots)
  let seq = engine.globals.seq
  const colours: Colour[] = []
  for (const entry of entries) {
    engine.apply(++seq, entry)
    if (entry.kind !== 'block' || !slots.includes(entry.slot)) continue
    layer.write(engine.changes())
    engine.committed()
    colours.push(colourOf(views.find(mint)!).colour)
  }
  return { colours, net, held: held.map((tokens) => tokens / TOTAL_SUPPLY) }
}
