import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import { BUCKET } from '@ti/core/engine/constants.ts'
import type { Engine } from '@ti/core/engine/engine.ts'
import { multipleOf } from '@ti/core/engine/outlook/inputs.ts'
import { idleSlots, isDead, isMigrated, priceOf } from '@ti/core/engine/tokens.ts'
import { hasPrice, toLamports } from '@ti/core/engine/units.ts'
import { sumWindow } from '@ti/core/engine/windows.ts'
import type { Block } from '@ti/core/model/entries.ts'
import type { Token } from '@ti/core/model/state.ts'
import { createQuery } from '@ti/core/query/create-query.ts'
import type { HistoryReader, TokenView } from '@ti/core/query/view.ts'
import type { TruthToken } from '../simulator/truth.ts'
import { createAgenda } from './agenda.ts'
import {
  HOUR,
  type Launch,
  LISTING,
  type Listed,
  type Look,
  type Material,
  QUARTER,
  SAMPLE,
  STANDARD,
} from './looks.ts'
import { createPurchases } from './purchases.ts'
import { colourOf, foretoldIn, ratingOf, reasonsOf } from './verdict.ts'

/** Slots of age up to which colours are sampled (3 h), and without a trade after which they are sampled less often. */
const SAMPLED = 27_000
const QUIET = 750
const LISTS = ['new', 'pumps', 'survivors', 'graduated'] as const
/** Every token that could be bought at the moment of a list. */
export const EVERYTHING = 'all'

type Seen = Pick<Material, 'launches' | 'looks' | 'listed'>

/** Observes a market while it is folded. */
interface Watch {
  /** Everything due before the block at `slot` is folded. */
  before(slot: number): void
  after(block: Block): void
  finish(): Seen
}

/** Wallets that belong to the launcher or to a planted group. */
const ownOf = ({ deployer, groups }: TruthToken): Set<Key> =>
  new Set([deployer, ...groups.flatMap(({ wallets }) => wallets)].map((wallet) => keyFromBase58(wallet)!))

/** `truth`: by mint. `isCensored`: nothing is known of a token after its last trade. */
export function createWatch(
  engine: Engine,
  store: HistoryReader,
  truth: ReadonlyMap<string, TruthToken>,
  { ages, isCensored }: { readonly ages: readonly number[]; readonly isCensored: boolean },
): Watch {
  const { globals } = engine
  const agenda = createAgenda()
  const query = createQuery({ engine, store })
  const { views } = query
  const purchases = createPurchases(agenda, views.token, globals)
  const launches: Launch[] = []
  const looks: Look[] = []
  const listed: Listed[] = []
  const byMint = new Map<Key, { readonly launch: Launch; readonly own: ReadonlySet<Key> }>()
  const met = new Set<Key>()
  const bought = new Map<string, number>()
  let nextToken = globals.nextToken
  let nextList = -1

  function launched(token: Token): void {
    const mint = keyToBase58(token.mint)
    const known = truth.get(mint) ?? null
    const launch: Launch = {
      ...{ id: token.id, mint, createdSlot: token.createdSlot, truth: known, own: [], samples: [] },
      deployer: token.deployer < 0 ? null : keyToBase58(engine.wallet(token.deployer).address),
      ...{ supply: token.supply, firstBag: 0, high: 0, low: 0, lastTrade: -1, ruggedSlot: -1, groups: [] },
      fundersKnown: false,
    }
    launches.push(launch)
    byMint.set(token.mint, { launch, own: known === null ? new Set() : ownOf(known) })
    for (const age of ages) agenda.at(launch.createdSlot + age, (slot) => look(launch, age, slot))
    agenda.at(launch.createdSlot + SAMPLE, (slot) => sample(launch, slot))
  }

  function look(launch: Launch, age: number, slot: number): void {
    const view = views.byId(launch.id)
    const { token } = view.live
    if (!hasPrice(token) || priceOf(token) <= 0 || isDead(token, slot)) return
    const single = singleOf(view, launch, age, slot)
    const { drain, halving } = STANDARD
    const seen = {
      ...{ launch, age, slot, ...colourOf(view), score: view.reading().score.value, rating: ratingOf(view) },
      reasons: reasonsOf(view),
      hasReading: view.reading().score.hasReading,
      state: [
        ...(token.drainedSlot < 0 ? [] : ['drained' as const]),
        ...(token.ruggedSlot < 0 ? [] : ['rugged' as const]),
      ],
      ...{ foretold: foretoldIn(view), single },
      asked: {
        drain: single.liquidity >= drain.leastLamports,
        halving: isMigrated(token) || single['price multiple'] >= halving.leastMultiple,
        buyer: single['idle time'] <= QUARTER,
      },
    }
    looks.push(purchases.buy(token, slot, seen))
  }

  function singleOf({ live: { token } }: TokenView, { firstBag }: Launch, age: number, slot: number): Look['single'] {
    const { buyLamports, sellLamports } = sumWindow(token, slot, BUCKET.fiveMinutes)
    return {
      age,
      'market cap': token.mcap,
      'price multiple': multipleOf(token) ?? 0,
      holders: token.holders,
      liquidity: toLamports(token.quote, token.realQuote, globals.solUsd),
      'first bag': token.supply > 0 ? firstBag / token.supply : 0,
      'net flow': buyLamports - sellLamports,
      'idle time': idleSlots(token, slot),
    }
  }

  function sample(launch: Launch, slot: number): void {
    const view = views.byId(launch.id)
    const { token } = view.live
    if (isDead(token, slot) || slot - launch.createdSlot > SAMPLED) return
    const isQuiet = idleSlots(token, slot) > QUIET
    agenda.at(slot + (isQuiet ? QUIET : SAMPLE), (due) => sample(launch, due))
    launch.samples.push({ slot, ...colourOf(view), price: priceOf(token), holders: token.holders })
  }

  /** Buys what is on a list, at most once an hour. */
  function buy(list: string, token: Token, slot: number): void {
    const known = byMint.get(token.mint)
    const name = `${list} ${token.id}`
    if (known === undefined || !hasPrice(token) || slot < (bought.get(name) ?? 0)) return
    bought.set(name, slot + HOUR)
    listed.push(purchases.buy(token, slot, { launch: known.launch, slot, list }))
  }

  function readLists(slot: number): void {
    for (const list of LISTS) {
      const cards = JSON.parse(query.list(list).bytes.toString()) as { readonly mint: string }[]
      for (const { mint } of cards) buy(list, views.find(keyFromBase58(mint)!)!.live.token, slot)
    }
    for (const { token } of engine.tokens.live())
      if (token.lastTradeSlot >= 0 && idleSlots(token, slot) <= QUARTER) buy(EVERYTHING, token, slot)
  }

  function traded(event: Extract<Block['events'][number], { kind: 'trade' }>, slot: number): void {
    const known = byMint.get(event.mint)
    const { user, isBuy, tokenAmount: tokens } = event
    if (known !== undefined) {
      const { launch, own } = known
      launch.lastTrade = slot
      if (isBuy && slot === launch.createdSlot) launch.firstBag += tokens
      if (own.has(user)) launch.own.push({ slot, isBuy, tokens, isNew: !met.has(user) })
    }
    met.add(user)
  }

  return {
    before(slot) {
      agenda.runBefore(slot)
      if (globals.slot < 0 || slot < nextList) return
      if (nextList >= 0) readLists(globals.slot)
      nextList = slot + LISTING
    },
    after(block) {
      for (; nextToken < globals.nextToken; nextToken++) {
        const token = engine.tokens.peekId(nextToken)?.token
        if (token?.createdKnown) launched(token)
      }
      const touched = new Set<Key>()
      for (const event of block.events) {
        if (event.kind !== 'trade') continue
        traded(event, block.slot)
        touched.add(event.mint)
      }
      for (const mint of touched) {
        const launch = byMint.get(mint)?.launch
        const token = launch && engine.tokens.peekId(launch.id)?.token
        if (token === undefined) continue
        noteReserve(launch!, toLamports(token.quote, token.realQuote, globals.solUsd))
        purchases.traded(token)
      }
    },
    finish() {
      for (const launch of launches) close(launch)
      if (isCensored) for (const one of [...looks, ...listed]) censor(one)
      return { launches, looks, listed }
    },
  }

  function close(launch: Launch): void {
    const { live, wallet } = views.byId(launch.id)
    launch.supply = live.token.supply
    launch.ruggedSlot = live.token.ruggedSlot
    launch.groups = live.bundles.groups
      .filter((group) => group.mergedInto < 0 && group.confirmedSlot >= 0)
      .map((group) => group.members.map((id) => keyToBase58(wallet(id).address)))
    const own = [...(byMint.get(live.token.mint)?.own ?? [])].map((key) => store.walletIdByAddress(key))
    const known = own.filter((id) => id !== undefined && views.wallet(id).funder >= 0)
    launch.fundersKnown = known.length * 2 >= own.length
  }
}

function noteReserve(launch: Launch, lamports: number): void {
  if (lamports > launch.high) launch.low = launch.high = lamports
  else launch.low = Math.min(launch.low, lamports)
}

/** Forgets what was decided after the token's last known trade. */
function censor(one: Look | Listed): void {
  const { launch, slot } = one
  if (slot + QUARTER > launch.lastTrade) one.gained = one.quick = null
  if (slot + HOUR > launch.lastTrade) one.drained = one.halved = one.hour = one.hold = null
}
