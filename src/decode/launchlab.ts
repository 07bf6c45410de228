import { type Key, keyAt } from '../base/ids.ts'
import { cleanText, normaliseText } from '../base/normalise.ts'
import { accountOf, type Emission, lamportIndex, lamportsAt, skip } from './emission.ts'
import { LAUNCHPAD, VENUE } from './events.ts'
import { decimalsOf } from './pools.ts'
import { quoteOf } from './programs.ts'
import { NAME_MAX, SYMBOL_MAX, URI_MAX } from './pump.ts'
import { exact, stringEnd, tag, tagged, u64 } from './reader.ts'

const TRADE = tag('bddb7fd34ee661ee')
const POOL_CREATE = tag('97d7e20976a173ae')
/** A fixed-price or linear curve reads its virtual reserves differently; the product tells (rounding is below 1e-9). */
const PRODUCT_TOLERANCE = 1e-6

/** Decodes the event payload of the LaunchLab program that starts at `o` (its discriminator). */
export function decodeLaunchLab(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:launchlab')
  if (tagged(b, o, TRADE)) return decodeTrade(b, o, at)
  if (tagged(b, o, POOL_CREATE)) return decodePoolCreate(b, o, at)
  skip(at, 'unknown_event:launchlab')
}

function decodeTrade(b: Buffer, o: number, at: Emission): void {
  const size = b.length - o
  if (size < 138) return skip(at, 'too_short:launchlab.TradeEvent')
  // 147 bytes brought creator_fee before share_fee and exact_in at the end
  const newer = size >= 147
  const direction = b[o + (newer ? 144 : 136)]!
  if (direction > 1) return skip(at, 'guard:launchlab.TradeEvent')
  const pool = keyAt(b, o + 8)
  // buy and sell list payer, authority, …, pool state (4), …, base mint (9), quote mint (10)
  const user = accountOf(at, at.call, 0)
  const mint = accountOf(at, at.call, 9)
  const quoteMint = accountOf(at, at.call, 10)
  const authority = accountOf(at, at.call, 1)
  if (user === null || mint === null || quoteMint === null || authority === null || accountOf(at, at.call, 4) !== pool)
    return skip(at, 'no_instruction:launchlab.TradeEvent')
  const quote = quoteOf(quoteMint)
  if (quote === null) return skip(at, 'quote_unknown:launchlab.TradeEvent')

  const virtualBase = u64(b, o + 48)
  const virtualQuote = u64(b, o + 56)
  const soldBefore = u64(b, o + 64)
  const raisedBefore = u64(b, o + 72)
  const soldAfter = u64(b, o + 80)
  const raisedAfter = u64(b, o + 88)
  const fees = u64(b, o + 112) + u64(b, o + 120) + u64(b, o + 128) + (newer ? u64(b, o + 136) : 0)
  const isBuy = direction === 0
  const quoteAmount = Math.abs(raisedAfter - raisedBefore)
  const userQuote = isBuy ? quoteAmount + fees : Math.max(0, quoteAmount - fees)
  const quoteReserve = virtualQuote + raisedAfter
  // real_base counts the tokens sold so far
  const baseReserve = virtualBase - soldAfter
  const largest = Math.max(virtualBase, quoteReserve, soldBefore, soldAfter, raisedBefore, userQuote, quoteAmount)
  if (!exact(largest)) return skip(at, 'amount_too_large:launchlab.TradeEvent')
  if (quoteReserve <= 0 || baseReserve <= 0) return skip(at, 'zero_reserve:launchlab.TradeEvent')
  const before = (virtualBase - soldBefore) * (virtualQuote + raisedBefore)
  if (Math.abs(before / (baseReserve * quoteReserve) - 1) > PRODUCT_TOLERANCE)
    return skip(at, 'other_curve:launchlab.TradeEvent')
  const left = u64(b, o + 40) - soldAfter
  const { tx } = at
  const lamports = lamportIndex(tx, user)
  at.vaults.push(pool, authority)
  at.out.push({
    kind: 'trade',
    sig: at.sig,
    txIndex: at.txIndex,
    outer: at.outer,
    inner: at.inner,
    venue: VENUE.launchlab,
    mint,
    pool,
    user,
    isBuy,
    quote,
    quoteAmount,
    userQuote,
    tokenAmount: Math.abs(soldAfter - soldBefore),
    quoteReserve,
    baseReserve,
    quoteBefore: -1,
    realToken: exact(left) ? left : -1,
    supply: -1,
    decimals: decimalsOf(tx, mint),
    creator: null,
    mayhem: false,
    payer: at.payer,
    tipper: at.tipper,
    solBefore: lamportsAt(tx.preBalances, lamports),
    solAfter: lamportsAt(tx.postBalances, lamports),
  })
}

/** initialize lists payer, creator, …, authority (4), pool state (5), base mint (6), quote mint (7). */
function decodePoolCreate(b: Buffer, o: number, at: Emission): void {
  const end = b.length
  if (end - o < 105) return skip(at, 'too_short:launchlab.PoolCreateEvent')
  const symbolAt = stringEnd(b, o + 105, end)
  const uriAt = symbolAt < 0 ? -1 : stringEnd(b, symbolAt, end)
  const p = uriAt < 0 ? -1 : stringEnd(b, uriAt, end)
  if (p < 0) return skip(at, 'guard:launchlab.PoolCreateEvent')
  // a curve kind, then its supply first in all three kinds
  if (end - p < 9) return skip(at, 'too_short:launchlab.PoolCreateEvent')
  const supply = u64(b, p + 1)
  if (!exact(supply)) return skip(at, 'amount_too_large:launchlab.PoolCreateEvent')
  const pool = keyAt(b, o + 8)
  const user = accountOf(at, at.call, 0)
  const authority = accountOf(at, at.call, 4)
  const mint = accountOf(at, at.call, 6)
  const quoteMint: Key | null = accountOf(at, at.call, 7)
  if (user === null || mint === null || quoteMint === null || authority === null || accountOf(at, at.call, 5) !== pool)
    return skip(at, 'no_instruction:launchlab.PoolCreateEvent')
  const quote = quoteOf(quoteMint)
  if (quote === null) return skip(at, 'quote_unknown:launchlab.PoolCreateEvent')
  const name = cleanText(b.toString('utf8', o + 109, symbolAt), NAME_MAX)
  const symbol = cleanText(b.toString('utf8', symbolAt + 4, uriAt), SYMBOL_MAX)
  at.vaults.push(pool, authority)
  at.out.push({
    kind: 'create',
    sig: at.sig,
    txIndex: at.txIndex,
    outer: at.outer,
    inner: at.inner,
    launchpad: LAUNCHPAD.launchlab,
    mint,
    pool,
    creator: keyAt(b, o + 40),
    user,
    name,
    symbol,
    uri: cleanText(b.toString('utf8', uriAt + 4, p), URI_MAX),
    nameNorm: normaliseText(name),
    symbolNorm: normaliseText(symbol),
    quote,
    supply,
    decimals: b[o + 104]!,
    quoteReserve: 0,
    baseReserve: 0,
    mayhem: false,
  })
}
