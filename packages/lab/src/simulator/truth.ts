import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { base58Encode } from '@ti/core/base/base58.ts'
import { type SimToken, tokenKeys } from './tokens.ts'
import { type Wallet, walletKey } from './traders.ts'
import { type BundleDraft, createBundleDraft, createDraft, moreOf } from './truth-draft.ts'

/** slots of age (6 h) at which the truth about a simulated token is written at the latest: what waits stays in memory */
export const SIMULATOR_TRUTH_SLOTS_MAX = 54_000

/**
 * The way a group of wallets of one owner hides. `same_slot`: a bundle of adjacent transactions, one of which pays the
 * tip; `parallel`: adjacent with nothing in common but the slot; `farm`: a serial rugger's own wallets.
 */
export const BUNDLE_TYPES = [
  'same_tx',
  'same_slot',
  'parallel',
  'spread',
  'funder_chain',
  'copied_amounts',
  'paid_fees',
  'transfer',
  'farm',
] as const
export type BundleType = (typeof BUNDLE_TYPES)[number]

/** Also a fleet that buys the whole curve at creation, and adversaries who know the formulas; market 3: farms that take their time. */
export const GROUP_TYPES = [...BUNDLE_TYPES, 'whole_curve', 'adversary', 'quiet'] as const
export type GroupType = (typeof GROUP_TYPES)[number]

/** Wallets of one owner that got tokens of the mint, base58. */
interface TruthBundle {
  readonly type: GroupType
  readonly wallets: readonly string[]
}

/**
 * `graduated`: reached the AMM, whatever happened later; `rug`: otherwise, insiders sold together and the price fell by
 * 30% or more; `dead`: otherwise, fewer than 25 trades; `organic`: the rest.
 */
type Fate = 'rug' | 'organic' | 'dead' | 'graduated'

/**
 * A member's role besides buying: `deployer` launched the token, `receiver` was given tokens, `collector` received the
 * others' bags and sells, `rebuyer` bought what another had sold.
 */
export type GroupRole = 'deployer' | 'buyer' | 'receiver' | 'collector' | 'rebuyer'

/**
 * How a launch came about. `farm`: of a serial rugger; `joined`: with a group; `quiet_farm`: a farm that takes its time;
 * `flattered`: the same with moves that make it look good; `panic`: strangers leave after one moment; `griefed`: honest
 * people whom a rugger makes look bad; `grown`: many holders; `service`: of a wallet that launches without end.
 */
export type LaunchKind =
  | 'ordinary'
  | 'joined'
  | 'farm'
  | 'whole_curve'
  | 'adversary'
  | 'quiet_farm'
  | 'flattered'
  | 'panic'
  | 'griefed'
  | 'grown'
  | 'service'

/** Lamports without fees (USDC at the market's rate). */
export interface Money {
  readonly paid: number
  readonly got: number
}

/** A group in the form that evaluations need: slots, lamports, wallets in base58. */
export interface TruthGroup extends TruthBundle, Money {
  /** The owner, with the same name on every token. */
  readonly person: string
  readonly members: readonly { readonly wallet: string; readonly role: GroupRole }[]
  /** The wallet that funded most of them, at least two; null if there is none. */
  readonly funder: { readonly wallet: string; readonly exchange: boolean; readonly members: number } | null
  /** Every sale of a member, in order, in lamports without fees (USDC at the market's rate). */
  readonly exits: readonly { readonly wallet: string; readonly slot: number; readonly lamports: number }[]
}

/** A move of an adversary, flatterer or griefer: first slot, wallets involved, lamports lost by it. */
interface TruthMove {
  readonly move: Move
  readonly slot: number
  readonly wallets: readonly string[]
  readonly lamports: number
}

/** The further truth of market 2 about a token. */
export interface TruthMore {
  readonly launch: LaunchKind
  readonly venue: 'pump' | 'launchlab' | 'meteora_dbc'
  readonly groups: readonly TruthGroup[]
  readonly moves: readonly TruthMove[]
  /** Sales of a group that lowered the price by 30% or more: owner, first slot, proceeds of the sale, or of a minute. */
  readonly rugs: readonly { readonly person: string; readonly slot: number; readonly lamports: number }[]
  /** The wallet that makes about half of the trades. */
  readonly dominator: string | null
  /** Bots that hold almost nothing. */
  readonly dusters: readonly string[]
  /** Slot in which the curve sold out, null before. */
  readonly completed: number | null
  /** What the deployer paid and got. */
  readonly launcher: Money
  /** The moment after which strangers left together, and who did. */
  readonly panic: { readonly slot: number; readonly wallets: readonly string[] } | null
  /** The person who made an honest launch look bad; his moves are among `moves`. */
  readonly griefer: string | null
}

export const ADVERSARY_MOVES = [
  'dust_holders',
  'split_bags',
  'wash_volume',
  'sell_and_rebuy',
  'transfer_before_sale',
  'borrowed_payers',
  'false_tips',
  'copied_image',
  'late_entry',
  'sleeping_wallets',
  'whole_curve',
] as const
export type AdversaryMove = (typeof ADVERSARY_MOVES)[number]

export const FLATTERY_MOVES = ['small_crowd', 'aged_crowd', 'propped_price'] as const
export type FlatteryMove = (typeof FLATTERY_MOVES)[number]

export const GRIEF_MOVES = [
  'rugger_dust',
  'whale_tokens',
  'shadow_buys',
  'shadow_gifts',
  'shadow_tips',
  'buy_and_leave',
  'dust_crowd',
  'first_sol',
  'copied_first',
  'shadow_sales',
] as const
export type GriefMove = (typeof GRIEF_MOVES)[number]
export type Move = AdversaryMove | FlatteryMove | GriefMove

/** The truth about one token. Wallets and mints in base58. */
export interface TruthToken extends TruthMore {
  readonly kind: 'token'
  readonly mint: string
  /** Slot of the launch. */
  readonly slot: number
  readonly deployer: string
  readonly fate: Fate
  readonly bundles: readonly TruthBundle[]
  /** Independent wallets with a first buy at most 12 slots after the launch. */
  readonly snipers: readonly string[]
  /** [leader, follower]: the follower bought because the leader had. */
  readonly copies: readonly (readonly [string, string])[]
  /** Wallets with at least three round trips, each within 25 slots. */
  readonly washers: readonly string[]
}

/** First line of a truth file. */
export interface TruthMarket {
  readonly kind: 'market'
  readonly seed: number
  readonly tps: number
  readonly format: 3
}

/** The truth file that `capture simulate OUT` writes beside OUT. */
export const truthPath = (capture: string): string => `${capture}.truth.jsonl`

/** The tokens of a truth file, in order of launch. Throws for a file of another kind or format. */
export async function* readTruth(path: string): AsyncIterable<TruthToken> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  let known = false
  for await (const line of lines) {
    if (line === '') continue
    const row = JSON.parse(line) as TruthMarket | TruthToken
    if (!known && (row.kind !== 'market' || row.format !== 3))
      throw new Error(`${path}: not a truth file of format 3: make it again with \`capture simulate\``)
    known = true
    if (row.kind === 'token') yield row
  }
}

/** Slots without a trade after which a token's life has ended. */
const SILENT_SLOTS = 4_500
/** Slots between two searches for ended tokens. */
const LOOK_SLOTS = 250
/** Launches with fewer trades count as dead from the start. */
const DEAD_TRADES = 25

/**
 * Collects the truth about each token. Tokens leave in order of launch once they are silent, or at an age of
 * SIMULATOR_TRUTH_SLOTS_MAX. An ended one that waits for an older one is kept only as text. A silent token
 * stays while a group holds tokens of it, because some sell only hours later.
 */
export interface TruthBook {
  launched(token: SimToken): void
  /** Adds a group on this token; null if no truth is collected. */
  group(token: SimToken, type: GroupType, person: string): BundleDraft | null
  /** Tokens whose life ended by `slot`. */
  step(slot: number): TruthToken[]
  /** All remaining tokens, at the end. */
  rest(): TruthToken[]
}

export function createTruthBook(seed: number, wanted: boolean): TruthBook {
  let queue: { token: SimToken | null; done: TruthToken | null }[] = []
  let looked = 0

  const leave = (): TruthToken[] => {
    const open = queue.findIndex((entry) => entry.done === null)
    const finished = queue.slice(0, open < 0 ? queue.length : open)
    queue = queue.slice(finished.length)
    return finished.map((entry) => entry.done!)
  }
  const settle = (isOver: (token: SimToken) => boolean) => {
    for (const entry of queue) {
      if (entry.token === null || !isOver(entry.token)) continue
      entry.done = truthOf(seed, entry.token)
      entry.token.truth = null
      entry.token = null
    }
  }
  return {
    launched(token) {
      if (!wanted) return
      token.truth = createDraft()
      queue.push({ token, done: null })
    },
    group(token, type, person) {
      if (token.truth === null) return null
      const draft = createBundleDraft(type, person)
      token.truth.bundles.push(draft)
      return draft
    },
    step(slot) {
      if (slot - looked < LOOK_SLOTS) return []
      looked = slot
      settle(
        (token) =>
          slot - token.createdSlot > SIMULATOR_TRUTH_SLOTS_MAX ||
          (slot - token.lastSlot > SILENT_SLOTS && !isHeldByGroup(token)),
      )
      return leave()
    },
    rest() {
      settle(() => true)
      return leave()
    },
  }
}

const isHeldByGroup = ({ truth, positions }: SimToken): boolean =>
  truth!.bundles.some(({ wallets }) => [...wallets].some((wallet) => (positions.get(wallet)?.tokens ?? 0) > 0))

function truthOf(seed: number, token: SimToken): TruthToken {
  const draft = token.truth!
  const name = (wallet: Wallet): string => base58Encode(walletKey(seed, wallet))
  const all = (wallets: Iterable<Wallet>): string[] => Array.from(wallets, name)
  return {
    kind: 'token',
    mint: base58Encode(tokenKeys(seed, token).mint),
    slot: token.createdSlot,
    deployer: name(token.deployer),
    fate: fateOf(token),
    bundles: draft.bundles
      .filter(({ wallets }) => wallets.size >= 2)
      .map(({ type, wallets }) => ({ type, wallets: all(wallets) })),
    snipers: all(draft.snipers),
    copies: Array.from(draft.copies, ([follower, leader]) => [name(leader), name(follower)] as const),
    washers: all(draft.washers),
    ...moreOf(seed, token),
  }
}

function fateOf(token: SimToken): Fate {
  if (token.pool !== null || token.left) return 'graduated'
  if (token.rugged) return 'rug'
  return token.trades < DEAD_TRADES ? 'dead' : 'organic'
}
