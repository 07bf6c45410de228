import { type Key, keyAt } from '../base/ids.ts'
import { type Graduate, LAUNCHPAD, QUOTE, VENUE } from '../model/events.ts'
import { METEORA_DAMM_AUTHORITY } from '../model/programs.ts'
import type { RawInstruction, RawTransaction } from '../model/raw.ts'
import {
  accountOf,
  createOf,
  type Emission,
  isCall,
  pushComplete,
  pushMigration,
  signedToo,
  skip,
  tradeOf,
} from './emission.ts'
import { curveReserves } from './meteora-math.ts'
import { decimalsOf, pairFacts, quotedAs, statedDecimals } from './pools.ts'
import { tag, tagged, u64 } from './reader.ts'
import { type LaunchTexts, textsAt } from './texts.ts'

/** Boop. Its events are only in the log; curve, vault and payer are those of the calls. */
const BOUGHT = tag('4759de7cd7c0e68a')
const SOLD = tag('ccefb64df1334d42')
const DEPLOYED = tag('e150b222d927b894')
const DEPLOYED_FALLBACK = tag('6afcf373c79ff71f')
const GRADUATED = tag('49746f1a5cd9928d')

const CALL = {
  buy: tag('8a7f0e5b26577369'),
  sell: tag('6d3d28bbe6b087ae'),
  create: tag('5434cce4188cea4b'),
  createFallback: tag('fdb87ec7ebe8aca2'),
  deploy: tag('b459c74ca8ecd98a'),
  deployFallback: tag('35e6ac544dae163d'),
  createMeteoraPool: tag('f6fe2125e1b029e8'),
  createRaydiumPool: tag('412d774dccb25402'),
  createRandomPool: tag('4e2cad1d84b404ac'),
} as const

/**
 * What a recorded curve started with, in base units: virtual quote and base, and the tokens, of 9 decimals, that are all minted to
 * it. The configuration may change; a trade on another curve shows by its amount.
 */
const START = { quote: 30_000_000_000, base: 1_002_320_930_000_000_000, supply: 1e18 } as const
const DECIMALS = 9
/** The share of the paid amount by which a trade may miss the curve: the vault's balance is rounded. */
const TOLERANCE = 1e-6

export const LOGGED_BOOP = {
  call: (call: RawInstruction): boolean => isCall(call, CALL.buy, CALL.sell, CALL.deploy, CALL.deployFallback),
  event: (b: Buffer): boolean =>
    b.length >= 8 && [BOUGHT, SOLD, DEPLOYED, DEPLOYED_FALLBACK].some((one) => tagged(b, 0, one)),
}

export function decodeBoop(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:boop')
  if (tagged(b, o, BOUGHT)) return decodeTrade(b, o, at, true)
  if (tagged(b, o, SOLD)) return decodeTrade(b, o, at, false)
  if (tagged(b, o, DEPLOYED) || tagged(b, o, DEPLOYED_FALLBACK)) return decodeDeployed(b, o, at)
  if (tagged(b, o, GRADUATED)) return decodeGraduated(b, o, at)
  skip(at, 'unknown_event:boop')
}

/** Mint 8, input 40 and output 48 on the curve, fee 56 in SOL, trader 64. The fee is taken from what the trader pays or gets. */
function decodeTrade(b: Buffer, o: number, at: Emission, isBuy: boolean): void {
  const name = isBuy ? 'boop.TokenBoughtEvent' : 'boop.TokenSoldEvent'
  if (b.length - o < 128) return skip(at, `too_short:${name}`)
  const mint = keyAt(b, o + 8)
  const fee = u64(b, o + 56)
  const tokenAmount = u64(b, o + (isBuy ? 48 : 40))
  const quoteAmount = isBuy ? u64(b, o + 40) : u64(b, o + 48) + fee
  const userQuote = isBuy ? quoteAmount + fee : u64(b, o + 48)
  if (tokenAmount === 0 || quoteAmount === 0) return skip(at, `zero_amount:${name}`)
  const { tx } = at
  const call = callOf(at, mint)
  const curve = accountOf(at, call, 1)
  const onCurve = reservesIn(tx, call, tokenAmount, quoteAmount, isBuy)
  const reserves = onCurve ?? curveReserves(quoteAmount, tokenAmount, quoteAmount / tokenAmount)
  if (reserves.quote === 0 || reserves.base === 0) return skip(at, `zero_reserve:${name}`)
  excludeVault(at, call, 3)
  const user = keyAt(b, o + 64)
  const event = tradeOf(at, {
    venue: VENUE.boop,
    mint,
    pool: curve,
    user,
    isBuy,
    quote: QUOTE.SOL,
    quoteAmount,
    userQuote,
    tokenAmount,
    quoteReserve: reserves.quote,
    baseReserve: reserves.base,
    quoteBefore: -1,
    realToken: -1,
    supply: START.supply,
    decimals: decimalsOf(tx, mint, DECIMALS),
    creator: null,
    mayhem: false,
  })
  at.out.push(event)
}

/** The event's call, if it is about this mint: accounts begin with mint and, but for a deployment, the curve. */
const callOf = (at: Emission, mint: Key): RawInstruction | null => (accountOf(at, at.call, 0) === mint ? at.call : null)

/** The reserves after a trade by what is in the vault (3); null if the trade is not one of this curve from there. */
function reservesIn(tx: RawTransaction, call: RawInstruction | null, tokens: number, paid: number, isBuy: boolean) {
  const account = call?.accounts[3]
  const left = account === undefined ? undefined : tx.postTokens.find((row) => row.account === account)?.amount
  if (left === undefined || !(left >= 0)) return null
  const base = START.base - START.supply + left
  const before = isBuy ? base + tokens : base - tokens
  if (!(base > 0 && before > 0)) return null
  const quote = (START.quote * START.base) / base
  const moved = (quote * tokens) / before
  return Math.abs(moved - paid) <= Math.max(2, paid * TOLERANCE) ? { quote: Math.round(quote), base } : null
}

/** The owner of the curve's token account is no holder. */
function excludeVault(at: Emission, call: RawInstruction | null, place: number): void {
  const account = call?.accounts[place]
  const row =
    at.tx.postTokens.find((one) => one.account === account) ?? at.tx.preTokens.find((one) => one.account === account)
  if (account !== undefined && row !== undefined && row.owner !== null) at.vaults.push(row.owner)
}

/** Mint 8, creator 40; accounts: mint, …, curve (2), …, vault (4), …, payer (6). Texts are in the call that made the token. */
function decodeDeployed(b: Buffer, o: number, at: Emission): void {
  const name = 'boop.BondingCurveDeployedEvent'
  if (b.length - o < 72) return skip(at, `too_short:${name}`)
  const mint = keyAt(b, o + 8)
  const call = callOf(at, mint)
  const pool = accountOf(at, call, 2)
  const user = accountOf(at, call, 6)
  if (pool === null || user === null) return skip(at, `no_instruction:${name}`)
  excludeVault(at, call, 4)
  const creator = keyAt(b, o + 40)
  const event = createOf(at, {
    launchpad: LAUNCHPAD.boop,
    mint,
    pool,
    creator,
    user,
    signed: signedToo(at, creator, user),
    ...textsOf(at, mint),
    quote: QUOTE.SOL,
    supply: START.supply,
    decimals: decimalsOf(at.tx, mint, DECIMALS),
    // the curve's start is the configuration's
    quoteReserve: 0,
    baseReserve: 0,
    mayhem: false,
  })
  at.out.push(event)
}

const NO_TEXTS: LaunchTexts = { name: '', symbol: '', uri: '', nameNorm: '', symbolNorm: '' }

/** Name, symbol and metadata URI of the token made in this transaction: mint (2); data: a salt, then the texts. */
function textsOf(at: Emission, mint: Key): LaunchTexts {
  const { instructions, inner } = at.tx
  const makes = (call: RawInstruction): boolean =>
    isCall(call, CALL.create, CALL.createFallback) && accountOf(at, call, 2) === mint
  let made = instructions.find(makes)
  for (const group of inner ?? []) made ??= group.instructions.find(makes)
  if (made === undefined) return NO_TEXTS
  return textsAt(made.data, 16)?.texts ?? NO_TEXTS
}

function decodeGraduated(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 40) return skip(at, 'too_short:boop.TokenGraduatedEvent')
  pushComplete(at, keyAt(b, o + 8))
}

/** Reads the call that opens a pool. Returns true if there was an event. */
export function decodeBoopCall(call: RawInstruction, at: Emission): boolean {
  // pool (5), mints (9, 10), the curve's vault (14)
  if (isCall(call, CALL.createMeteoraPool)) return emitPool(at, call, 5, 9, METEORA_DAMM_AUTHORITY, 14)
  // authority (2), pool (3), mints (4, 5), the curve's vault (9)
  if (isCall(call, CALL.createRaydiumPool, CALL.createRandomPool))
    return emitPool(at, call, 3, 4, accountOf(at, call, 2), 9)
  return false
}

function emitPool(
  at: Emission,
  call: RawInstruction,
  place: number,
  mints: number,
  custody: Key | null,
  vault: number,
) {
  const pool = accountOf(at, call, place)
  const [a, b] = [accountOf(at, call, mints), accountOf(at, call, mints + 1)]
  if (pool === null || a === null || b === null || custody === null) {
    skip(at, 'no_accounts:boop.migration')
    return false
  }
  const facts = pairFacts(a, b, (mint) => statedDecimals(at.tx, mint))
  at.pools.set(pool, facts)
  at.vaults.push(pool, custody)
  excludeVault(at, call, vault)
  if (facts.skip !== null) {
    skip(at, `${facts.skip}:boop.migration`)
    return false
  }
  const { mint, quote, decimals } = facts
  const launchpad = LAUNCHPAD.boop
  const token: Graduate = { launchpad, quote, decimals, quoteReserve: 0, baseReserve: 0, earlier: false }
  pushMigration(at, mint, pool, quotedAs(token, facts))
  return true
}
