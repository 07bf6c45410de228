import { QUOTE, type Quote, VENUE, type Venue } from '@ti/core/model/events.ts'
import { type BlockProducer, SOL } from './block-producer.ts'
import { START_REAL_TOKEN, TOTAL_SUPPLY } from './curve.ts'
import { planBuy, planSell, setPrice } from './exchange.ts'
import type { Groups } from './groups.ts'
import type { Birth, Kinds } from './kinds.ts'
import type { People } from './people.ts'
import type { Action } from './plan.ts'
import type { Species } from './species.ts'
import { grow, SURVIVORS } from './survivors.ts'
import { createNamer, createToken, type Position, type SimToken } from './tokens.ts'
import { PROFILES, type Wallet } from './traders.ts'

/** Lamports that the migration costs. */
const MIGRATION_FEE = 15_000_001
/** Shares of the launches that are no rugger's: joined by a group, and with a volume bot. */
const JOINED = 0.12
const WASHED = 0.06
/** Market 3: share of launches by one of the latest deployers, of how many, and share of new wallets among the others. */
const AGAIN = { part: 0.35, among: 30, fresh: 0.6 }
/**
 * Creators: share that buys a round 1 to 3 SOL (5,181 real ones who sold out: median 2 SOL), share
 * that sells everything soon, and slots until then (18,076 real ones: median 19 s, a tenth over six minutes).
 */
const CREATOR = { round: 0.4, rounds: [0.5, 1, 1, 2, 2, 3, 3], leaves: 0.85, hurries: 0.78 }
const CREATOR_LEAVES = { soon: { median: 26, spread: 1.05 }, late: { median: 420, spread: 1.5 } }
/** Round trips of a volume bot beyond the first three, on average. */
const WASH_TRIPS = 50
/**
 * Harder market: shares of launches on the two other curves, and share in which one wallet trades as much as all others
 * (a third of the busy ones, because it makes them busy).
 */
const ELSEWHERE = { launchlab: 0.08, meteora: 0.05 }
const DOMINATED = 0.12
/** Attention of a new pool, short-term and lasting; the former fades within seconds. */
const OPENING = { excitement: 6, heat: 0.6, spread: 0.8 }

/** The life of tokens: launch, its companions, and graduation. */
interface Launches {
  launch(slot: number): SimToken
  /** Adds tokens that existed before the market began. */
  inherit(slot: number, tps: number): void
  /** Opens a pool some slots after the curve sold out. */
  complete(token: SimToken, slot: number): void
}

export function createLaunches(
  producer: BlockProducer,
  people: People,
  groups: Groups,
  species: Species,
  kinds: Kinds,
): Launches {
  const { random, traders, agenda, crowd } = producer
  const { rules } = producer
  const namer = createNamer()
  const mayhemWallet = traders.wallet('mayhem', 0)
  const migrator = traders.wallet('deployer', PROFILES.deployer.wallets)
  const recent: Wallet[] = []
  let launches = 0

  /** In market 3 fewer wallets launch for ever, and more launch several times within minutes. */
  function deployerOf(): Wallet {
    if (rules.kinds === 0) return traders.pick('deployer', random)
    if (recent.length > 0 && random.chance(AGAIN.part)) return random.pick(recent)
    const deployer = random.chance(AGAIN.fresh)
      ? traders.stranger('deployer')
      : traders.wallet('deployer', random.int(PROFILES.deployer.wallets))
    recent[recent.length < AGAIN.among ? recent.length : random.int(AGAIN.among)] = deployer
    return deployer
  }

  function venueOf(): Venue {
    const where = random.float()
    if (where < ELSEWHERE.launchlab) return VENUE.launchlab
    return where < ELSEWHERE.launchlab + ELSEWHERE.meteora ? VENUE.meteora_dbc : VENUE.pump
  }

  function bear(
    deployer: Wallet,
    kind: number,
    slot: number,
    before = false,
    copies: SimToken | null = null,
  ): SimToken {
    const ordinary = kind >= 0.03 && kind <= 0.97
    const quote: Quote = kind < 0.03 ? QUOTE.USDC : QUOTE.SOL
    const venue = ordinary && !before ? venueOf() : VENUE.pump
    const dominated = random.chance(DOMINATED)
    const { noticed, runners } = rules
    const how = { mayhem: kind > 0.97, quote, venue, dominated, noticed, runners, copies }
    const token = createToken({ id: launches++, slot, deployer, ...how }, namer, random)
    crowd.follow(token)
    if (!before) producer.truth.launched(token)
    return token
  }

  const birth: Birth = {
    token: (deployer, slot, copies) => bear(deployer, 0.5, slot, false, copies),
    usual(slot, { buys } = { buys: true }) {
      const token = bear(deployerOf(), 0.5, slot)
      open(token, buys, false, slot)
      return token
    },
  }

  function launch(slot: number): SimToken {
    const odd = kinds.launch(birth, slot)
    if (odd !== null) {
      kinds.launched(odd, slot)
      species.launched(odd, slot)
      return odd
    }
    const rugger = random.chance(rules.ruggers)
    const deployer = rugger ? traders.pick('rugger', random) : deployerOf()
    if (rugger) groups.employ(deployer, slot)
    const kind = random.float()
    const token = bear(deployer, kind, slot)
    open(token, random.chance(rules.buys), rugger, slot)
    if (rugger) token.kind = 'farm'
    else if (random.chance(JOINED)) {
      groups.join(token, random.chance(0.3) ? deployer : null, slot)
      token.kind = 'joined'
    }
    kinds.launched(token, slot)
    if (random.chance(WASHED)) wash(token, slot)
    species.launched(token, slot)
    if (token.mayhem) agenda.after(slot, 2 + random.int(6), (due) => meddle(token, due))
    return token
  }

  /** The launch transaction, in which most deployers buy. */
  function open(token: SimToken, buys: boolean, rugger: boolean, slot: number): void {
    const { deployer } = token
    const actions: Action[] = [{ kind: 'create', token }]
    const devBuy = buys ? planBuy(token, deployer, ownSize(deployer, token)) : null
    if (devBuy === null) return void producer.commit(deployer, actions)
    actions.push(devBuy)
    const position = producer.happen(devBuy, slot)
    if (rugger) return groups.conspire(position, actions, slot)
    producer.commit(deployer, actions)
    if (random.chance(CREATOR.leaves)) leaveSoon(position, slot)
    else people.scheduleExit(position, slot)
  }

  function ownSize(deployer: Wallet, token: SimToken): number {
    if (random.chance(CREATOR.round)) return producer.quoteOf(SOL * random.pick(CREATOR.rounds), token)
    return producer.sizeOf(deployer, token)
  }

  function leaveSoon(position: Position, slot: number): void {
    const { median, spread } = random.chance(CREATOR.hurries) ? CREATOR_LEAVES.soon : CREATOR_LEAVES.late
    agenda.after(slot, random.lognormal(median, spread), (due) => people.leave(position, due))
  }

  function wash(token: SimToken, slot: number): void {
    for (let n = 1 + random.int(3); n > 0; n--) {
      const washer = traders.pick('washer', random)
      const rounds = 3 + Math.floor(random.exponential(WASH_TRIPS))
      agenda.after(slot, 5 + random.int(200), (due) => people.wash(token, washer, rounds, due))
    }
  }

  /** The mayhem program shifts its curves and trades on them. */
  function meddle(token: SimToken, slot: number): void {
    if (token.pool !== null || token.migrateSlot >= 0) return
    const { curve } = token
    curve.virtualQuote = Math.max(SOL, Math.floor(curve.virtualQuote * random.between(0.97, 1.03)))
    const position = token.positions.get(mayhemWallet)
    const sells = position !== undefined && position.tokens > 0 && random.chance(0.5)
    const action = sells
      ? planSell(position, position.tokens)
      : planBuy(token, mayhemWallet, producer.sizeOf(mayhemWallet, token))
    if (action === null) return
    producer.happen(action, slot)
    producer.commit(mayhemWallet, [action])
    if (slot - token.createdSlot < 2_000) agenda.after(slot, random.exponential(80), (due) => meddle(token, due))
  }

  function migrate(token: SimToken, slot: number): void {
    const { curve } = token
    token.migrateSlot = slot
    if (token.venue !== VENUE.pump) return moveAway(token)
    const fee = token.quote === QUOTE.SOL ? MIGRATION_FEE : 0
    const quote = curve.realQuote - fee
    const tokens = curve.virtualToken - 73_000_000_000_000
    // some pools price with a virtual part in addition to their reserves
    const virtualQuote = random.chance(0.25) ? Math.floor(quote * random.between(0.002, 0.05)) : 0
    token.pool = { base: tokens, quote, virtualQuote }
    setPrice(token)
    token.heat = rules.pools * random.lognormal(OPENING.heat, OPENING.spread) + 0.4 * Math.min(3, token.heat)
    token.excitement += rules.pools * OPENING.excitement
    crowd.follow(token)
    producer.commit(migrator, [{ kind: 'migrate', token, wallet: migrator, tokens, quote, migrationFee: fee }])
  }

  /** Migrates to a pool that this market does not simulate; holders trade where no source looks. */
  function moveAway(token: SimToken): void {
    token.left = true
    token.heat = 0
    token.excitement = 0
    const { realQuote: quote, virtualToken } = token.curve
    const tokens = Math.min(virtualToken, TOTAL_SUPPLY - START_REAL_TOKEN)
    producer.commit(migrator, [{ kind: 'migrate', token, wallet: migrator, tokens, quote, migrationFee: 0 }])
  }

  return {
    launch,
    inherit(slot, tps) {
      for (let n = SURVIVORS.tokens; n > 0; n--) {
        const age = SURVIVORS.youngest + Math.floor(random.exponential(SURVIVORS.mean))
        grow(bear(traders.pick('deployer', random), 0.5, slot - age, true), producer, people, slot, tps)
      }
    },
    complete(token, slot) {
      agenda.after(slot, 4 + random.int(30), (due) => migrate(token, due))
    },
  }
}
