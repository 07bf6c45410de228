import type { Key } from '@ti/core/base/ids.ts'
import { METEORA_DAMM_AUTHORITY, METEORA_DBC, METEORA_DBC_AUTHORITY } from '@ti/core/model/programs.ts'
import type { RawInstruction, RawTransaction } from '@ti/core/model/raw.ts'
import { bytes, hex, i128, instruction, join, keyOf, rawTx, selfCpi, text, u8, u64, WHO } from './encode.ts'
import { METEORA_DAMM } from './programs.ts'

/** Transactions of Meteora's bonding curve and DAMM v2, synthetic, in the layouts of the programs' interfaces. */

export const CONFIG = keyOf(60)
export const BASE_VAULT = keyOf(61)
export const QUOTE_VAULT = keyOf(62)
export const DAMM_POOL = keyOf(63)
/** the token program, which anything that mints calls */
export const TOKEN_PROGRAM_TEXT = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

export const CALLS = {
  swap: 'f8c69e91e17587c8',
  swap2: '414b3f4ceb5b5b88',
  createSpl: '8c55d7b06636684f',
  create2022: 'a976334e916edc9b',
  swap2Hooked: 'b75d992818e6c297',
  createHooked: 'b60de9b12a918702',
  createConfig: 'c9cff3724b6f2fbd',
  migrateDammV2: '9ca9e66735e45040',
  migrateDammV1: '1b013016b43f76d9',
} as const

export interface Swap {
  pool: Key
  isBuy: boolean
  /** base units of the input, with and without a fee taken from it */
  included: bigint
  excluded: bigint
  output: bigint
  /** square root of the price after the swap, Q64.64 */
  root: bigint
  fees: readonly [trading: bigint, protocol: bigint, referral: bigint]
}

const head = (tag: string, { pool, isBuy }: Swap): Buffer =>
  join(hex(tag), bytes(pool), bytes(CONFIG), u8(isBuy ? 1 : 0), u8(0))

export const evtSwap = (s: Swap): Buffer =>
  join(
    join(head('1b3c15d58aaabb93', s), u64(s.included), u64(0), u64(s.excluded), u64(s.output), i128(s.root)),
    join(...s.fees.map(u64), u64(s.included), u64(1_790_000_000)),
  )

export const evtSwap2 = (s: Swap): Buffer =>
  join(
    join(head('bd4233a826507599', s), u64(s.included), u64(0), u8(0)),
    join(u64(s.included), u64(s.excluded), u64(0), u64(s.output), i128(s.root), ...s.fees.map(u64)),
    join(u64(5_000_000_000), u64(85_000_000_000), u64(1_790_000_000)),
  )

export const evtInitializePool = (pool: Key, creator: Key, mint: Key): Buffer =>
  join(hex('e432f655cb428625'), bytes(pool), bytes(CONFIG), bytes(creator), bytes(mint), u8(0), u64(441_000_000))

export const evtCurveComplete = (pool: Key): Buffer =>
  join(hex('e5e756549c864b18'), bytes(pool), bytes(CONFIG), u64(2e14), u64(85_000_000_000))

export interface DammSwap extends Omit<Swap, 'fees'> {
  fees: readonly [trading: bigint, protocol: bigint, partner: bigint, referral: bigint]
  /** the pool's tokens B after the swap, its quote unless it is reversed; and its tokens A */
  reserve: bigint
  otherReserve?: bigint
}

export const evtDammSwap = (s: DammSwap): Buffer =>
  join(
    join(hex('bd4233a826507599'), bytes(s.pool), u8(s.isBuy ? 1 : 0), u8(1), u8(0), u64(s.included), u64(0), u8(0)),
    join(u64(s.included), u64(s.excluded), u64(0), u64(s.output), i128(s.root), ...s.fees.map(u64)),
    join(u64(s.included), u64(s.output), u64(s.output), u64(1_790_000_000)),
    join(u64(s.otherReserve ?? 3e14), u64(s.reserve)),
  )

interface Opening {
  liquidity: bigint
  root: bigint
  a: bigint
  b: bigint
  /** with a dynamic fee, which is optional and comes before the rest */
  dynamic?: boolean
}

export const evtDammInitializePool = (pool: Key, a: Key, b: Key, opening: Partial<Opening> = {}): Buffer => {
  const of = {
    liquidity: 1n << 100n,
    root: (1n << 64n) / 100n,
    a: 100_000_000_000_000n,
    b: 10_000_000_000n,
    ...opening,
  }
  return join(
    join(hex('e432f655cb428625'), ...[pool, a, b, WHO.creator, WHO.user, WHO.other].map(bytes)),
    join(Buffer.alloc(30, 1), u8(of.dynamic ? 1 : 0), Buffer.alloc(of.dynamic ? 32 : 0, 1)),
    join(i128(1n), i128(1n << 100n), u8(0), u8(1), i128(of.liquidity), i128(of.root), u64(1_790_000_000), u8(0), u8(0)),
    join(u64(of.a), u64(of.b), u64(of.a), u64(of.b), u8(0)),
  )
}

export interface DammLiquidity {
  pool: Key
  owner: Key
  isDeposit: boolean
  a: bigint
  b: bigint
  /** after it */
  reserveA: bigint
  reserveB: bigint
  delta: bigint
}

export const evtLiquidityChange = (of: DammLiquidity): Buffer =>
  join(
    join(hex('c5ab4e7fe0d3570d'), bytes(of.pool), bytes(keyOf(64)), bytes(of.owner)),
    join(u64(of.a), u64(of.b), u64(of.a), u64(of.b), u64(of.reserveA), u64(of.reserveB), i128(of.delta)),
    join(u64(0), u64(0), u8(of.isDeposit ? 0 : 1)),
  )

export const evtPermanentLock = (pool: Key, amount: bigint, total: bigint): Buffer =>
  join(hex('918fa2dada50430b'), bytes(pool), bytes(keyOf(64)), i128(amount), i128(total))

/** Accounts of a call by their places; the others are of no account. */
export const accountsAt = (length: number, places: Readonly<Record<number, Key>>): Key[] =>
  Array.from({ length }, (_, i) => places[i] ?? keyOf(200 + i))

export const swapAccounts = (mint: Key, quoteMint: Key, user: Key, pool: Key = WHO.pool): Key[] =>
  accountsAt(15, { 0: METEORA_DBC_AUTHORITY, 1: CONFIG, 2: pool, 7: mint, 8: quoteMint, 9: user })

export const dammSwapAccounts = (a: Key, b: Key, user: Key, pool: Key = DAMM_POOL): Key[] =>
  accountsAt(14, { 0: METEORA_DAMM_AUTHORITY, 1: pool, 6: a, 7: b, 8: user })

export interface Launch {
  call: 'createSpl' | 'create2022'
  creator: Key
  payer: Key
  config: Key
  quoteMint: Key
}

export const createAccounts = ({ call, creator, payer, config, quoteMint }: Launch): Key[] =>
  accountsAt(16, {
    ...{ 0: config, 1: METEORA_DBC_AUTHORITY, 2: creator, 3: WHO.mint, 4: quoteMint, 5: WHO.pool, 6: BASE_VAULT },
    ...{ 7: QUOTE_VAULT, [call === 'createSpl' ? 10 : 8]: payer },
  })

export const createData = (call: Launch['call'], name: string, symbol: string, uri: string): Buffer =>
  join(hex(CALLS[call]), text(name), text(symbol), text(uri))

export const migrationAccounts = (mint: Key, quoteMint: Key): Key[] =>
  accountsAt(25, { 0: WHO.pool, 2: CONFIG, 3: METEORA_DBC_AUTHORITY, 4: DAMM_POOL, 13: mint, 14: quoteMint })

/** A call and what runs inside it, which may be calls of the same kind: (program, accounts, data). */
export type Step = readonly [program: Key, accounts: readonly Key[], data: Buffer]
export const event = (program: Key, payload: Buffer): Step => [program, [], selfCpi(payload)]
export const dbc = (payload: Buffer): Step => event(METEORA_DBC, payload)
export const damm = (payload: Buffer): Step => event(METEORA_DAMM, payload)

/** A transaction of outer calls, each with its inner ones in order; `payer` signs. */
export function transaction(
  payer: Key,
  calls: readonly { readonly call: Step; readonly inner: readonly Step[] }[],
  fields: (keys: readonly Key[]) => Partial<RawTransaction> = () => ({}),
): RawTransaction {
  const keys: Key[] = [payer]
  const made = ([program, accounts, data]: Step): RawInstruction => instruction(keys, program, accounts, data)
  const instructions = calls.map(({ call }) => made(call))
  const inner = calls.map((one, outer) => ({ outer, instructions: one.inner.map(made) }))
  return rawTx({ keys, instructions, inner, ...fields(keys) })
}

/** A swap as the program makes it: the call, and both its events. */
export const swapCall = (accounts: readonly Key[], swap: Swap, more: readonly Step[] = []) => ({
  call: [METEORA_DBC, accounts, hex(CALLS.swap)] as Step,
  inner: [dbc(evtSwap(swap)), dbc(evtSwap2(swap)), ...more],
})

/** One piece of the curve in integers, as the program computes it: liquidity and the root of the price in Q64.64. */
export interface Piece {
  root: bigint
  readonly liquidity: bigint
}

/** Token base units for `quote`, which moves the price up. */
export function buyFrom(piece: Piece, quote: bigint): bigint {
  const before = piece.root
  piece.root += (quote << 128n) / piece.liquidity
  return (piece.liquidity * (piece.root - before)) / (piece.root * before)
}

/** Quote base units for `base`, which moves the price down. */
export function sellTo(piece: Piece, base: bigint): bigint {
  const before = piece.root
  piece.root = (piece.liquidity * before + (piece.liquidity + base * before) - 1n) / (piece.liquidity + base * before)
  return (piece.liquidity * (before - piece.root)) >> 128n
}

/** A piece whose virtual reserves are `quote` and `base`. */
export const pieceOf = (quote: number, base: number): Piece => ({
  root: BigInt(Math.round(Math.sqrt(quote / base) * 2 ** 52)) << 12n,
  liquidity: BigInt(Math.round(Math.sqrt(quote * base))) << 64n,
})

export const depthOf = ({ root, liquidity }: Piece): { quote: number; base: number } => ({
  quote: Number((liquidity * root) >> 128n),
  base: Number(liquidity / root),
})
