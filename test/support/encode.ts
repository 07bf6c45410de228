import { type Counts, createCounts } from '@ti/core/base/counts.ts'
import { isOnCurve } from '@ti/core/base/curve.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { decodeTransaction } from '@ti/core/decode/transaction.ts'
import type { ChainEvent } from '@ti/core/model/events.ts'
import { PUMP } from '@ti/core/model/programs.ts'
import type { RawInstruction, RawTokenBalance, RawTransaction } from '@ti/core/model/raw.ts'

/** Synthetic payloads in the wire layouts of the programs. Nothing here comes from the chain. */
export const u8 = (n: number): Buffer => Buffer.from([n])
export const u16 = (n: number): Buffer => Buffer.from([n & 255, n >> 8])
export const u32 = (n: number): Buffer => {
  const b = Buffer.alloc(4)
  b.writeUInt32LE(n)
  return b
}
export const u64 = (n: number | bigint): Buffer => {
  const b = Buffer.alloc(8)
  b.writeBigUInt64LE(BigInt(n))
  return b
}
export const i128 = (n: bigint): Buffer => {
  const b = Buffer.alloc(16)
  b.writeBigUInt64LE(BigInt.asUintN(64, n), 0)
  b.writeBigUInt64LE(BigInt.asUintN(64, n >> 64n), 8)
  return b
}
export const hex = (text: string): Buffer => Buffer.from(text, 'hex')
export const bytes = (key: Key): Buffer => Buffer.from(key, 'latin1')
export const text = (s: string): Buffer => Buffer.concat([u32(Buffer.byteLength(s)), Buffer.from(s)])
export const join = (...parts: readonly Buffer[]): Buffer => Buffer.concat(parts)

/** A distinct key for each number, of a wallet (a point of the curve) or of an account that only a program signs for. */
export const keyOf = (n: number): Key => keyThat(n, true)
export const programKeyOf = (n: number): Key => keyThat(n, false)
function keyThat(n: number, isWallet: boolean): Key {
  for (let i = 0; ; i++) {
    const key = Buffer.alloc(32, `key-${n}-${i === 0 ? '' : i}`).toString('latin1') as Key
    if (isOnCurve(key) === isWallet) return key
  }
}
export const sigOf = (n: number): Sig => Buffer.alloc(64, `sig-${n}-`).toString('latin1') as Sig

export const WHO = {
  mint: keyOf(1),
  user: keyOf(2),
  curve: programKeyOf(3),
  creator: keyOf(4),
  pool: programKeyOf(5),
  other: keyOf(6),
}

export interface TradeFields {
  sol: number | bigint
  tokens: number | bigint
  buy: boolean
  virtualSol: number | bigint
  virtualToken: number | bigint
  fee: number
  creatorFee: number
  cashback: number
  name: string
  shareholders: number
  quoteMint: Key | null
  quoteAmount: number
  virtualQuote: number
  user: Key
  mint: Key
}

const TRADE: TradeFields = {
  sol: 1_000_000_000,
  tokens: 34_612_903_225_806,
  buy: true,
  virtualSol: 31_000_000_000,
  virtualToken: 1_038_387_096_774_194,
  fee: 9_500_000,
  creatorFee: 3_000_000,
  cashback: 0,
  name: 'buy',
  shareholders: 0,
  quoteMint: null,
  quoteAmount: 1_000_000_000,
  virtualQuote: 31_000_000_000,
  user: WHO.user,
  mint: WHO.mint,
}

export type TradeEra = 2024 | 2025 | 2026

/** A pump TradeEvent payload: 129 bytes (2024), 225 (2025), or the full 2026 layout. */
export function pumpTrade(fields: Partial<TradeFields> = {}, era: TradeEra = 2026): Buffer {
  const f = { ...TRADE, ...fields }
  const oldest = join(
    hex('bddb7fd34ee661ee'),
    bytes(f.mint),
    u64(f.sol),
    u64(f.tokens),
    u8(f.buy ? 1 : 0),
    bytes(f.user),
    u64(1_700_000_000),
    u64(f.virtualSol),
    u64(f.virtualToken),
    u64(1_000_000_000),
    u64(758_487_096_774_194),
  )
  if (era === 2024) return oldest
  const fees = join(bytes(WHO.other), u64(95), u64(f.fee), bytes(WHO.creator), u64(30), u64(f.creatorFee))
  if (era === 2025) return join(oldest, fees)
  const holder = join(bytes(WHO.other), u16(10_000))
  const tail = join(
    join(u8(1), u64(0), u64(0), u64(0), u64(0), text(f.name), u8(0), u64(30), u64(f.cashback), u64(5_000), u64(0)),
    join(u32(f.shareholders), ...Array.from({ length: f.shareholders }, () => holder)),
    join(f.quoteMint === null ? Buffer.alloc(32) : bytes(f.quoteMint), u64(f.quoteAmount), u64(f.virtualQuote), u64(7)),
  )
  return join(oldest, fees, tail)
}

/** Data of a self-CPI instruction that carries `payload`. */
export const selfCpi = (payload: Buffer): Buffer => join(hex('e445a52e51cb9a1d'), payload)

export const BUY = hex('66063d1201daebea')

/** Raw instruction by keys: `keys` is extended as needed. */
export function instruction(keys: Key[], program: Key, accounts: readonly Key[], data: Buffer): RawInstruction {
  const indexOf = (key: Key): number => (keys.includes(key) ? keys.indexOf(key) : keys.push(key) - 1)
  return { program: indexOf(program), accounts: Uint8Array.from(accounts.map(indexOf)), data }
}

/** The accounts of pump's `buy` as far as they matter. */
export const pumpBuyAccounts = (mint: Key = WHO.mint, curve: Key = WHO.curve): Key[] => [
  WHO.other,
  WHO.other,
  mint,
  curve,
]

export function rawTx(fields: Partial<RawTransaction> = {}): RawTransaction {
  return {
    signature: sigOf(1),
    index: 0,
    version: null,
    config: null,
    tables: [],
    failed: false,
    keys: [],
    signers: fields.keys === undefined || fields.keys.length === 0 ? 0 : 1,
    instructions: [],
    inner: null,
    logs: null,
    preBalances: [],
    postBalances: [],
    preTokens: [],
    postTokens: [],
    ...fields,
  }
}

/** A transaction whose one outer pump buy emits the given payloads. */
export function pumpTx(payloads: readonly Buffer[], fields: Partial<RawTransaction> = {}): RawTransaction {
  const keys: Key[] = [WHO.user]
  const outer = instruction(keys, PUMP, pumpBuyAccounts(), BUY)
  const instructions = payloads.map((payload) => instruction(keys, PUMP, [], selfCpi(payload)))
  return rawTx({ keys, instructions: [outer], inner: [{ outer: 0, instructions }], ...fields })
}

export const token = (
  account: number,
  mint: Key,
  owner: Key | null,
  amount: number,
  decimals = 6,
): RawTokenBalance => ({
  account,
  mint,
  owner,
  amount,
  decimals,
})

/** Log lines of nested calls: `[program text, ...lines or nested calls]`. */
export type LogCall = readonly [string, ...(string | Buffer | LogCall)[]]

export function logOf(call: LogCall, depth = 1): string[] {
  const [program, ...body] = call
  const lines = [`Program ${program} invoke [${depth}]`]
  for (const part of body) {
    if (typeof part === 'string') lines.push(part)
    else if (Buffer.isBuffer(part)) lines.push(`Program data: ${part.toString('base64')}`)
    else lines.push(...logOf(part as LogCall, depth + 1))
  }
  lines.push(`Program ${program} consumed 1000 of 200000 compute units`, `Program ${program} success`)
  return lines
}

/** The events of one transaction, and what was skipped. */
export function decode(tx: RawTransaction): { events: ChainEvent[]; counts: Counts } {
  const events: ChainEvent[] = []
  const counts = createCounts()
  decodeTransaction(tx, 3, events, counts)
  return { events, counts }
}
