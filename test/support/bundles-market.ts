import type { Key, Sig } from '@ti/core/base/ids.ts'
import { countBudget } from '@ti/core/engine/bundles/budget.ts'
import type { BundleContext } from '@ti/core/engine/bundles/context.ts'
import { noticeBalance, noticeFunder, noticeTrade } from '@ti/core/engine/bundles/notice.ts'
import { noticeTransfer } from '@ti/core/engine/bundles/passing.ts'
import { countRugs } from '@ti/core/engine/bundles/settle.ts'
import { rememberSale } from '@ti/core/engine/drain.ts'
import { newGlobals } from '@ti/core/engine/globals.ts'
import { newWallet } from '@ti/core/engine/history.ts'
import { buy, openPosition, transferIn, transferOut } from '@ti/core/engine/positions.ts'
import { createResident, type LiveToken } from '@ti/core/engine/resident.ts'
import { newToken } from '@ti/core/engine/tokens.ts'
import { bucketFor } from '@ti/core/engine/windows.ts'
import type { BundleBook } from '@ti/core/model/bundles.ts'
import { QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import { emptyBundleBook } from '@ti/core/model/generated/empty.ts'
import type { Position, Wallet } from '@ti/core/model/state.ts'

/** counted before */
const PLACES = 100_000

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
  readonly lamports: number
  /** wallets, -1 nobody */
  readonly payer: number
  readonly tipper: number
  /** -1 unknown */
  readonly budget?: number
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
}

/** The wallet has become one of an actor's, unless it is of one already. */
export interface ActorStep {
  readonly kind: 'actor'
  readonly slot: number
  readonly wallet: number
  readonly actor: number
}

/** What the wallet did on other tokens. */
export interface HistoryStep {
  readonly kind: 'history'
  readonly slot: number
  readonly wallet: number
  readonly mintsBought: number
  readonly trades: number
  /** of these, as a member of a confirmed group */
  readonly bundled: number
}

export interface RugStep {
  readonly kind: 'rug'
  readonly mint: number
  readonly slot: number
}

export type BundleStep = TradeStep | TransferStep | FunderStep | ActorStep | HistoryStep | RugStep

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
  /** budgets counted before, how often each; the rest of so many in all were others */
  /** blocks are mostly strangers' transactions */
  readonly sparse: boolean
  readonly budgets: { readonly all: number; readonly common: ReadonlyMap<number, number> }
}

export const MARKET: MarketOptions = {
  otherMints: 1_000,
  wallets: 1_000,
  supply: 1e15,
  createdSlot: 1_000,
  deployer: -1,
  sparse: true,
  budgets: { all: 0, common: new Map() },
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
  const actors = new Map<number, number[]>()
  const { population } = newGlobals()
  for (const [budget, times] of options.budgets.common) for (let n = 0; n < times; n++) countBudget(population, budget)
  population.budgets = options.budgets.all
  population.places = PLACES
  population.placesTraded = options.sparse ? PLACES / 100 : PLACES

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
      population,
      wallet,
      members: { walletsOf: (actor) => actors.get(actor)!, joined() {} },
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
    if (step.payer >= 0 && step.payer !== trader.id && step.payer !== trader.payer) {
      trader.payer = step.payer
      wallet(step.payer).paidFor++
    }
    const position = positionOf(step.mint, step.wallet, step.slot)
    const { balance: balanceBefore } = position
    const firstBuy = step.isBuy && position.bought === 0
    if (firstBuy) {
      trader.mintsBought++
      live(step.mint).token.buyers++
    }
    if (step.isBuy) buy(position, step.tokens, step.paid, step.slot)
    else sellPlainly(position, step)
    const { paid, lamports, payer, tipper, budget = -1 } = step
    const event = eventOf(step)
    const about = { event, position, wallet: trader, balanceBefore, firstBuy, paid, lamports, payer, tipper, budget }
    noticeTrade(context(step.mint, step.slot), about)
    if (!step.isBuy) rememberSale(live(step.mint).token, step.wallet, step.slot, step.tokens)
    const bucket = bucketFor(live(step.mint).token.buckets, step.slot, 1, 0)
    if (step.isBuy) bucket.buys++
    else bucket.sells++
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
    noticeTransfer(about, [giver], [taker], tx)
  }

  function fund({ wallet: id, funder: by, fundedAt, exchange, slot }: FunderStep): void {
    const child = wallet(id)
    const funder = wallet(by)
    if (child.funder >= 0 || id === by) return
    child.funder = by
    child.funderSlot = fundedAt
    funder.funded++
    if (exchange) funder.exchange = true
    for (const [mint, { positions }] of mints) {
      const position = positions.get(id)
      if (position !== undefined) noticeFunder(context(mint, slot), position)
    }
  }

  function enlist({ wallet: id, actor }: ActorStep): void {
    if (wallet(id).actor >= 0) return
    wallet(id).actor = actor
    actors.set(actor, [...(actors.get(actor) ?? []), id])
  }

  function remember({ wallet: id, mintsBought, trades, bundled }: HistoryStep): void {
    const known = wallet(id)
    known.mintsBought += mintsBought
    known.trades += trades
    known.bundledTrades += bundled
  }

  return {
    live,
    wallet,
    apply(step) {
      if (step.kind === 'trade') trade(step)
      else if (step.kind === 'transfer') transfer(step)
      else if (step.kind === 'funder') fund(step)
      else if (step.kind === 'actor') enlist(step)
      else if (step.kind === 'history') remember(step)
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
function sellPlainly(position: Position, { tokens, slot }: TradeStep): void {
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
    quoteAmount: step.lamports,
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
