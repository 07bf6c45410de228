import { createAgenda } from './agenda.ts'
import { createAgents } from './agents.ts'
import { createBlockProducer } from './block-producer.ts'
import { createCrews } from './crews.ts'
import { createCrowd } from './crowd.ts'
import { createExits } from './exits.ts'
import { createFacts } from './facts.ts'
import { createFunding } from './funding.ts'
import { createGroups } from './groups.ts'
import { createKinds } from './kinds.ts'
import { createLaunches } from './launches.ts'
import { createPeople } from './people.ts'
import type { PlannedFact, SlotPlan } from './plan.ts'
import { createRandom } from './random.ts'
import { type Rules, rulesOf, USUAL_MARKET } from './rules.ts'
import { createSpecies } from './species.ts'
import type { SimToken } from './tokens.ts'
import { createTraders, PROFILES, type Wallet } from './traders.ts'
import { createTruthBook, type TruthToken } from './truth.ts'

/** Nominal seconds per slot. */
export const SLOT_SECONDS = 0.4
/** Mean trades per token, as in June 2026. */
const TRADES_PER_TOKEN = 175
/** The initial burst of launches, as if the market had existed before: slots, and multiple of the usual rate. */
const OPENING = { slots: 40, factor: 40 }
/** The probability of a skipped slot. */
const SKIPPED = 0.006
/** A day has a busy and a quiet half: slots, and the relative deviation of the busiest and quietest hour. */
const DAY = { slots: 216_000, swing: 1 / 3 }
/** The multiple of a token's trades after the surge, which gives about three times the graduations. */
const SURGE = 3
const LISTED = ['kol', 'agent'] as const

interface MarketOptions {
  readonly seed: number
  /** Trades per second, on average. */
  readonly tps: number
  readonly start: number
  /** True if the truth is collected through `finished`. */
  readonly truth?: boolean
  /** Slots after `start` from which tokens draw more trades and more of them graduate; never by default. */
  readonly surge?: number | null
  readonly rules?: Rules
}

/** Decides all trades, drawn from the seed slot by slot. Writes nothing. */
interface Market {
  step(slot: number): SlotPlan
  /** Tokens whose life ended by `slot`, or all remaining ones; in order of launch, each once. */
  finished(slot?: number): TruthToken[]
}

export function createMarket(options: MarketOptions): Market {
  const { seed, tps, start, truth: wanted = false, rules = rulesOf(USUAL_MARKET) } = options
  const surge = options.surge ?? Number.POSITIVE_INFINITY
  const random = createRandom(seed, 0x3a2ce7, 7)
  const traders = createTraders(seed)
  const agenda = createAgenda(start)
  const facts = createFacts(seed, start)
  const funding = createFunding({ seed, start, ...rules, later: facts.later })
  const truth = createTruthBook(seed, wanted)
  const crowd = createCrowd()
  const complete = (token: SimToken, slot: number) => launches.complete(token, slot)
  const traded = (token: SimToken, wallet: Wallet, slot: number) => species.traded(token, wallet, slot)
  const producer = createBlockProducer({
    seed,
    random,
    traders,
    agenda,
    crowd,
    funding,
    truth,
    rules,
    ranges: createRandom(seed, 0x7a26e5, 9),
    complete,
    traded,
  })
  const people = createPeople(producer)
  const crews = createCrews(traders, random, createRandom(seed, 0xb055, 5))
  const exits = createExits(producer, people)
  const groups = createGroups(producer, people, crews, exits)
  const kinds = createKinds(producer, people, crews, exits)
  const species = createSpecies(producer, people)
  const launches = createLaunches(producer, people, groups, species, kinds)

  const agents = rules.kinds > 0 ? createAgents(producer, people) : null

  function trade(slot: number): SimToken[] {
    const launched: SimToken[] = []
    const trades = tps * SLOT_SECONDS * activity(slot - start)
    const rush = slot - start < OPENING.slots ? OPENING.factor : 1
    if (slot === start) launches.inherit(slot, tps)
    producer.owe(random.poisson(slot >= start + surge ? trades * SURGE : trades))
    for (let n = random.poisson((trades / TRADES_PER_TOKEN) * rush); n > 0; n--) launched.push(launches.launch(slot))
    for (const appointment of agenda.due(slot)) appointment(slot)
    crowd.weigh()
    agents?.act(slot)
    // a token between completion and migration accepts no buyer; the number of attempts is bounded
    for (let tries = Math.max(0, producer.owed) * 2; producer.owed > 0 && !crowd.idle && tries > 0; tries--) {
      people.come(crowd.draw(random), slot)
    }
    return launched
  }

  /** The tracked influencers and the listed agents, known from the first slot on. */
  function listed(): PlannedFact[] {
    return LISTED.slice(0, rules.kinds > 0 ? 2 : 1).flatMap((kind) =>
      Array.from({ length: PROFILES[kind].wallets }, (_, n): PlannedFact => {
        return { kind, wallet: traders.wallet(kind, n), name: `${kind}-${n}` }
      }),
    )
  }

  return {
    step(slot) {
      const skipped = slot !== start && random.chance(SKIPPED)
      const launched = skipped ? [] : trade(slot)
      const known = facts.step(slot, launched)
      return { slot, skipped, transactions: producer.take(), facts: slot === start ? [...listed(), ...known] : known }
    },
    finished: (slot) => (slot === undefined ? truth.rest() : truth.step(slot)),
  }
}

/** The relative activity by slots since the start: rises, then falls; twice as high at the peak as at the low. */
const activity = (slots: number): number => 1 + DAY.swing * Math.sin((2 * Math.PI * slots) / DAY.slots)
