import { base58Encode } from '@ti/core/base/base58.ts'
import { VENUE } from '@ti/core/model/events.ts'
import { deriveWallet } from './keys.ts'
import type { SimToken } from './tokens.ts'
import { type Wallet, walletKey } from './traders.ts'
import type { GroupRole, GroupType, Money, Move, TruthGroup, TruthMore } from './truth.ts'

/** Sales recorded per group; of a wash with thousands of round trips only the beginning. */
const EXITS_MAX = 2_000

interface Exit {
  readonly wallet: Wallet
  readonly slot: number
  readonly lamports: number
}

export interface BundleDraft {
  readonly type: GroupType
  readonly person: string
  readonly wallets: Set<Wallet>
  /** Members that did more than buy. */
  readonly roles: Map<Wallet, GroupRole>
  readonly exits: Exit[]
}

interface MoveDraft {
  readonly slot: number
  readonly wallets: Set<Wallet>
  lamports: number
}

/** The truth collected about a token during its life. */
export interface Draft {
  readonly bundles: BundleDraft[]
  readonly snipers: Set<Wallet>
  /** Follower to leader. */
  readonly copies: Map<Wallet, Wallet>
  readonly washers: Set<Wallet>
  readonly moves: Map<Move, MoveDraft>
  readonly rugs: { readonly bundle: BundleDraft; readonly slot: number; readonly until: number }[]
  readonly dusters: Set<Wallet>
  /** Lamports that each wallet paid and got, without fees. */
  readonly money: Map<Wallet, { paid: number; got: number }>
  panic: { readonly slot: number; readonly wallets: readonly Wallet[] } | null
  /** Who makes an honest launch look bad. */
  griefer: string | null
}

export const createDraft = (): Draft => ({
  bundles: [],
  snipers: new Set(),
  copies: new Map(),
  washers: new Set(),
  moves: new Map(),
  rugs: [],
  dusters: new Set(),
  money: new Map(),
  panic: null,
  griefer: null,
})

export const createBundleDraft = (type: GroupType, person: string): BundleDraft => ({
  type,
  person,
  wallets: new Set(),
  roles: new Map(),
  exits: [],
})

/** Records what a wallet paid, or got for a sale: the latter also in its groups on this token. */
export function noteTrade(token: SimToken, wallet: Wallet, isBuy: boolean, lamports: number, slot: number): void {
  const { truth } = token
  if (truth === null) return
  const money = truth.money.get(wallet) ?? { paid: 0, got: 0 }
  money[isBuy ? 'paid' : 'got'] += Math.floor(lamports)
  truth.money.set(wallet, money)
  if (isBuy) return
  for (const { wallets, exits } of truth.bundles)
    if (wallets.has(wallet) && exits.length < EXITS_MAX) exits.push({ wallet, slot, lamports })
}

/** Records that `wallet` took part in a move and spent `lamports` on it. */
export function noteMove(token: SimToken, move: Move, slot: number, wallet: Wallet, lamports = 0): void {
  if (token.truth === null) return
  const draft = token.truth.moves.get(move) ?? { slot, wallets: new Set<Wallet>(), lamports: 0 }
  draft.wallets.add(wallet)
  draft.lamports += Math.floor(lamports)
  token.truth.moves.set(move, draft)
}

const VENUE_NAMES = new Map<number, TruthMore['venue']>([
  [VENUE.pump, 'pump'],
  [VENUE.launchlab, 'launchlab'],
  [VENUE.meteora_dbc, 'meteora_dbc'],
])

/** The further truth that market 2 records about a token. */
export function moreOf(seed: number, token: SimToken): TruthMore {
  const draft = token.truth!
  const name = (wallet: Wallet): string => base58Encode(walletKey(seed, wallet))
  const all = (wallets: Iterable<Wallet>): string[] => Array.from(wallets, name)
  return {
    launch: token.kind,
    venue: VENUE_NAMES.get(token.venue)!,
    groups: draft.bundles.filter(({ wallets }) => wallets.size >= 2).map((bundle) => groupOf(seed, token, bundle)),
    moves: Array.from(draft.moves, ([move, { slot, wallets, lamports }]) => ({
      move,
      slot,
      wallets: all(wallets),
      lamports,
    })),
    rugs: draft.rugs.map(({ bundle, slot, until }) => ({
      person: bundle.person,
      slot,
      lamports: bundle.exits
        .filter((exit) => exit.slot >= slot && exit.slot <= until)
        .reduce((sum, exit) => sum + Math.floor(exit.lamports), 0),
    })),
    dominator: token.dominator === null ? null : name(token.dominator),
    dusters: all(draft.dusters),
    completed: token.migrateSlot < 0 ? null : token.completedSlot,
    launcher: moneyOf(draft, [token.deployer]),
    panic: draft.panic === null ? null : { slot: draft.panic.slot, wallets: all(draft.panic.wallets) },
    griefer: draft.griefer,
  }
}

function groupOf(seed: number, token: SimToken, { type, person, wallets, roles, exits }: BundleDraft): TruthGroup {
  const name = (wallet: Wallet): string => base58Encode(walletKey(seed, wallet))
  const roleOf = (wallet: Wallet): GroupRole =>
    wallet === token.deployer ? 'deployer' : (roles.get(wallet) ?? 'buyer')
  return {
    type,
    person,
    wallets: Array.from(wallets, name),
    members: Array.from(wallets, (wallet) => ({ wallet: name(wallet), role: roleOf(wallet) })),
    funder: funderOf(seed, wallets),
    ...moneyOf(token.truth!, wallets),
    exits: exits.map(({ wallet, slot, lamports }) => ({ wallet: name(wallet), slot, lamports: Math.floor(lamports) })),
  }
}

function moneyOf({ money }: Draft, wallets: Iterable<Wallet>): Money {
  let [paid, got] = [0, 0]
  for (const wallet of wallets) {
    paid += money.get(wallet)?.paid ?? 0
    got += money.get(wallet)?.got ?? 0
  }
  return { paid, got }
}

/** An exchange funds everyone, so it counts only if it paid several of them together. */
function funderOf(seed: number, wallets: Iterable<Wallet>): TruthGroup['funder'] {
  const counts = new Map<string, { readonly funder: string; readonly exchange: boolean; members: number }>()
  for (const { origin } of wallets) {
    if (origin === null || (origin.exchange && origin.ring === null)) continue
    const { funder, exchange, ring } = origin
    const known = counts.get(ring ?? funder)
    if (known === undefined) counts.set(ring ?? funder, { funder, exchange, members: 1 })
    else known.members++
  }
  const [first] = [...counts.values()].sort((a, b) => b.members - a.members)
  if (first === undefined || first.members < 2) return null
  const { funder, exchange, members } = first
  return { wallet: base58Encode(deriveWallet(seed, funder)), exchange, members }
}
