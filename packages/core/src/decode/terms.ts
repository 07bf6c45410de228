import type { Key } from '../base/ids.ts'
import type { Rent, Tip, TransactionTerms } from '../model/entries.ts'
import type { ChainEvent } from '../model/events.ts'
import { ROLE, SYSTEM_GIVES } from '../model/programs.ts'
import type { RawInstruction, RawTransaction, TransactionVersion } from '../model/raw.ts'
import { exact, u64 } from './reader.ts'
import { roles } from './roles.ts'

/** A transaction known in full, not only by its log. */
export type Versioned = RawTransaction & { readonly version: TransactionVersion }

/**
 * The budget and payments of the transaction of `events` from `event` to `end`, comparable across versions. Sources
 * extract an instruction's data on access, so it is examined last. This function and those below need the roles of the
 * transaction's keys.
 */
export function termsOf(
  tx: Versioned,
  tip: Tip | null,
  events: readonly ChainEvent[],
  event: number,
  end = events.length,
): TransactionTerms {
  const { version, tables } = tx
  const { priorityFee, computeUnitLimit } = budgetOf(tx)
  // one literal, field by field: a spread of all costs as much as reading the trade
  return { event, version, priorityFee, computeUnitLimit, tip, tables, rents: rentsOf(tx, events, event, end) }
}

/** The weight of a u64's high word. */
const HIGH_WORD = 0x1_0000_0000

/** Default compute units of one instruction: a built-in program's, any other's, and the maximum (SIMD-0170). */
const UNITS = { builtin: 3_000, other: 200_000, most: 1_400_000 } as const
/** ComputeBudgetInstruction: tag and length of the two relevant instructions. */
const SET_UNIT_LIMIT = { tag: 2, bytes: 5 } as const
const SET_UNIT_PRICE = { tag: 3, bytes: 9 } as const

/**
 * Priority fee in lamports (-1 if not exact) and compute unit limit. Version 1 states both (SIMD-0385) and ignores
 * compute budget instructions. Earlier versions: price × limit / 1e6, rounded up, with the price in 10^-6 lamports.
 */
export function budgetOf({
  version,
  config,
  instructions,
}: RawTransaction): Pick<TransactionTerms, 'priorityFee' | 'computeUnitLimit'> {
  if (version === 1) {
    const { priorityFee, computeUnitLimit } = config ?? { priorityFee: 0, computeUnitLimit: 0 }
    return {
      priorityFee: exact(priorityFee) ? priorityFee : -1,
      computeUnitLimit: Math.min(computeUnitLimit, UNITS.most),
    }
  }
  let limit = -1
  let low = 0
  let high = 0
  let units = 0
  for (const instruction of instructions) {
    const role = roles[instruction.program]
    units += role === ROLE.computeBudget || role === ROLE.system ? UNITS.builtin : UNITS.other
    if (role !== ROLE.computeBudget) continue
    const { data } = instruction
    if (data[0] === SET_UNIT_LIMIT.tag && data.length === SET_UNIT_LIMIT.bytes) limit = data.readUInt32LE(1)
    else if (data[0] === SET_UNIT_PRICE.tag && data.length === SET_UNIT_PRICE.bytes) {
      low = data.readUInt32LE(1)
      high = data.readUInt32LE(5)
    }
  }
  const computeUnitLimit = Math.min(limit < 0 ? units : limit, UNITS.most)
  return { priorityFee: feeOf(low, high, computeUnitLimit), computeUnitLimit }
}

function feeOf(low: number, high: number, units: number): number {
  const product = (low + high * HIGH_WORD) * units
  if (high < 0x20_0000 && exact(product)) {
    const rest = product % 1_000_000
    return (product - rest) / 1_000_000 + (rest === 0 ? 0 : 1)
  }
  const fee = Number((((BigInt(high) << 32n) | BigInt(low)) * BigInt(units) + 999_999n) / 1_000_000n)
  return exact(fee) ? fee : -1
}

/** System program: length of a transfer, and offset of its amount. */
const TRANSFER = { tag: SYSTEM_GIVES.transfer, bytes: 12, lamports: 4 } as const

const isSystem = ({ program }: RawInstruction): boolean => roles[program] === ROLE.system

/** The total sent to tip accounts; payer and place are those of the first transfer. */
export function tipOf(tx: RawTransaction): Tip | null {
  const { instructions, inner } = tx
  let tip: Tip | null = null
  for (let i = 0; i < instructions.length; i++)
    if (isSystem(instructions[i]!)) tip = withTip(tip, tx, instructions[i]!, i, -1)
  for (const group of inner ?? [])
    for (let i = 0; i < group.instructions.length; i++)
      if (isSystem(group.instructions[i]!)) tip = withTip(tip, tx, group.instructions[i]!, group.outer, i)
  return tip
}

/** Adds an instruction of the system program to the tip. */
function withTip(
  tip: Tip | null,
  tx: RawTransaction,
  instruction: RawInstruction,
  outer: number,
  inner: number,
): Tip | null {
  const { accounts } = instruction
  if (roles[accounts[1]!] !== ROLE.tip) return tip
  const { data } = instruction
  const payer = tx.keys[accounts[0]!]
  if (payer === undefined || data.length !== TRANSFER.bytes || data[0] !== TRANSFER.tag) return tip
  const lamports = (tip === null ? 0 : tip.lamports) + u64(data, TRANSFER.lamports)
  if (!exact(lamports)) return tip
  return tip === null ? { payer, lamports, outer, inner } : { ...tip, lamports }
}

/** Token accounts opened by the transaction: owner, mint, and the payer of their first lamports. */
function rentsOf(tx: RawTransaction, events: readonly ChainEvent[], event: number, end: number): readonly Rent[] {
  const rents: Rent[] = []
  for (const { account, mint, owner } of tx.postTokens) {
    if (owner === null || tx.preBalances[account] !== 0) continue
    if (tx.preTokens.some((row) => row.account === account) || !isAmong(mint, events, event, end)) continue
    const payer = openedBy(tx, account)
    if (payer !== undefined) rents.push({ payer, owner, mint })
  }
  return rents
}

/** The first payer of lamports to an account; undefined if none is known. */
function openedBy(tx: RawTransaction, account: number): Key | undefined {
  for (const instruction of tx.instructions)
    if (isSystem(instruction) && gives(instruction, account)) return tx.keys[instruction.accounts[0]!]
  for (const { instructions } of tx.inner ?? [])
    for (const instruction of instructions)
      if (isSystem(instruction) && gives(instruction, account)) return tx.keys[instruction.accounts[0]!]
  return undefined
}

function gives(instruction: RawInstruction, account: number): boolean {
  if (instruction.accounts[1] !== account) return false
  const { data } = instruction
  const tag = data.length < TRANSFER.bytes ? -1 : data[0]
  return tag === TRANSFER.tag || tag === SYSTEM_GIVES.createAccount || tag === SYSTEM_GIVES.createAccountWithSeed
}

function isAmong(mint: Key, events: readonly ChainEvent[], event: number, end: number): boolean {
  for (let i = event; i < end; i++) if (events[i]!.mint === mint) return true
  return false
}
