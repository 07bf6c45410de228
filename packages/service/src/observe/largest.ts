import { isAddress, isOffCurveAddress } from '@solana/kit'
import { keyFromBase58, keyToBase58 } from '@ti/core/base/base58.ts'
import type { Key } from '@ti/core/base/ids.ts'
import type { HoldersFact } from '@ti/core/model/facts.ts'
import { z } from 'zod'
import type { Logger } from '../base/log.ts'
import { createAsker, type Outcome } from './asker.ts'
import type { Pause } from './attempts.ts'
import type { BudgetedRpc } from './budgeted-rpc.ts'
import type { Surroundings } from './clock.ts'
import { unanswered } from './funder/history.ts'
import type { MissingFacts, Observer, Report } from './types.ts'

/** accounts of an answer (as many as nodes give), tokens at once, and failures until one is given up */
export const ACCOUNTS = 20
export const AT_ONCE = 2
export const FAILURES = 5

interface LargestOptions {
  readonly missing: MissingFacts
  readonly report: Report
  readonly rpc: BudgetedRpc
  readonly logger: Logger
  readonly around: Surroundings
}

const FAILED: Pause = { firstMs: 5_000, factor: 2, longestMs: 60_000 }
/** pause while the state is behind the slot of the node's answer */
const BEHIND: Pause = { firstMs: 2_000, factor: 2, longestMs: 30_000 }
const CONFIRMED = { commitment: 'confirmed' } as const

const CONTEXT = z.object({ slot: z.int().min(0) })
const AMOUNT = z
  .string()
  .regex(/^\d{1,20}$/)
  .transform(Number)
const LARGEST = z.object({
  context: CONTEXT,
  value: z.array(z.object({ address: z.string(), amount: AMOUNT })).max(ACCOUNTS),
})
/** accounts that were closed since are null, and a node that cannot parse one gives its bytes */
const OWNERS = z.object({
  value: z
    .array(
      z
        .object({ data: z.object({ parsed: z.object({ info: z.object({ owner: z.string() }) }) }) })
        .nullable()
        .catch(null),
    )
    .max(ACCOUNTS),
})

/**
 * Asks a node for the largest token accounts of a mint at the ages of `AGES`: two requests each. Accounts of programs
 * (curves, pools, vaults, lockers) are left out: their owner lies off the curve that wallets' keys lie on.
 */
export function createLargestObserver({ missing, report, rpc, logger, around }: LargestOptions): Observer {
  return createAsker<{ readonly mint: Key }>({
    name: 'holders',
    list: (limit) => missing.tokensToCheck(limit),
    subject: ({ mint }) => mint,
    together: AT_ONCE,
    pauses: { failed: FAILED, notYet: BEHIND },
    failuresMax: FAILURES,
    logger,
    around,
    async look({ mint }, signal): Promise<Outcome> {
      const largest = await rpc.call('getTokenLargestAccounts', [keyToBase58(mint), CONFIRMED], LARGEST, signal)
      if (!largest.ok) return unanswered(largest.reason)
      const { context, value } = largest.value
      const accounts = value.filter(({ amount }) => amount > 0)
      const options = { ...CONFIRMED, encoding: 'jsonParsed' }
      const addresses = accounts.map(({ address }) => address)
      const owners = await rpc.call('getMultipleAccounts', [addresses, options], OWNERS, signal)
      if (!owners.ok) return unanswered(owners.reason)
      if (owners.value.value.length !== accounts.length) return { end: 'failed', as: 'malformed' }
      const balances = balancesOf(accounts, owners.value.value)
      if (balances === null) return { end: 'failed', as: 'malformed' }
      // the trades between are not folded yet: they would be counted twice
      if (missing.slot() < context.slot) return { end: 'notYet', as: 'behind' }
      const rest = value.length < ACCOUNTS ? 0 : value.at(-1)!.amount
      if (!signal.aborted)
        report([{ kind: 'holders', mint, slot: context.slot, rest, ...balances }], around.clock.seconds())
      return { end: 'reported', as: 'reported' }
    },
  })
}

type Account = z.infer<typeof LARGEST>['value'][number]
type Owner = z.infer<typeof OWNERS>['value'][number]

/** By wallet, in the order of the answer; null when an amount or owner is malformed. An account that is gone by now is left out. */
function balancesOf(
  accounts: readonly Account[],
  owners: readonly Owner[],
): Pick<HoldersFact, 'owners' | 'amounts'> | null {
  const found = new Map<Key, number>()
  for (const [i, { amount }] of accounts.entries()) {
    const owner = owners[i]?.data.parsed.info.owner
    if (owner === undefined) continue
    if (!Number.isSafeInteger(amount) || !isAddress(owner)) return null
    if (isOffCurveAddress(owner)) continue
    const key = keyFromBase58(owner)!
    found.set(key, (found.get(key) ?? 0) + amount)
  }
  return { owners: [...found.keys()], amounts: [...found.values()] }
}
