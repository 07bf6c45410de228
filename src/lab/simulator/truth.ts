import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { base58Encode } from '../../base/base58.ts'
import { LIMITS } from '../../config/limits.ts'
import { type SimToken, tokenKeys } from './tokens.ts'
import { type Wallet, walletKey } from './traders.ts'

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

/** Wallets under one hand that got tokens of the mint, base58. */
interface TruthBundle {
  readonly type: BundleType
  readonly wallets: readonly string[]
}

/**
 * `graduated`: reached the AMM, whatever came later; `rug`: else, insiders sold together and took 30 % or more off the
 * price; `dead`: else, fewer than 25 trades; `organic`: the rest.
 */
type Fate = 'rug' | 'organic' | 'dead' | 'graduated'

/** What really happened with one token. Wallets and mints in base58. */
export interface TruthToken {
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
  readonly format: 1
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
    if (!known && (row.kind !== 'market' || row.format !== 1)) throw new Error(`${path}: not a truth file of format 1`)
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

export interface BundleDraft {
  readonly type: BundleType
  readonly wallets: Set<Wallet>
}

/** What is noted about a token while it lives. */
export interface Draft {
  readonly bundles: BundleDraft[]
  readonly snipers: Set<Wallet>
  /** follower to leader */
  readonly copies: Map<Wallet, Wallet>
  readonly washers: Set<Wallet>
}

/**
 * Notes who was behind each token. Tokens leave in order of launch once they are silent, or at an age of
 * `LIMITS.simulatorTruthSlotsMax`; a finished one that waits for an older one is kept as text only.
 */
export interface TruthBook {
  launched(token: SimToken): void
  /** A new group on this token; null while nobody wants to know. */
  group(token: SimToken, type: BundleType): BundleDraft | null
  /** Tokens finished by `slot`. */
  step(slot: number): TruthToken[]
  /** All that is left, at the end. */
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
      entry.done = tellOf(seed, entry.token)
      entry.token.truth = null
      entry.token = null
    }
  }
  return {
    launched(token) {
      if (!wanted) return
      token.truth = { bundles: [], snipers: new Set(), copies: new Map(), washers: new Set() }
      queue.push({ token, done: null })
    },
    group(token, type) {
      if (token.truth === null) return null
      const draft = { type, wallets: new Set<Wallet>() }
      token.truth.bundles.push(draft)
      return draft
    },
    step(slot) {
      if (slot - looked < LOOK_SLOTS) return []
      looked = slot
      settle(
        (token) => slot - token.lastSlot > SILENT_SLOTS || slot - token.createdSlot > LIMITS.simulatorTruthSlotsMax,
      )
      return leave()
    },
    rest() {
      settle(() => true)
      return leave()
    },
  }
}

function tellOf(seed: number, token: SimToken): TruthToken {
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
  if (token.pool !== null) return 'graduated'
  if (token.rugged) return 'rug'
  return token.trades < DEAD_TRADES ? 'dead' : 'organic'
}
