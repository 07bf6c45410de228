import { type Key, keyAt } from '../base/ids.ts'
import { FEE_CHANGE, LAUNCHPAD, type Launchpad, type PoolEvent, VENUE } from '../model/events.ts'
import { METEORA_DAMM_AUTHORITY, METEORA_DBC, METEORA_DBC_AUTHORITY, quoteOf } from '../model/programs.ts'
import type { RawInstruction } from '../model/raw.ts'
import { pushCreator } from './creators.ts'
import { decodePlan, pushPlan } from './dbc-plan.ts'
import { accountOf, createOf, type Emission, isCall, pushComplete, skip, tradeOf } from './emission.ts'
import { curveReserves, priceAt } from './meteora-math.ts'
import { launcherOf, launchpadOf, STUDIO_MARK } from './meteora-names.ts'
import { decimalsOf, pairFacts, quotedAs, quotedIn, statedDecimals } from './pools.ts'
import { tag, tagged, u64 } from './reader.ts'
import { textsAt } from './texts.ts'
import { isMinting } from './token-program.ts'

/**
 * Meteora's Dynamic Bonding Curve. Layouts follow the program's interface (dynamic_bonding_curve 0.2.1). The program
 * emits events by calling itself, so they appear only in inner instructions, never in the log. Launches with a transfer
 * hook have instructions and events of their own, laid out like the others.
 */
const SWAP = tag('1b3c15d58aaabb93')
const SWAP2 = tag('bd4233a826507599')
const INITIALIZE_POOL = tag('e432f655cb428625')
const CURVE_COMPLETE = tag('e5e756549c864b18')
const SWAP2_HOOKED = tag('863ba8785e3372e7')
const INITIALIZE_POOL_HOOKED = tag('d589a435c14a0f6e')
const CURVE_COMPLETE_HOOKED = tag('3b2f6dcd0d1f2c9f')
const CREATE_CONFIG = [tag('a34a42bb77c31a90'), tag('b6518704272e84fd')]
const UPDATE_CREATOR = tag('6be1a5ed5b9ed5dc')

const CALL = {
  swap: tag('f8c69e91e17587c8'),
  swap2: tag('414b3f4ceb5b5b88'),
  swap2Hooked: tag('b75d992818e6c297'),
  createSpl: tag('8c55d7b06636684f'),
  create2022: tag('a976334e916edc9b'),
  createHooked: tag('b60de9b12a918702'),
  createConfig: tag('c9cff3724b6f2fbd'),
  migrateDammV2: tag('9ca9e66735e45040'),
  migrateDammV1: tag('1b013016b43f76d9'),
} as const

const isSwap = (call: RawInstruction | null): call is RawInstruction =>
  isCall(call, CALL.swap, CALL.swap2, CALL.swap2Hooked)

/** The payer's position in the instructions that create a pool; -1 for others. */
const payerAt = (call: RawInstruction | null): number =>
  isCall(call, CALL.createSpl) ? 10 : isCall(call, CALL.create2022) ? 8 : isCall(call, CALL.createHooked) ? 9 : -1

/** Decodes the bonding curve event payload whose discriminator is at `o`. */
export function decodeMeteoraDbc(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 8) return skip(at, 'too_short:meteora_dbc')
  if (tagged(b, o, SWAP)) return decodeSwap(b, o, at)
  if (tagged(b, o, SWAP2)) return decodeSwap2(b, o, at)
  if (tagged(b, o, INITIALIZE_POOL)) return decodeInitializePool(b, o, at)
  if (tagged(b, o, CURVE_COMPLETE)) return decodeCurveComplete(b, o, at)
  if (tagged(b, o, SWAP2_HOOKED)) return decodeSwap2(b, o, at)
  if (tagged(b, o, INITIALIZE_POOL_HOOKED)) return decodeInitializePool(b, o, at)
  if (tagged(b, o, CURVE_COMPLETE_HOOKED)) return decodeCurveComplete(b, o, at)
  if (CREATE_CONFIG.some((one) => tagged(b, o, one))) return decodePlan(b, o, at)
  if (tagged(b, o, UPDATE_CREATOR)) return decodeUpdateCreator(b, o, at)
  skip(at, 'unknown_event:meteora_dbc')
}

/** Every swap is emitted as EvtSwap and again as EvtSwap2. The second is read only if it is alone. */
function decodeSwap(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 162) return skip(at, 'too_short:meteora_dbc.EvtSwap')
  at.firstSwap = { payload: b, offset: o }
  emitSwap(b, o, at, 'meteora_dbc.EvtSwap', { included: o + 146, excluded: o + 90, result: o + 98 })
}

function decodeSwap2(b: Buffer, o: number, at: Emission): void {
  if (b.length - o < 187) return skip(at, 'too_short:meteora_dbc.EvtSwap2')
  const { firstSwap } = at
  at.firstSwap = null
  if (firstSwap !== null && isSameSwap(firstSwap.payload, firstSwap.offset, b, o)) return
  emitSwap(b, o, at, 'meteora_dbc.EvtSwap2', { included: o + 91, excluded: o + 99, result: o + 115 })
}

/** True if pool, configuration, direction and referral, and output, price and fees are equal byte for byte. */
const isSameSwap = (first: Buffer, o: number, second: Buffer, p: number): boolean =>
  first.compare(second, p + 8, p + 74, o + 8, o + 74) === 0 &&
  first.compare(second, p + 115, p + 163, o + 98, o + 146) === 0

/** Offsets of the input with and without its fee, and of output (u64), √price (u128) and three fees (u64). */
interface SwapPlaces {
  readonly included: number
  readonly excluded: number
  readonly result: number
}

/** Accounts of all swaps: authority, config, pool (2), …, base mint (7), quote mint (8), payer (9). */
function emitSwap(b: Buffer, o: number, at: Emission, name: string, { included, excluded, result }: SwapPlaces): void {
  const direction = b[o + 72]!
  if (direction > 1) return skip(at, `guard:${name}`)
  const { call, tx } = at
  const pool = keyAt(b, o + 8)
  const mint = accountOf(at, call, 7)
  const quoteMint = accountOf(at, call, 8)
  const user = accountOf(at, call, 9)
  if (!isSwap(call) || accountOf(at, call, 2) !== pool) return skip(at, `no_instruction:${name}`)
  if (mint === null || quoteMint === null || user === null) return skip(at, `no_instruction:${name}`)
  at.vaults.push(METEORA_DBC_AUTHORITY)
  const isBuy = direction === 1
  const paid = u64(b, included)
  const net = u64(b, excluded)
  const output = u64(b, result)
  const fees = u64(b, result + 24) + u64(b, result + 32) + u64(b, result + 40)
  // the fee is taken from the input or from the output, which is the quote in a sale and the token in a buy
  const gross = paid === net ? output + fees : output
  const quoteAmount = isBuy ? net : gross
  const tokenMoved = isBuy ? gross : net
  if (quoteAmount === 0 || tokenMoved === 0) return skip(at, `zero_amount:${name}`)
  const price = priceAt(b, result + 8)
  if (price === 0) return skip(at, `zero_reserve:${name}`)
  const reserves = curveReserves(quoteAmount, tokenMoved, price)
  if (reserves.quote === 0 || reserves.base === 0) return skip(at, `zero_reserve:${name}`)
  const event = tradeOf(at, {
    venue: VENUE.meteora_dbc,
    mint,
    pool,
    user,
    isBuy,
    quote: quoteOf(quoteMint),
    quoteAmount,
    userQuote: isBuy ? paid : output,
    tokenAmount: isBuy ? output : paid,
    quoteReserve: reserves.quote,
    baseReserve: reserves.base,
    quoteBefore: -1,
    realToken: -1,
    supply: -1,
    decimals: decimalsOf(tx, mint),
    creator: null,
    mayhem: false,
  })
  at.out.push(quotedIn(event, tx, quoteMint))
}

/**
 * The event has pool, config, creator and mint; the instruction has the quote mint (4), the vault (6), the payer
 * and, as arguments, name, symbol and metadata URI. The supply is the amount minted into the vault.
 */
function decodeInitializePool(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_dbc.EvtInitializePool'
  if (b.length - o < 145) return skip(at, `too_short:${name}`)
  const { call } = at
  const pool = keyAt(b, o + 8)
  const mint = keyAt(b, o + 104)
  const payer = payerAt(call)
  if (call === null || payer < 0 || accountOf(at, call, 5) !== pool) return skip(at, `no_instruction:${name}`)
  const quoteMint = accountOf(at, call, 4)
  const user = accountOf(at, call, payer)
  if (quoteMint === null || user === null || accountOf(at, call, 3) !== mint) return skip(at, `no_instruction:${name}`)
  const said = textsAt(call.data, 8)
  if (said === null) return skip(at, `guard:${name}`)
  at.vaults.push(METEORA_DBC_AUTHORITY)
  const supply = mintedTo(at, mint, accountOf(at, call, 6))
  if (supply === 0) skip(at, `supply_unknown:${name}`)
  const config = keyAt(b, o + 40)
  const creator = keyAt(b, o + 72)
  const event = createOf(at, {
    launchpad: launchpadBy(at, creator, user, config),
    mint,
    pool,
    creator,
    // the program demands both signatures
    user: launcherOf(user, creator),
    signed: true,
    ...said.texts,
    quote: quoteOf(quoteMint),
    supply,
    decimals: decimalsOf(at.tx, mint),
    // the curve's start is in the configuration account, not in the transaction
    quoteReserve: 0,
    baseReserve: 0,
    mayhem: false,
  })
  at.out.push(quotedIn(event, at.tx, quoteMint))
  pushPlan(
    at,
    name,
    pairFacts(mint, quoteMint, (one) => statedDecimals(at.tx, one)),
    pool,
    config,
    creator,
  )
}

/** Jupiter Studio marks the call that creates the configuration, in the same transaction. */
function launchpadBy(at: Emission, creator: Key, user: Key, config: Key): Launchpad {
  const launchpad = launchpadOf(creator, user, config)
  if (launchpad !== LAUNCHPAD.meteora_dbc) return launchpad
  const marked = (call: RawInstruction): boolean =>
    at.tx.keys[call.program] === METEORA_DBC &&
    isCall(call, CALL.createConfig) &&
    accountOf(at, call, 0) === config &&
    accountOf(at, call, 8) === STUDIO_MARK
  const { instructions, inner } = at.tx
  return instructions.some(marked) || (inner ?? []).some((group) => group.instructions.some(marked))
    ? LAUNCHPAD.jupiter_studio
    : launchpad
}

/** Base units minted into `vault` by the call of the event at `at.inner`; 0 if not found. */
function mintedTo(at: Emission, mint: Key, vault: Key | null): number {
  const group = at.tx.inner?.find(({ outer }) => outer === at.outer)
  if (group === undefined || vault === null) return 0
  let minted = 0
  for (let i = 0; i < at.inner; i++) {
    const call = group.instructions[i]!
    if (isMinting(at.tx, call, mint) && at.tx.keys[call.accounts[1]!] === vault) minted += u64(call.data, 1)
  }
  return minted
}

function decodeCurveComplete(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_dbc.EvtCurveComplete'
  if (b.length - o < 88) return skip(at, `too_short:${name}`)
  const { call } = at
  const pool = keyAt(b, o + 8)
  const called = isSwap(call) && accountOf(at, call, 2) === pool
  const mint = called ? accountOf(at, call, 7) : (at.pools.get(pool) ?? at.pools.stored(pool))?.mint
  if (mint === undefined || mint === null) return skip(at, `pool_unknown:${name}`)
  at.vaults.push(METEORA_DBC_AUTHORITY)
  pushComplete(at, mint)
}

/** The creator gave the role to another wallet. The event names only the pool. */
function decodeUpdateCreator(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_dbc.EvtUpdatePoolCreator'
  if (b.length - o < 104) return skip(at, `too_short:${name}`)
  const pool = keyAt(b, o + 8)
  const mint = (at.pools.get(pool) ?? at.pools.stored(pool))?.mint
  if (mint === undefined) return skip(at, `pool_unknown:${name}`)
  pushCreator(at, mint, FEE_CHANGE.transferred, keyAt(b, o + 72), null)
}

/**
 * Reads a migration instruction. The program emits no event for it, but in a successful transaction the call took
 * effect. Returns true if `call` is one.
 */
export function decodeMeteoraDbcCall(call: RawInstruction, at: Emission): boolean {
  if (isCall(call, CALL.migrateDammV2)) return emitMigration(at, call, 13, 14, METEORA_DAMM_AUTHORITY)
  // DAMM v1 keeps its tokens in a vault shared with other pools
  if (isCall(call, CALL.migrateDammV1)) return emitMigration(at, call, 7, 8, null)
  return false
}

function emitMigration(at: Emission, call: RawInstruction, base: number, quote: number, custody: Key | null): boolean {
  const name = 'meteora_dbc.migration'
  const pool = accountOf(at, call, 4)
  const mint = accountOf(at, call, base)
  const quoteMint = accountOf(at, call, quote)
  at.vaults.push(METEORA_DBC_AUTHORITY)
  if (pool === null || mint === null || quoteMint === null) {
    skip(at, `no_instruction:${name}`)
    return false
  }
  const facts = pairFacts(mint, quoteMint, (one) => statedDecimals(at.tx, one))
  at.pools.set(pool, facts)
  if (facts.skip !== null) {
    skip(at, `${facts.skip}:${name}`)
    return false
  }
  const position = { sig: at.sig, txIndex: at.txIndex, outer: at.outer, inner: at.inner }
  at.out.push({ kind: 'migrate', ...position, mint, pool })
  const owner = custody ?? vaultOwner(at, call)
  if (owner !== null) at.vaults.push(owner)
  if (custody === null && owner !== null) {
    const { quote, decimals } = facts
    const event: PoolEvent = { kind: 'pool', ...position, mint, pool: owner, quote, decimals }
    at.out.push(quotedAs(event, facts))
  }
  return true
}

/** The owner of the vault's token account (11) after a migration to DAMM v1, from the transaction's balances. */
function vaultOwner({ tx }: Emission, call: RawInstruction): Key | null {
  const account = call.accounts[11]
  return tx.postTokens.find((row) => row.account === account)?.owner ?? null
}
