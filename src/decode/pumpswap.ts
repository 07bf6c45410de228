import { type Key, keyAt } from '../base/ids.ts'
import { accountOf, type Emission, lamportIndex, lamportsAt, skip } from './emission.ts'
import { VENUE } from './events.ts'
import { decimalsOf, type PoolFacts, pairFacts, pairFromBalances } from './pools.ts'
import { exact, i128, isZeroKey, tag, tagged, u32, u64 } from './reader.ts'

const BUY = tag('67f4521f2cf57777')
const SELL = tag('3e2f370aa503dc2a')
const CREATE_POOL = tag('b1310cd2a076a774')

/** Instructions whose accounts begin pool, user, config, base mint, quote mint: buy, sell, buy_exact_quote_in. */
const SWAPS = new Set(['66063d1201daebea', '33e685a4017f83ad', 'c62e1552b4d9e870'].map((hex) => tag(hex).lo))
/** Longest instruction name known is 18 bytes. */
const IX_NAME_MAX = 64

/** Decodes the event payload of the PumpSwap program that starts at `o` (its discriminator). */
export function decodePumpSwap(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:pump_amm')
  if (tagged(b, o, BUY)) return decodeSwap(b, o, at, true)
  if (tagged(b, o, SELL)) return decodeSwap(b, o, at, false)
  if (tagged(b, o, CREATE_POOL)) return decodeCreatePool(b, o, at)
  skip(at, 'unknown_event:pump_amm')
}

/** Offset of virtual_quote_reserves (then can_boost, base_supply): 0 when absent, -1 when the name cannot be true. */
function virtualQuoteOffset(b: Buffer, o: number, size: number, isBuy: boolean): number {
  let v = 392
  if (isBuy) {
    if (size < 405) return 0
    const length = u32(b, o + 401)
    if (length > IX_NAME_MAX || 405 + length > size) return -1
    v = 405 + length + 32
  }
  return size < v + 16 ? 0 : v
}

function decodeSwap(b: Buffer, o: number, at: Emission, isBuy: boolean): void {
  const size = b.length - o
  const name = isBuy ? 'pump_amm.BuyEvent' : 'pump_amm.SellEvent'
  if (size < 360) return skip(at, `too_short:${name}`)
  const v = virtualQuoteOffset(b, o, size, isBuy)
  if (v < 0) skip(at, `guard:${name}`)
  const baseAmount = u64(b, o + 16)
  const poolBase = u64(b, o + 48)
  const poolQuote = u64(b, o + 56)
  const quoteAmount = u64(b, o + 64)
  const lpFee = u64(b, o + 80)
  const userQuote = u64(b, o + 112)
  const supply = v > 0 && size >= v + 25 ? u64(b, o + v + 17) : -1
  // the event states reserves before the trade; the fee for liquidity stays in the pool on both sides
  const virtualQuote = v > 0 ? i128(b, o + v) : 0
  const quoteReserve = (isBuy ? poolQuote + quoteAmount : poolQuote - quoteAmount) + lpFee + virtualQuote
  const baseReserve = isBuy ? poolBase - baseAmount : poolBase + baseAmount
  if (!exact(quoteAmount) || !exact(userQuote) || !exact(baseAmount) || !exact(poolQuote) || !exact(poolBase))
    return skip(at, `amount_too_large:${name}`)
  if (supply > Number.MAX_SAFE_INTEGER || !Number.isSafeInteger(virtualQuote))
    return skip(at, `amount_too_large:${name}`)
  if (quoteReserve > Number.MAX_SAFE_INTEGER || baseReserve > Number.MAX_SAFE_INTEGER)
    return skip(at, `amount_too_large:${name}`)
  if (quoteReserve <= 0 || baseReserve <= 0) return skip(at, `zero_reserve:${name}`)

  const pool = keyAt(b, o + 120)
  const facts = factsOf(at, pool, poolBase, poolQuote)
  if (facts === undefined) return skip(at, `pool_unknown:${name}`)
  if (facts.skip !== null) return skip(at, `${facts.skip}:${name}`)
  const user = keyAt(b, o + 152)
  const { tx } = at
  const lamports = lamportIndex(tx, user)
  at.vaults.push(pool)
  at.out.push({
    kind: 'trade',
    sig: at.sig,
    txIndex: at.txIndex,
    outer: at.outer,
    inner: at.inner,
    venue: VENUE.pumpswap,
    mint: facts.mint,
    pool,
    user,
    isBuy,
    quote: facts.quote,
    quoteAmount,
    userQuote,
    tokenAmount: baseAmount,
    quoteReserve,
    baseReserve,
    quoteBefore: poolQuote,
    realToken: -1,
    supply,
    decimals: facts.decimals,
    // pools opened by hand carry no creator
    creator: isZeroKey(b, o + 312) ? null : keyAt(b, o + 312),
    mayhem: at.mayhem,
    payer: at.payer,
    tipper: at.tipper,
    solBefore: lamportsAt(tx.preBalances, lamports),
    solAfter: lamportsAt(tx.postBalances, lamports),
  })
}

/** Buy and sell name the pool, not the mint: remembered, from the instruction's accounts, or from the pool's balances. */
function factsOf(at: Emission, pool: Key, poolBase: number, poolQuote: number): PoolFacts | undefined {
  const known = at.pools.get(pool)
  if (known !== undefined) return known
  const facts = pairFromCall(at, pool) ?? pairFromBalances(at.tx, pool, poolBase, poolQuote)
  if (facts !== undefined) at.pools.set(pool, facts)
  return facts
}

function pairFromCall(at: Emission, pool: Key): PoolFacts | undefined {
  const { call } = at
  if (call === null || call.data.length < 8 || !SWAPS.has(u32(call.data, 0))) return undefined
  const base = accountOf(at, call, 3)
  const quote = accountOf(at, call, 4)
  if (base === null || quote === null || accountOf(at, call, 0) !== pool) return undefined
  return pairFacts(base, quote, decimalsOf(at.tx, base))
}

function decodeCreatePool(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 205) return skip(at, 'too_short:pump_amm.CreatePoolEvent')
  const mint = keyAt(b, o + 50)
  const pool = keyAt(b, o + 173)
  const facts = pairFacts(mint, keyAt(b, o + 82), b[o + 114]!)
  at.pools.set(pool, facts)
  at.vaults.push(pool)
  if (facts.skip !== null) return skip(at, `${facts.skip}:pump_amm.CreatePoolEvent`)
  at.out.push({
    kind: 'pool',
    sig: at.sig,
    txIndex: at.txIndex,
    outer: at.outer,
    inner: at.inner,
    mint,
    pool,
    quote: facts.quote,
    decimals: facts.decimals,
  })
}
