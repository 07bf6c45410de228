import type { Key } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type ChainEvent, LIQUIDITY, type LiquidityEvent, QUOTE } from '@ti/core/model/events.ts'

/**
 * Liquidity and values through coins a second time, slowly: every answer walks over all events again. Tokens are launched in view
 * and graduate at once; `deployer` is who launched.
 */
interface Pool {
  pulledSlot: number
  by: string[]
  locked: number | null
  reserve: number
  taken: Map<Key | null, number>
  deployerTook: number
}

const blocks = (entries: readonly LogEntry[]) => entries.flatMap((entry) => (entry.kind === 'block' ? [entry] : []))
const all = (entries: readonly LogEntry[], mint: Key) =>
  blocks(entries).flatMap(({ slot, events }) =>
    events.filter((event) => event.mint === mint).map((event) => ({ slot, event })),
  )

const sign = ({ change }: LiquidityEvent): number =>
  change === LIQUIDITY.withdraw ? 1 : change === LIQUIDITY.deposit || change === LIQUIDITY.open ? -1 : 0

export function poolOf(entries: readonly LogEntry[], mint: Key, deployer: Key): Pool {
  const events = all(entries, mint)
  const pool = events.map(({ event }) => event).find((event) => event.kind === 'migrate')!.pool
  const own = events.filter(
    (one): one is { slot: number; event: LiquidityEvent } => one.event.kind === 'liquidity' && one.event.pool === pool,
  )
  const opening = own.find(({ event }) => event.change === LIQUIDITY.open)!.event
  const deployerTookIn = (some: typeof events): number =>
    some.reduce((sum, { event }) => {
      if (event.kind === 'trade' && event.user === deployer) return sum + (event.isBuy ? -1 : 1) * event.userQuote
      if (event.kind !== 'liquidity' || event.program || event.owner !== deployer) return sum
      return sum + sign(event) * event.quoteAmount
    }, 0)
  const before = (n: number): number => own.slice(0, n).reduce((sum, { event }) => sum - sign(event) * event.units, 0)
  const pulled = own.findIndex(({ event }, n) => {
    if (event.change !== LIQUIDITY.withdraw) return false
    const left = before(n + 1)
    const isMost = opening.units - left >= opening.units * 0.8
    if (event.owner !== deployer) return isMost
    const past = events.slice(0, events.findIndex((one) => one.event === event) + 1)
    return (isMost || event.units >= before(n) * 0.8) && deployerTookIn(past) > 0
  })
  const who = ({ program, owner }: LiquidityEvent): Key | null => (program ? null : owner)
  const later = own.filter(({ event }) => event.sig !== opening.sig)
  const taken = new Map<Key | null, number>()
  for (const { event } of later) {
    const net = later
      .filter((one) => who(one.event) === who(event))
      .reduce((sum, one) => sum + sign(one.event) * one.event.quoteAmount, 0)
    if (net > 0) taken.set(who(event), net)
  }
  const deployerTook = deployerTookIn(events)
  const total = before(own.length)
  const lock = own.findLast(({ event }) => event.locked >= 0)?.event.locked ?? -1
  return {
    pulledSlot: own[pulled]?.slot ?? -1,
    by: pulled < 0 ? [] : [...(own[pulled]!.event.owner === deployer ? ['deployer'] : []), 'liquidity'],
    locked: lock < 0 || total <= 0 ? null : Math.min(1, lock / total),
    reserve: events.reduce((last, { event }) => {
      if (event.kind === 'trade' && event.pool === pool) return event.quoteReserve
      return event.kind === 'liquidity' && event.pool === pool && event.quoteReserve >= 0 ? event.quoteReserve : last
    }, 0),
    taken,
    deployerTook,
  }
}

/** Lamports for a base unit of the coin just before the event of that index; all coins trade in pools. */
export function rateOf(events: readonly ChainEvent[], index: number, coin: Key, reserve: number, depth = 2): number {
  const last = events.slice(0, index).findLast((event) => event.kind === 'trade' && event.mint === coin)
  if (depth === 0 || last?.kind !== 'trade') return 0
  const { quoteReserve, baseReserve, quote, asset } = last
  const price = Math.min(quoteReserve / baseReserve, quoteReserve / reserve)
  return quote === QUOTE.SOL ? price : price * rateOf(events, index, asset!.mint, quoteReserve, depth - 1)
}
