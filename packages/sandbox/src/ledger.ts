import type { Address } from '@solana/kit'
import { BLOCK_TRANSACTIONS, createHistory, type History, type Landed } from './history.ts'
import { createGate, type Gate } from './knobs.ts'
import { balancesOf, memoOf, renderMeta } from './render-transaction.ts'
import { createSlots, type Slots } from './slots.ts'
import { type Decoded, usesLookups } from './transactions.ts'
import { createVm, type Ran, refused, type Vm } from './vm.ts'

const COMMITMENTS = ['processed', 'confirmed', 'finalized'] as const
export type Commitment = (typeof COMMITMENTS)[number]

/** Slots after which a block is final, as on mainnet. */
const FINAL_SLOTS = 32

/**
 * The chain: accepts and lands transactions and tracks their commitment. It manages slots, blockhashes and
 * replays, which the VM does not.
 */
export interface Ledger {
  readonly vm: Vm
  readonly slots: Slots
  readonly history: History
  readonly gate: Gate
  /** Advances to the current time; called before every read. */
  catchUp(): void
  /** Executes the transaction if it is valid. An invalid one is dropped silently, as by a node. */
  land(decoded: Decoded): void
  /** Simulates the transaction now. `anyBlockhash`: as if it had the newest one. */
  simulate(decoded: Decoded, options: { sigVerify: boolean; anyBlockhash: boolean }): Ran
  commitmentOf(landed: Landed): Commitment
  isAtLeast(landed: Landed, commitment: Commitment): boolean
}

export function createLedger(slotMs: number, mint: Address): Ledger {
  const vm = createVm(mint)
  const slots = createSlots(slotMs)
  const history = createHistory()
  const gate = createGate(() => {
    for (const landed of history.all()) if (landed.confirmedAtMs === Number.POSITIVE_INFINITY) landed.confirmedAtMs = 0
  })
  let clockSlot = -1
  let inSlot = { slot: -1, transactions: 0 }

  const catchUp = (): void => {
    slots.catchUp()
    if (clockSlot === slots.slot) return
    clockSlot = slots.slot
    vm.setClock(clockSlot, Math.floor(Date.now() / 1000))
  }
  /**
   * A full block ends its slot. So transactions evicted from history are older than any valid blockhash and cannot land
   * again.
   */
  const takePlace = (): void => {
    if (inSlot.slot !== slots.slot) inSlot = { slot: slots.slot, transactions: 0 }
    if (++inSlot.transactions < BLOCK_TRANSACTIONS) return
    slots.advance(1)
    catchUp()
  }
  const confirmedAtMs = (): number => {
    const { confirmations } = gate
    if (confirmations === 'now') return 0
    return confirmations === 'held' ? Number.POSITIVE_INFINITY : Date.now() + confirmations
  }
  const commitmentOf = (landed: Landed): Commitment => {
    if (Date.now() < landed.confirmedAtMs) return 'processed'
    return slots.slot - landed.slot >= FINAL_SLOTS ? 'finalized' : 'confirmed'
  }

  return {
    vm,
    slots,
    history,
    gate,
    catchUp,
    land(decoded) {
      catchUp()
      if (history.has(decoded) || usesLookups(decoded.message) || !slots.isValid(decoded.message.lifetimeToken)) return
      const before = balancesOf(vm, decoded)
      const ran = vm.execute(decoded)
      const after = balancesOf(vm, decoded)
      // a failed transaction is on the chain exactly if its fee was charged
      if (ran.err !== null && before.lamports[0] === after.lamports[0]) return
      history.add({
        decoded,
        slot: slots.slot,
        blockTime: Math.floor(Date.now() / 1000),
        err: ran.err,
        meta: renderMeta(ran, before, after),
        memo: memoOf(decoded.message),
        confirmedAtMs: confirmedAtMs(),
      })
      takePlace()
    },
    simulate(decoded, { sigVerify, anyBlockhash }) {
      catchUp()
      if (usesLookups(decoded.message)) return refused('AddressLookupTableNotFound')
      if (!anyBlockhash && !slots.isValid(decoded.message.lifetimeToken)) return refused('BlockhashNotFound')
      if (history.has(decoded)) return refused('AlreadyProcessed')
      return vm.simulate(decoded, sigVerify)
    },
    commitmentOf,
    isAtLeast: (landed, commitment) => COMMITMENTS.indexOf(commitmentOf(landed)) >= COMMITMENTS.indexOf(commitment),
  }
}
