import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { BundleContext } from '@ti/core/engine/bundles/context.ts'
import { noticeBalance, noticeFunder, noticeTrade } from '@ti/core/engine/bundles/notice.ts'
import { noticeTransfer } from '@ti/core/engine/bundles/passing.ts'
import { countRugs } from '@ti/core/engine/bundles/settle.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { buy, openPosition, transferIn, transferOut } from '@ti/core/engine/positions.ts'
import { createResident, type LiveToken } from '@ti/core/engine/resident.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import { QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import type { Position, Wallet } from '@ti/core/model/state.ts'

/** nothing leaves memory here */
const NOTHING = { positions: () => [], positionOf: () => undefined }

/** The least around the detection of coordinated wallets: positions, wallets and windows, as the engine keeps them. */
export interface TradeStep {
  readonly kind: 'trade'
  readonly mint: number
  readonly wallet: number
  readonly slot: number
  readonly tx: number
  readonly isBuy: boolean
  /** base units */
  readonly tokens: number
  /** lamports */
  readonly paid: number
  /** wallets, -1 nobody */
  readonly payer: number
  readonly tipper: number
}

export interface TransferStep {
  readonly kind: 'transfer'
  readonly mint: number
  readonly slot: number
  readonly tx: number
  readonly from: number
  readonly to: number
  readonly tokens: number
}

export interface FunderStep {
  readonly kind: 'funder'
  readonly slot: number
  readonly wallet: number
  readonly funder: number
  readonly fundedAt: number
  readonly exchange: boolean
  readonly lamports: number
}

export interface RugStep {
  readonly kind: 'rug'
  readonly mint: number
  readonly slot: number
}

export type BundleStep = TradeStep | TransferStep | FunderStep | RugStep

export interface MarketOptions {
  /** tokens known besides those traded here */
  readonly otherMints: number
  /** wallets known in all */
  readonly wallets: number
  /** base units */
  readonly supply: number
  readonly createdSlot: number
  /** wallet that launched every mint, -1 unknown */
  readonly deployer: number
}

export const MARKET: MarketOptions = {
  otherMints: 1_000,
  wallets: 1_000,
  supply: 1e15,
  createdSlot: 1_000,
  deployer: -1,
}

/** Larger numbers have smaller keys, so that the order of keys is not the order of ids. */
export const keyOf = (wallet: number): Key => `wallet ${10_000 - wallet}`.padEnd(32, '.') as Key

export interface Market {
  apply(step: BundleStep): void
  live(mint: number): LiveToken
  wallet(id: number): Wallet
  /** replaces what is in memory by copies, as a restart does; `copy` stands for the store */
  restart(copy: (book: BundleBook) => BundleBook): void
}

export function createMarket(options: MarketOptions = MARKET): Market {
  const wallets = new Map<number, Wallet>()
  const mints = new Map<number, LiveToken>()

  function wallet(id: number): Wallet {
    const known = wallets.get(id) ?? newWallet(id, keyOf(id), 0)
    wallets.set(id, known)
    return known
  }

  function live(mint: number): LiveToken {
    const known = mints.get(mint)
    if (known !== undefined) return known
    const token = newToken(mint, `mint ${mint}`.padEnd(32, '.') as Key, options.createdSlot, 0)
    token.createdKnown = true
    token.supply = options.supply
    token.deployer = options.deployer
    const opened = createResident(NOTHING, token, emptyBundleBook(), new Map())
    mints.set(mint, opened)
    return opened
  }

  const context = (mint: number, slot: number): BundleContext => {
    const known = live(mint)
    return {
      live: known,
      slot,
      mints: options.otherMints + mints.size,
      wallets: options.wallets,
      wallet,
      touchWallet() {},
      touchPosition() {},
    }
  }

  function positionOf(mint: number, owner: number, slot: number): Position {
    const { positions } = live(mint)
    const position = positions.get(owner) ?? openPosition(mint, wallet(owner), slot)
    positions.set(owner, position)
    return position
  }

  function trade(step: TradeStep): void {
    const trader = wallet(step.wallet)
    const other = step.payer >= 0 && step.payer !== trader.id ? step.payer : step.tipper
    if (other >= 0 && other !== trader.id && other !== trader.payer) {
      trader.payer = other
      wallet(other).paidFor++
    }
    const position = positionOf(step.mint, step.wallet, step.slot)
    const { balance: balanceBefore } = position
    if (step.isBuy && position.bought === 0) live(step.mint).token.buyers++
    if (step.isBuy) buy(position, step.tokens, step.paid, step.slot)
    else sellPlainly(position, step)
    noticeTrade(context(step.mint, step.slot), { event: eventOf(step), position, wallet: trader, balanceBefore })
  }

  function transfer({ mint, slot, tx, from, to, tokens }: TransferStep): void {
    const about = context(mint, slot)
    const giver = positionOf(mint, from, slot)
    const taker = positionOf(mint, to, slot)
    const [had, took] = [giver.balance, taker.balance]
    transferIn(taker, tokens, slot)
    noticeBalance(about, taker, took)
    transferOut(giver, Math.min(tokens, had))
    noticeBalance(about, giver, had)
    const gave = { position: giver, tokens: Math.min(tokens, had) }
    noticeTransfer(about, [gave], [{ position: taker, tokens }], tx)
  }

  function fund({ wallet: id, funder: by, fundedAt, exchange, slot, lamports }: FunderStep): void {
    const child = wallet(id)
    const funder = wallet(by)
    if (child.funder >= 0 || id === by) return
    child.funder = by
    child.funderSlot = fundedAt
    child.funderLamports = lamports
    funder.funded++
    if (exchange) funder.exchange = true
    for (const [mint, { positions }] of mints) {
      const position = positions.get(id)
      if (position !== undefined) noticeFunder(context(mint, slot), position)
    }
  }

  return {
    live,
    wallet,
    apply(step) {
      if (step.kind === 'trade') trade(step)
      else if (step.kind === 'transfer') transfer(step)
      else if (step.kind === 'funder') fund(step)
      else if (live(step.mint).token.ruggedSlot < 0) {
        live(step.mint).token.ruggedSlot = step.slot
        countRugs(context(step.mint, step.slot))
      }
    },
    restart(copy) {
      for (const [mint, { token, bundles, positions }] of mints) {
        const sorted = [...positions.values()].sort((a, b) => a.wallet - b.wallet)
        const again = new Map(sorted.map((position) => [position.wallet, { ...position }]))
        mints.set(mint, createResident(NOTHING, structuredClone(token), copy(bundles), again))
      }
    },
  }
}

/** What a sell does to the fields that matter here. */
function sellPlainly(position: Position, { tokens, slot, paid }: TradeStep): void {
  position.episodeOut += paid
  position.sold += tokens
  position.lastSellSlot = slot
  position.balance -= Math.min(tokens, position.balance)
}

function eventOf(step: TradeStep): TradeEvent {
  return {
    kind: 'trade',
    sig: '' as Sig,
    txIndex: step.tx,
    outer: 0,
    inner: 0,
    venue: VENUE.pump,
    mint: `mint ${step.mint}`.padEnd(32, '.') as Key,
    pool: null,
    user: keyOf(step.wallet),
    isBuy: step.isBuy,
    quote: QUOTE.SOL,
    quoteAmount: step.paid,
    userQuote: step.paid,
    tokenAmount: step.tokens,
    quoteReserve: 1,
    baseReserve: 1,
    quoteBefore: -1,
    realToken: -1,
    supply: -1,
    decimals: 6,
    creator: null,
    mayhem: false,
    payer: step.payer < 0 ? null : keyOf(step.payer),
    tipper: step.tipper < 0 ? null : keyOf(step.tipper),
    solBefore: -1,
    solAfter: -1,
    hop: false,
    account: -1,
    held: 0,
  }
}
