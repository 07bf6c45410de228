import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { base58Encode } from '@ti/core/base/base58.ts'
import { LIMITS } from '@ti/service/config/limits.ts'
import { type SimToken, tokenKeys } from './tokens.ts'
import { type Wallet, walletKey } from './traders.ts'
import { type BundleDraft, createBundleDraft, createDraft, moreOf } from './truth-draft.ts'

/**
 * How a group of wallets under one hand hides, or does not. `same_slot`: one bundle of transactions side by side, tipped
 * by one of them; `parallel`: side by side with nothing in common but the slot; `farm`: a serial rugger's own wallets.
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

/** Of the harder market: a fleet that takes the whole curve where it is created, and who knows the formulas. */
export const GROUP_TYPES = [...BUNDLE_TYPES, 'whole_curve', 'adversary'] as const
export type GroupType = (typeof GROUP_TYPES)[number]

/** Wallets under one hand that got tokens of the mint, base58. */
interface TruthBundle {
  readonly type: GroupType
  readonly wallets: readonly string[]
}

/**
 * `graduated`: reached the AMM, whatever came later; `rug`: else, insiders sold together and took 30 % or more off the
 * price; `dead`: else, fewer than 25 trades; `organic`: the rest.
 */
type Fate = 'rug' | 'organic' | 'dead' | 'graduated'

/**
 * What a member did besides buying: `deployer` launched the token, `receiver` was given tokens, `collector` got the others'
 * bags and sells, `rebuyer` bought what another had sold.
 */
export type GroupRole = 'deployer' | 'buyer' | 'receiver' | 'collector' | 'rebuyer'

/** A group as an evaluation asks about it. Slots; lamports; wallets in base58. */
export interface TruthGroup extends TruthBundle {
  /** who is behind it: the same name on every token of the same person */
  readonly person: string
  readonly members: readonly { readonly wallet: string; readonly role: GroupRole }[]
  /** who sent most of them their first SOL, two at least; null when nobody did */
  readonly funder: { readonly wallet: string; readonly exchange: boolean; readonly members: number } | null
  /** every sale of a member, in order, in lamports without fees (USDC at the market's rate) */
  readonly exits: readonly { readonly wallet: string; readonly slot: number; readonly lamports: number }[]
}

/** A move of somebody who knows the formulas: first slot, who took part, lamports spent on it. */
interface TruthMove {
  readonly move: AdversaryMove
  readonly slot: number
  readonly wallets: readonly string[]
  readonly lamports: number
}

/** What market 2 adds to the truth about a token. */
export interface TruthMore {
  readonly venue: 'pump' | 'launchlab' | 'meteora_dbc'
  readonly groups: readonly TruthGroup[]
  readonly moves: readonly TruthMove[]
  /** sales of a group that took 30 % or more off the price: who, from which slot, what it got within a minute */
  readonly rugs: readonly { readonly person: string; readonly slot: number; readonly lamports: number }[]
  /** the wallet that makes about half of the trades */
  readonly dominator: string | null
  /** bots that hold next to nothing */
  readonly dusters: readonly string[]
  /** slot in which the curve sold out, null before */
  readonly completed: number | null
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

/** What really happened with one token. Wallets and mints in base58. */
export interface TruthToken extends Partial<TruthMore> {
  readonly kind: 'token'
  readonly mint: string
  /** slot of the launch */
  readonly slot: number
  readonly deployer: string
  readonly fate: Fate
  readonly bundles: readonly TruthBundle[]
  /** acted alone, first buy at most 12 slots after the launch */
  readonly snipers: readonly string[]
  /** [leader, follower]: the follower bought because the leader had */
  readonly copies: readonly (readonly [string, string])[]
  /** made at least three round trips, each within 25 slots */
  readonly washers: readonly string[]
}

/** First line of a truth file. */
export interface TruthMarket {
  readonly kind: 'market'
  readonly seed: number
  readonly tps: number
  /** 2: tokens have what `TruthMore` says */
  readonly format: 1 | 2
}

/** Where `capture simulate OUT` writes the truth about OUT. */
export const truthPath = (capture: string): string => `${capture}.truth.jsonl`

/** The tokens of a truth file, in order of launch. Throws on a file of another kind or format. */
export async function* readTruth(path: string): AsyncIterable<TruthToken> {
  const lines = createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY })
  let known = false
  for await (const line of lines) {
    if (line === '') continue
    const row = JSON.parse(line) as TruthMarket | TruthToken
    if (!known && (row.kind !== 'market' || ![1, 2].includes(row.format)))
      throw new Error(`${path}: not a truth file of format 1 or 2: make it again with \`capture simulate\``)
    known = true
    if (row.kind === 'token') yield row
  }
}

/** Slots without a trade after which a token is finished with. */
const SILENT_SLOTS = 4_500
/** Slots between two looks for finished tokens. */
const LOOK_SLOTS = 250
/** Trades below which a launch was dead from the start. */
const DEAD_TRADES = 25

/**
 * Notes who was behind each token. Tokens leave in order of launch once they are silent, or at an age of
 * `LIMITS.simulatorTruthSlotsMax`; a finished one that waits for an older one is kept as text only. In the harder market a silent one stays
 * as long as a group has tokens of it: some sleep for hours before they sell.
 */
export interface TruthBook {
  launched(token: SimToken): void
  /** A new group on this token; null while nobody wants to know. */
  group(token: SimToken, type: GroupType, person: string): BundleDraft | null
  /** Tokens finished by `slot`. */
  step(slot: number): TruthToken[]
  /** All that is left, at the end. */
  rest(): TruthToken[]
}

export function createTruthBook(seed: number, wanted: boolean, harder = false): TruthBook {
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
      entry.done = { ...truthOf(seed, entry.token), ...(harder ? moreOf(seed, entry.token) : {}) }
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
          slot - token.createdSlot > LIMITS.simulatorTruthSlotsMax ||
          (slot - token.lastSlot > SILENT_SLOTS && !(harder && isHeldByGroup(token))),
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
  }
}

function fateOf(token: SimToken): Fate {
  if (token.pool !== null || token.left) return 'graduated'
  if (token.rugged) return 'rug'
  return token.trades < DEAD_TRADES ? 'dead' : 'organic'
}
