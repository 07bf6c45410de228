import { type Key, ZERO_KEY } from '../base/ids.ts'
import type { RawInstruction, RawTransaction, TransactionVersion } from '../source/types.ts'
import type { ChainEvent, Rent, Tip, TransactionTerms } from './events.ts'
import { COMPUTE_BUDGET, ROLE, roleOf } from './programs.ts'
import { exact } from './reader.ts'

/** A transaction of which more than its log is known. */
export type Versioned = RawTransaction & { readonly version: TransactionVersion }

/**
 * What the transaction of `events` from `event` to `end` offered and paid beside its trades, comparable across versions. Sources cut
 * an instruction's data out when it is asked for, so it is the last thing that is looked at.
 */
export function termsOf(
  tx: Versioned,
  tip: Tip | null,
  events: readonly ChainEvent[],
  event: number,
  end: number,
): TransactionTerms {
  const { version, tables } = tx
  const { priorityFee, computeUnitLimit } = budgetOf(tx)
  // one object, field by field: copying them all costs as much as reading the trade
  return { event, version, priorityFee, computeUnitLimit, tip, tables, rents: rentsOf(tx, events, event, end) }
}

/** What the second half of a u64 counts. */
const HIGH_WORD = 0x1_0000_0000

/** Compute units of one instruction where no limit is set: of a built-in program, and of any other (SIMD-0170). */
const UNITS = { builtin: 3_000, other: 200_000, most: 1_400_000 } as const
/** ComputeBudgetInstruction: tag and length of the two that matter. */
const SET_UNIT_LIMIT = { tag: 2, bytes: 5 } as const
const SET_UNIT_PRICE = { tag: 3, bytes: 9 } as const

/**
 * Priority fee in lamports, -1 where it is not exact, and compute unit limit. Version 1 states both (SIMD-0385), and compute
 * budget instructions in it mean nothing. Before, the fee is price × limit / 1e6, rounded up; the price is in 10^-6 lamports.
 */
export function budgetOf({
  version,
  config,
  keys,
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
    const key = keys[instruction.program]
    units += key === COMPUTE_BUDGET || key === ZERO_KEY ? UNITS.builtin : UNITS.other
    if (key !== COMPUTE_BUDGET) continue
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

/** System program: the ways of giving an account lamports, by their tag, and where the amount stands. */
const TRANSFER = { tag: 2, bytes: 12, lamports: 4 } as const
const CREATE_ACCOUNT = 0
const CREATE_WITH_SEED = 3

const isSystem = (tx: RawTransaction, { program }: RawInstruction): boolean => tx.keys[program] === ZERO_KEY

/** Shows every instruction with its place, outer ones before those that ran under any, until `see` answers true. */
function eachInstruction(
  { instructions, inner }: RawTransaction,
  see: (instruction: RawInstruction, outer: number, place: number) => boolean,
): void {
  for (let i = 0; i < instructions.length; i++) if (see(instructions[i]!, i, -1)) return
  for (const group of inner ?? [])
    for (let i = 0; i < group.instructions.length; i++) if (see(group.instructions[i]!, group.outer, i)) return
}

/** What was sent to tip accounts in all; payer and place are those of the first such transfer. */
export function tipOf(tx: RawTransaction): Tip | null {
  let tip: Tip | null = null
  eachInstruction(tx, (instruction, outer, inner) => {
    if (!isSystem(tx, instruction)) return false
    const { accounts } = instruction
    const to = tx.keys[accounts[1]!]
    if (to === undefined || roleOf(to) !== ROLE.tip) return false
    const { data } = instruction
    const payer = tx.keys[accounts[0]!]
    if (payer === undefined || data.length !== TRANSFER.bytes || data[0] !== TRANSFER.tag) return false
    const lamports = data.readUInt32LE(TRANSFER.lamports) + data.readUInt32LE(TRANSFER.lamports + 4) * HIGH_WORD
    const sum: number = (tip?.lamports ?? 0) + lamports
    if (exact(sum)) tip = tip === null ? { payer, lamports: sum, outer, inner } : { ...tip, lamports: sum }
    return false
  })
  return tip
}

/** Of token accounts that were not there before: whose they are, of which mint, and who gave their first lamports. */
function rentsOf(tx: RawTransaction, events: readonly ChainEvent[], event: number, end: number): readonly Rent[] {
  const rents: Rent[] = []
  for (const { account, mint, owner } of tx.postTokens) {
    if (owner === null || tx.preBalances[account] !== 0) continue
    if (tx.preTokens.some((row) => row.account === account) || !isAmong(mint, events, event, end)) continue
    eachInstruction(tx, (instruction) => {
      if (!isSystem(tx, instruction)) return false
      const { accounts } = instruction
      if (accounts[1] !== account) return false
      const { data } = instruction
      const tag = data.length < TRANSFER.bytes ? -1 : data[0]
      if (tag !== TRANSFER.tag && tag !== CREATE_ACCOUNT && tag !== CREATE_WITH_SEED) return false
      const payer = tx.keys[accounts[0]!]
      if (payer !== undefined) rents.push({ payer, owner, mint })
      return true
    })
  }
  return rents
}

function isAmong(mint: Key, events: readonly ChainEvent[], event: number, end: number): boolean {
  for (let i = event; i < end; i++) if (events[i]!.mint === mint) return true
  return false
}
