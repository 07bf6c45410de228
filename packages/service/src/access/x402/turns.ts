import { within } from '@ti/core/base/within.ts'
import type { FailedFees } from './failed-fees.ts'
import { FAILED_FEES } from './failed-fees.ts'
import type { Payers } from './payers.ts'
import { TRANSACTION_COST } from './transaction.ts'

/** milliseconds a payment waits for other ones of its payer to settle, before it is refused */
const TURN_MS = 10_000
/** seconds after which a client is asked to retry */
export const RETRY_AFTER_S = 5

/** The end of a settlement, as its fee sees it. */
export type TurnEnd = 'landed' | 'failed' | 'unsent' | 'open'

/**
 * Decides which payer's transaction our fee payer may send now. Two payments from one balance both pass simulation, and one
 * fails at our cost. So a payer's payments settle one after another, or as many at once as its credit allows, if its balance
 * covers all of them.
 */
export interface Turns {
  /** throws if the ledger or the node does not answer */
  take(payer: string, units: number): Promise<Turn | NoTurn>
}

export interface Turn {
  readonly ok: true
  end(how: TurnEnd): void
}

export interface NoTurn {
  readonly ok: false
  /** message for the client */
  readonly message: string
  readonly retryAfterS: number
}

interface TurnsOptions {
  readonly payers: Payers
  readonly failedFees: FailedFees
  readonly funds: (payer: string) => Promise<bigint | null>
  /** milliseconds to wait for a turn; for tests */
  readonly waitMs?: number
}

interface Active {
  readonly units: number
  /** settles when the turn has ended */
  readonly ended: Promise<void>
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))

const no = (message: string, retryAfterS: number): NoTurn => ({ ok: false, message, retryAfterS })

/** Refusal for a payer whose payment failed on chain. */
export const mustWait = (waitMs: number): NoTurn =>
  no(`a payment of this wallet failed on chain: the next one is accepted in ${seconds(waitMs)} s`, seconds(waitMs))

const STRANGERS_WAIT =
  'too many payments of wallets that have never paid here failed on chain: such wallets have to wait'
const BUSY = 'other payments of this wallet are still being settled'

export function createTurns({ payers, failedFees, funds, waitMs = TURN_MS }: TurnsOptions): Turns {
  const active = new Map<string, Set<Active>>()

  function enter(payer: string, units: number, ownCredit: boolean): { readonly turn: Turn; leave(): void } {
    let release = (): void => {}
    const ended = new Promise<void>((resolve) => {
      release = resolve
    })
    const mine: Active = { units, ended }
    const all = active.get(payer) ?? new Set()
    active.set(payer, all.add(mine))
    let over = false
    const leave = (): void => {
      if (over) return
      over = true
      all.delete(mine)
      if (all.size === 0) active.delete(payer)
      release()
    }
    function end(how: TurnEnd): void {
      if (over) return
      if (how === 'landed') {
        payers.paid(payer, units)
        failedFees.earned(units)
      } else payers.changed(payer)
      // an open payment may still fail
      if (!ownCredit && (how === 'landed' || how === 'unsent')) failedFees.giveBack()
      leave()
    }
    return { turn: { ok: true, end }, leave }
  }

  /** False if the balance does not cover this payment and those before it, or is unknown. */
  async function covers(payer: string, units: number): Promise<boolean> {
    const has = await funds(payer)
    return has === null || has >= BigInt(units)
  }

  return {
    async take(payer, units) {
      const end = performance.now() + waitMs
      for (;;) {
        const { credit, waitMs: wait } = await payers.standing(payer)
        if (wait > 0) return mustWait(wait)
        // no await from here to `enter`, so that no other call intervenes
        const before = [...(active.get(payer) ?? [])]
        const ownCredit = credit > before.length
        if (before.length === 0 || ownCredit) {
          if (!ownCredit && !failedFees.hold()) return no(STRANGERS_WAIT, seconds(STRANGERS_WAIT_MS))
          const { turn, leave } = enter(payer, units, ownCredit)
          if (before.length === 0) return turn
          const needed = before.reduce((sum, one) => sum + one.units, units)
          if (await covers(payer, needed).catch(() => false)) return turn
          leave()
        }
        const left = end - performance.now()
        if (left <= 0) return no(BUSY, RETRY_AFTER_S)
        await within(left, Promise.race(before.map(({ ended }) => ended))).catch(() => {})
      }
    },
  }
}

/** time in which the budget for one more failure refills */
const STRANGERS_WAIT_MS = (TRANSACTION_COST.lamports / FAILED_FEES.lamportsPerMinute) * 60_000
