import { keyAt } from '../base/ids.ts'
import { VENUE } from '../model/events.ts'
import { METEORA_DAMM_AUTHORITY } from '../model/programs.ts'
import { decodeLiquidityChange, decodeLock, openLiquidity } from './damm-liquidity.ts'
import { accountOf, type Emission, isCall, pushPool, skip, tradeOf } from './emission.ts'
import { pairOf } from './liquidity.ts'
import { priceAt, reservesAt } from './meteora-math.ts'
import { pairFacts, quotedAs, statedDecimals } from './pools.ts'
import { tag, tagged, u64 } from './reader.ts'

/**
 * Meteora DAMM v2 (program cp_amm), the AMM that bonding curves graduate to. Layouts follow the program's interface
 * (cp_amm 0.2.5). Events appear only in inner instructions.
 */
const SWAP2 = tag('bd4233a826507599')
const INITIALIZE_POOL = tag('e432f655cb428625')
const LIQUIDITY_CHANGE = tag('c5ab4e7fe0d3570d')
const PERMANENT_LOCK = tag('918fa2dada50430b')
const CALLS = [tag('f8c69e91e17587c8'), tag('414b3f4ceb5b5b88')]

/** Decodes the DAMM v2 event payload whose discriminator is at `o`. */
export function decodeMeteoraDamm(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:meteora_damm_v2')
  if (tagged(b, o, SWAP2)) return decodeSwap(b, o, at)
  if (tagged(b, o, INITIALIZE_POOL)) return decodeInitializePool(b, o, at)
  if (tagged(b, o, LIQUIDITY_CHANGE)) return decodeLiquidityChange(b, o, at)
  if (tagged(b, o, PERMANENT_LOCK)) return decodeLock(b, o, at)
  skip(at, 'unknown_event:meteora_damm_v2')
}

/** Accounts of swap and swap2: authority, pool (1), …, token A mint (6), token B mint (7), payer (8). */
function decodeSwap(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_damm_v2.EvtSwap2'
  if (b.length - o < 188) return skip(at, `too_short:${name}`)
  const direction = b[o + 40]!
  if (direction > 1) return skip(at, `guard:${name}`)
  const { call } = at
  const pool = keyAt(b, o + 8)
  const user = accountOf(at, call, 8)
  const known = isCall(call, ...CALLS)
  if (!known || user === null || accountOf(at, call, 1) !== pool) return skip(at, `no_instruction:${name}`)
  at.vaults.push(METEORA_DAMM_AUTHORITY)
  const facts = pairOf(at, pool, call, 6)
  if (facts === undefined) return skip(at, `pool_unknown:${name}`)
  if (facts.skip !== null) return skip(at, `${facts.skip}:${name}`)

  // A is the base of the program's price; in a reversed pool it is the quote asset
  const { reversed } = facts
  const isBuy = (direction === 1) !== reversed
  const included = u64(b, o + 60)
  const excluded = u64(b, o + 68)
  const output = u64(b, o + 84)
  const fees = u64(b, o + 108) + u64(b, o + 116) + u64(b, o + 124) + u64(b, o + 132)
  // the fee is taken either from the input or from the output
  const gross = included === excluded ? output + fees : output
  const quoteAmount = isBuy ? excluded : gross
  // amounts sent and received by the trader, fees of the token program included
  const sent = u64(b, o + 140)
  const got = u64(b, o + 156)
  const reserve = u64(b, o + (reversed ? 172 : 180))
  if (sent === 0 || got === 0) return skip(at, `zero_amount:${name}`)
  const stated = priceAt(b, o + 92)
  if (stated === 0 || reserve === 0) return skip(at, `zero_reserve:${name}`)
  // the pool's own quote reserve, and a base reserve from the price, because liquidity may be concentrated around it
  const reserves = reservesAt(reserve, reversed ? 1 / stated : stated)
  if (reserves.base === 0) return skip(at, `zero_reserve:${name}`)
  const event = tradeOf(at, {
    venue: VENUE.meteora_damm_v2,
    mint: facts.mint,
    pool,
    user,
    isBuy,
    quote: facts.quote,
    quoteAmount,
    userQuote: isBuy ? sent : got,
    tokenAmount: isBuy ? got : sent,
    quoteReserve: reserves.quote,
    baseReserve: reserves.base,
    quoteBefore: isBuy ? Math.max(0, reserve - quoteAmount) : reserve + quoteAmount,
    realToken: -1,
    supply: -1,
    decimals: facts.decimals,
    creator: null,
    mayhem: false,
  })
  at.out.push(quotedAs(event, facts))
}

function decodeInitializePool(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_damm_v2.EvtInitializePool'
  if (b.length - o < 104) return skip(at, `too_short:${name}`)
  const pool = keyAt(b, o + 8)
  const mint = keyAt(b, o + 40)
  const facts = pairFacts(mint, keyAt(b, o + 72), (one) => statedDecimals(at.tx, one))
  at.pools.set(pool, facts)
  at.vaults.push(METEORA_DAMM_AUTHORITY)
  if (facts.skip !== null) return skip(at, `${facts.skip}:${name}`)
  pushPool(at, pool, facts)
  openLiquidity(b, o, at, pool, facts)
}
