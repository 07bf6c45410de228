import { keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { SLOTS } from '@ti/core/engine/constants.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { isDead } from '@ti/core/engine/tokens.ts'
import { FAMILIES } from '@ti/core/model/bundles.ts'
import type { Outlook as Counts } from '@ti/core/model/outlook.ts'
import type { Token } from '@ti/core/model/state.ts'
import { ratingsOf } from '@ti/core/query/ratings.ts'
import { createViews, type HistoryReader, type TokenView } from '@ti/core/query/view.ts'
import type { Case, Foretold, Seen } from './cases.ts'
import { answer, isAtRisk, type Path, type Paths, standingAt } from './outcomes.ts'
import { AGES, HORIZON, QUESTIONS, type Question } from './questions.ts'
import type { RugFound } from './rugs.ts'
import type { Counted, Greens, PairEvidence, PairFound } from './sample.ts'

/** Predicts a token's outcomes; null where there is no prediction. */
/** `slot`: the slot of the question; the last block may be before it. */
export type Outlook = (view: TokenView, counts: Counts, slot: number) => Readonly<Record<Question, Foretold | null>>

type Found = Omit<PairFound, 'hidden'>

export interface Watched {
  readonly cases: readonly Case[]
  readonly found: readonly Found[]
  /** Only in passes over groups alone: groups a minute after the launch, and the evidence after an hour. */
  readonly early: readonly Found[]
  readonly evidence: readonly PairEvidence[]
  readonly flagged: readonly RugFound[]
  readonly greens: Greens
}

/** percent of supply above which phantom balances exclude a green score */
const PHANTOM_PCT = 1
/** slots */
const MINUTE = 150

/** Observes every launch at its ages while a log is folded, before the first block after each. */
interface Watch {
  /** Everything due before the block at `slot` is folded. */
  before(slot: number): void
  /** The block just folded may have added launches. */
  after(): void
  finish(paths: Paths): Watched
}

interface Launch {
  readonly id: number
  readonly mint: Key
  readonly createdSlot: number
}

/** With `outlook` null it observes only groups, as when evidence is hidden. */
export function createWatch(
  engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>,
  store: HistoryReader,
  outlook: Outlook | null,
): Watch {
  const { globals } = engine
  const launches: Launch[] = []
  const seen: Seen[] = []
  const found: Found[] = []
  const early: Found[] = []
  const evidence: PairEvidence[] = []
  const greens: Tally = { dead: 0, deadGreen: 0, phantom: 0, phantomGreen: 0 }
  const due = createQueues(launches)
  let nextToken = globals.nextToken
  // a cache of one view, because nothing is served
  const viewOf = (id: number): TokenView => createViews(engine, store, 1).byId(id)

  function read(id: number, slot: number): Seen {
    const view = viewOf(id)
    return seenOf(view, slot, outlook!(view, globals.outlook, slot))
  }

  function look(launch: Launch, age: number): void {
    const one = read(launch.id, launch.createdSlot + age)
    count(greens, one)
    seen.push(one)
  }

  return {
    before(slot) {
      if (outlook !== null) for (const age of AGES) due(age, slot, (launch) => look(launch, age))
      if (outlook === null) due(MINUTE, slot, ({ id }) => early.push(groupsOf(viewOf(id))), 'early groups')
      due(
        SLOTS.hour,
        slot,
        ({ id }) => {
          const view = viewOf(id)
          found.push(groupsOf(view))
          if (outlook === null) evidence.push(evidenceOf(view))
        },
        'groups',
      )
    },
    after() {
      for (; nextToken < globals.nextToken; nextToken++) {
        const token = engine.tokens.peekId(nextToken)?.token
        // a launch that was not seen has no age
        if (token?.createdKnown) launches.push({ id: token.id, mint: token.mint, createdSlot: token.createdSlot })
      }
    },
    finish(paths) {
      const flagged = launches.map(({ id, mint }) => flagsOf(viewOf(id).live.token, paths.of(mint)))
      if (outlook !== null) for (const { id } of launches) count(greens, read(id, globals.slot))
      const mints = new Map(launches.map(({ mint }) => [keyToBase58(mint), mint]))
      const cases = seen.map((one) => withAnswers(one, paths, mints.get(one.mint)!, globals.slot))
      return { cases, found, early, evidence, flagged, greens }
    },
  }
}

/** Launches come in order of slot, so those due at one age are a moving index into the list. */
function createQueues(launches: readonly Launch[]) {
  const places = new Map<string, number>()
  return (age: number, slot: number, act: (launch: Launch) => void, name = `${age}`): void => {
    let place = places.get(name) ?? 0
    while (place < launches.length && launches[place]!.createdSlot + age < slot) act(launches[place++]!)
    places.set(name, place)
  }
}

type Tally = { -readonly [Name in keyof Greens]: number }

function count(greens: Tally, { dead, phantomPct, colour }: Seen): void {
  const green = colour === 'green' ? 1 : 0
  if (dead) {
    greens.dead++
    greens.deadGreen += green
  }
  if (phantomPct > PHANTOM_PCT) {
    greens.phantom++
    greens.phantomGreen += green
  }
}

function flagsOf({ mint, drainedSlot, ruggedSlot }: Token, path: Path | undefined): RugFound {
  const deployerSold = path?.sales.some(({ user }) => user === path.deployer) ?? false
  return { mint: keyToBase58(mint), drainedSlot, ruggedSlot, deployerSold }
}

function groupsOf({ live, wallet }: TokenView): Found {
  const groups = live.bundles.groups
    .filter((group) => group.mergedInto < 0 && group.confirmedSlot >= 0)
    .map((group) => group.members.map((id) => keyToBase58(wallet(id).address)))
  return { mint: keyToBase58(live.token.mint), groups }
}

function evidenceOf({ live, wallet }: TokenView): PairEvidence {
  const address = (id: number): string => keyToBase58(wallet(id).address)
  const pairs = live.bundles.pairs.map((pair) => ({
    ...{
      a: address(pair.a),
      b: address(pair.b),
      families: FAMILIES.filter((_, n) => (pair.families & (1 << n)) !== 0),
    },
  }))
  return { mint: keyToBase58(live.token.mint), wallets: live.token.buyers, pairs }
}

function seenOf(view: TokenView, slot: number, foretold: Seen['foretold']): Seen {
  const { live, wallet } = view
  const { token } = live
  const reading = view.reading()
  return {
    mint: keyToBase58(token.mint),
    deployer: token.deployer < 0 ? null : keyToBase58(wallet(token.deployer).address),
    createdSlot: token.createdSlot,
    age: slot - token.createdSlot,
    slot,
    holders: reading.holders.count,
    mcap: token.mcap,
    score: reading.score.value,
    colour: ratingsOf(reading, null).score,
    dead: isDead(token, slot),
    phantomPct: reading.life.phantomPct,
    isTraded: token.lastFreeTradeSlot >= 0 && slot - token.lastFreeTradeSlot <= HORIZON.buyer,
    foretold,
  }
}

function withAnswers(seen: Seen, paths: Paths, mint: Key, lastSlot: number): Case {
  const path = paths.of(mint)
  const standing = path === undefined ? null : standingAt(path, seen.slot)
  const answered = QUESTIONS.map((question) => {
    const isOpen = standing !== null && !seen.dead && (question !== 'buyer' || seen.isTraded)
    const asked = isOpen && isAtRisk(question, standing)
    return [question, asked ? answer(question, path!, seen.slot, lastSlot) : null] as const
  })
  return {
    ...seen,
    real: standing?.real ?? null,
    multiple: standing?.multiple ?? null,
    answers: Object.fromEntries(answered) as Case['answers'],
  }
}

/** Outcomes of the questions for which the service made a prediction. */
export const countedIn = (cases: readonly Case[]): Readonly<Record<Question, Counted>> =>
  Object.fromEntries(
    QUESTIONS.map((question) => {
      const known = cases.filter(({ answers, foretold }) => answers[question] !== null && foretold[question] !== null)
      return [question, { n: known.length, hits: known.filter(({ answers }) => answers[question]).length }]
    }),
  ) as Record<Question, Counted>
