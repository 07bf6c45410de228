import { createAdversary } from './adversary.ts'
import type { BlockProducer } from './block-producer.ts'
import { createBots } from './bots.ts'
import type { Crews } from './crews.ts'
import type { Exits } from './exits.ts'
import { createFlatterers } from './flatterers.ts'
import { createFleets } from './fleets.ts'
import { createGriefers } from './griefers.ts'
import { createGrown } from './grown.ts'
import { createHonest } from './honest.ts'
import { createPanics } from './panics.ts'
import type { People } from './people.ts'
import { createQuietFarms } from './quiet-farms.ts'
import { drawsFrom } from './ranges.ts'
import { createServices } from './services.ts'
import type { SimToken } from './tokens.ts'
import type { Wallet } from './traders.ts'
import type { LaunchKind } from './truth.ts'

/** Share of launches whose curve sells out in the slot of its creation. */
const WHOLE_CURVE = 0.0035
/** Shares of the kinds that only market 3 has. Each market has its own within these. */
const SHARES = {
  quiet_farm: [0.006, 0.014],
  flattered: [0.003, 0.007],
  panic: [0.004, 0.009],
  griefed: [0.004, 0.009],
  grown: [0.0015, 0.004],
  service: [0.08, 0.16],
} as const

/** Ways to launch. */
export interface Birth {
  /** Registers a launch of this deployer, whose transaction is still to come; `copies`: a launch that it copies. */
  token(deployer: Wallet, slot: number, copies?: SimToken): SimToken
  /** Launches as most people do; `buys`: whether the deployer may buy. */
  usual(slot: number, options?: { readonly buys: boolean }): SimToken
}

/** Launches a token, and schedules what becomes of it. */
export type KindOfLaunch = (born: Birth, slot: number) => SimToken

/** Launches by others than ordinary people and serial ruggers. */
export interface Kinds {
  /** The launch, or null for a usual one. */
  launch(born: Birth, slot: number): SimToken | null
  /** Bots notice a launch of any kind. */
  launched(token: SimToken, slot: number): void
}

interface Row {
  readonly name: LaunchKind
  /** Of all launches. */
  readonly share: number
  readonly launch: KindOfLaunch
}

export function createKinds(producer: BlockProducer, people: People, crews: Crews, exits: Exits): Kinds {
  const { random, rules } = producer
  const fleets = createFleets(producer, people)
  const adversary = createAdversary(producer, people, crews, fleets, exits)
  const bots = rules.kinds > 0 ? createBots(producer, people) : null
  const rows: readonly Row[] = [
    { name: 'whole_curve', share: WHOLE_CURVE, launch: (born, slot) => fleets.launch(born, exits, slot) },
    { name: 'adversary', share: rules.adversary, launch: (born, slot) => adversary.launch(born, slot) },
    ...(rules.kinds > 0 ? kindsOf(producer, people, crews, exits) : []),
  ]

  return {
    launch(born, slot) {
      let left = random.float()
      for (const { name, share, launch } of rows) {
        left -= share
        if (left >= 0) continue
        const token = launch(born, slot)
        token.kind = name
        return token
      }
      return null
    },
    launched(token, slot) {
      if (bots === null) people.snipe(token, slot)
      else bots.launched(token, slot)
    },
  }
}

function kindsOf(producer: BlockProducer, people: People, crews: Crews, exits: Exits): Row[] {
  const { ranges, rules } = producer
  const honest = createHonest(producer, people)
  const farms = createQuietFarms(producer, crews, exits, honest)
  const share = drawsFrom(ranges, ranges, SHARES)
  const launches: Readonly<Record<keyof typeof SHARES, KindOfLaunch>> = {
    quiet_farm: (born, slot) => farms.launch(born, slot).group.token,
    flattered: createFlatterers(producer, people, farms),
    panic: createPanics(producer, people, honest),
    griefed: createGriefers(producer, people, honest),
    grown: createGrown(producer, honest),
    service: createServices(producer, people),
  }
  return (Object.keys(launches) as (keyof typeof SHARES)[]).map((name) => ({
    name,
    // services are many enough
    share: share[name]() * (name === 'service' ? 1 : rules.kinds),
    launch: launches[name],
  }))
}
