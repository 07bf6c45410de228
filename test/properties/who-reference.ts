import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { createReadingWallets, type Given } from './reading-wallets.ts'
import { createReference, type Happened, type Moment, movedBy } from './reference.ts'

/**
 * Classes with memory, first buyers and deployers' records (methodology, sections 1 and 6) written a second time: every answer scans
 * everybody and everything again. Amounts are base units, of a supply of 10^15.
 */
const SUPPLY = 1e15

export function createWhoReference(entries: readonly LogEntry[], given: Given) {
  const reference = createReference(entries, given.bundled)
  const { end, ofMint, tradesOf, holding, birth, wallets } = reference
  const people = createReadingWallets(reference, given)
  const firstSlot = reference.events[0]?.slot ?? 0

  const created = (mint: Key): Happened | undefined => ofMint(mint).find(({ event }) => event.kind === 'create')
  const isCreated = (mint: Key, index: number): boolean => (created(mint)?.index ?? index) < index
  const tradesBy = (mint: Key, wallet: Key) => tradesOf(mint).filter(({ event }) => event.user === wallet)
  const firstBuy = (mint: Key, wallet: Key) => tradesBy(mint, wallet).find(({ event }) => event.isBuy)

  /** trades of the wallet, and transfers that changed its balance */
  const touches = (mint: Key, wallet: Key): Happened[] =>
    ofMint(mint).filter(({ index, slot, event }) => {
      if (event.kind === 'trade') return event.user === wallet
      if (event.kind !== 'balance' || event.owner !== wallet || index < birth(mint)!.index) return false
      return movedBy(event, holding(wallet, mint, { index, slot }).balance) !== 0
    })

  /** index of the event at which the wallet began to count, null never */
  type Entered = (mint: Key, wallet: Key) => number | null

  const boughtWithin =
    (slots: number): Entered =>
    (mint, wallet) => {
      const buy = firstBuy(mint, wallet)
      if (buy === undefined || wallet === reference.deployerOf(mint) || !isCreated(mint, buy.index)) return null
      return buy.slot - birth(mint)!.slot <= slots ? buy.index : null
    }

  const fresh: Entered = (mint, wallet) => {
    const first = touches(mint, wallet)[0]
    if (first === undefined || first.slot - firstSlot < 9_000) return null
    const { firstSeen } = people.profile(wallet, 0)
    const funded = reference.funderOf(wallet, first.index)
    const isYoung = first.slot - firstSeen < 9_000 && (funded === undefined || first.slot - funded.slot < 9_000)
    return isYoung && reference.history(wallet, first).buys < 3 ? first.index : null
  }

  const kols: Entered = (mint, wallet) =>
    touches(mint, wallet).find(({ index }) => people.isKol(wallet, index))?.index ?? null

  const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0)
  const balanceOf = (mint: Key, wallet: Key, then: Moment): number => holding(wallet, mint, then).balance

  /** ends of the transactions of a mint; each trade is one of its own */
  const ends = (mint: Key): Happened[] =>
    ofMint(mint).filter(({ event }, i, list) => {
      const next = list[i + 1]?.event
      const goesOn = event.kind === 'balance' && next?.kind === 'balance' && next.sig === event.sig
      return !goesOn && (event.kind === 'balance' || event.kind === 'trade')
    })

  function classSums(mint: Key, entered: Entered) {
    const members = wallets.flatMap((wallet) => {
      const index = entered(mint, wallet)
      return index === null ? [] : [{ wallet, index }]
    })
    const heldAt = (then: Moment): number =>
      sum(members.filter(({ index }) => index < then.index).map(({ wallet }) => balanceOf(mint, wallet, then)))
    const peaks = members.length === 0 ? [] : ends(mint).map(({ index, slot }) => heldAt({ index: index + 1, slot }))
    return {
      ...moneyOf(
        mint,
        members.map(({ wallet }) => wallet),
      ),
      peak: Math.max(0, ...peaks),
    }
  }

  /** what the wallets hold now, sold, paid and got */
  function moneyOf(mint: Key, members: readonly Key[]) {
    const trades = members.flatMap((wallet) => tradesBy(mint, wallet).map(({ event }) => event))
    return {
      wallets: members.length,
      held: sum(members.map((wallet) => balanceOf(mint, wallet, end))),
      sold: sum(members.map((wallet) => holding(wallet, mint, end).sold)),
      paid: sum(trades.map(({ isBuy, userQuote }) => (isBuy ? userQuote : 0))),
      got: sum(trades.map(({ isBuy, userQuote }) => (isBuy ? 0 : userQuote))),
    }
  }

  function bundled(mint: Key) {
    const members = wallets.filter((wallet) => given.memberSince(mint, wallet) !== null)
    return {
      ...moneyOf(mint, members),
      /** the least its peak can be */
      peak: Math.max(0, ...given.groups(mint).map(({ peak }) => peak)),
    }
  }

  function fateOf(mint: Key, wallet: Key): string {
    const { balance, bought, received, sold, paidIn, gotOut } = holding(wallet, mint, end)
    if (balance > (bought + received) / 100) return 'holding'
    const left = bought + received - sold - balance
    return left > sold ? 'moved' : gotOut > paidIn ? 'gain' : 'loss'
  }

  /** the first 70 who bought after the launch was seen */
  function firstBuyers(mint: Key) {
    const buys = wallets.flatMap((wallet) => firstBuy(mint, wallet) ?? [])
    const seen = buys.filter(({ index }) => isCreated(mint, index) || reference.isFromStart(mint, index))
    const buyers = seen
      .sort((a, b) => a.index - b.index)
      .slice(0, 70)
      .map(({ event }) => event.user)
    const fates = buyers.map((wallet) => fateOf(mint, wallet))
    const own = buyers.map((wallet) => holding(wallet, mint, end))
    const traded = own.filter((_, i) => fates[i] === 'gain' || fates[i] === 'loss')
    return {
      buyers,
      fates,
      sums: {
        bought: sum(own.map(({ bought }) => bought)),
        held: sum(own.map(({ balance }) => balance)),
        sold: sum(own.map(({ sold }) => sold)),
        moved: sum(own.map(({ bought, received, sold, balance }) => Math.max(0, bought + received - sold - balance))),
        paid: sum(traded.map(({ paidIn }) => paidIn)),
        got: sum(traded.map(({ gotOut }) => gotOut)),
      },
    }
  }

  /** a launch as its deployer's record has it; what became of the token is given by its record */
  function launch(mint: Key) {
    const deployer = reference.deployerOf(mint)!
    const born = birth(mint)!.slot
    const trades = tradesBy(mint, deployer)
    const creation = created(mint)
    const buys = trades.filter(({ event, index, slot }) => event.isBuy && slot === born && isCreated(mint, index))
    const sale = trades.find(({ event }) => !event.isBuy)
    const mark = born + 150
    const isJudged = creation !== undefined && creation.slot <= mark && mark < end.slot
    return {
      taken: sum(trades.map(({ event }) => (event.isBuy ? -event.userQuote : event.userQuote))),
      firstSale: sale !== undefined && isCreated(mint, sale.index) ? sale.slot - born : -1,
      bought:
        creation === undefined ? -1 : sum(buys.map(({ event }) => Math.round(1e6 * (event.tokenAmount / SUPPLY)))),
      bundled: isJudged ? Math.round(1e6 * (bundledAt(mint, mark) / SUPPLY)) : -1,
    }
  }

  function bundledAt(mint: Key, slot: number): number {
    const index = reference.events.find((one) => one.slot > slot)!.index
    const members = wallets.filter((wallet) => (given.memberSince(mint, wallet) ?? slot + 1) <= slot)
    return sum(members.map((wallet) => balanceOf(mint, wallet, { index, slot: slot + 1 })))
  }

  return {
    mints: reference.mints.filter((mint) => birth(mint) !== undefined),
    deployerOf: reference.deployerOf,
    classes: (mint: Key) => ({
      firstBlock: created(mint) === undefined ? null : classSums(mint, boughtWithin(0)),
      firstSeconds: created(mint) === undefined ? null : classSums(mint, boughtWithin(7)),
      fresh: birth(mint)!.slot - firstSlot < 9_000 ? null : classSums(mint, fresh),
      kols: classSums(mint, kols),
    }),
    /** everybody but its own people: nobody is both */
    others: (mint: Key) =>
      moneyOf(
        mint,
        wallets.filter((wallet) => touches(mint, wallet).length > 0 && !reference.isOwn(wallet, mint)),
      ),
    bundled,
    firstBuyers,
    launch,
    /** share of the owned supply whose funder was told */
    traced(mint: Key): number {
      const held = wallets.map((wallet) => ({ wallet, balance: balanceOf(mint, wallet, end) }))
      const holders = held.filter(({ balance }) => balance >= 1e6)
      const known = holders.filter(({ wallet }) => reference.funderOf(wallet, end.index) !== undefined)
      const total = sum(holders.map(({ balance }) => balance))
      return total === 0 ? 0 : sum(known.map(({ balance }) => balance)) / total
    },
  }
}
