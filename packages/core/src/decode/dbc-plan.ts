import { type Key, keyAt } from '../base/ids.ts'
import { LIQUIDITY } from '../model/events.ts'
import { type Emission, skip } from './emission.ts'
import { pushLiquidity } from './liquidity.ts'
import type { PoolFacts } from './pools.ts'

/**
 * The configuration of a bonding curve says how much of the liquidity will be locked for ever when the token graduates.
 * Most configurations are older than the log and serve many launches; what one created in view says is remembered.
 */

/** Configurations remembered: a launchpad needs a few, and one made for a single launch is used at once. */
const PLANS_MAX = 10_000

/** Bytes of EvtCreateConfigV2 up to the flag of the dynamic fee, and of that fee. */
const FLAG_AT = 163
const DYNAMIC_FEE_BYTES = 32
/** Bytes between the fees and the percentages: fee mode, migration, activation, token type, decimals. */
const MODES_BYTES = 5

/** Remembers the plan of EvtCreateConfigV2. Percentages: partner, partner locked, creator, creator locked. */
export function decodePlan(b: Buffer, o: number, at: Emission): void {
  const name = 'meteora_dbc.EvtCreateConfigV2'
  if (b.length - o <= FLAG_AT) return skip(at, `too_short:${name}`)
  const p = o + FLAG_AT + 1 + (b[o + FLAG_AT] === 1 ? DYNAMIC_FEE_BYTES : 0) + MODES_BYTES
  if (b.length < p + 4) return skip(at, `too_short:${name}`)
  const [partner, partnerLocked, creator, creatorLocked] = [b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!]
  // what is missing to 100 is locked for a time
  if (partner + partnerLocked + creator + creatorLocked > 100) return skip(at, `guard:${name}`)
  const { plans } = at.pools
  if (plans.size >= PLANS_MAX) for (const oldest of plans.keys()) if (plans.delete(oldest)) break
  plans.set(keyAt(b, o + 8), { locked: partnerLocked + creatorLocked, creator })
}

/** Emits the plan of a launch whose configuration was seen. */
export function pushPlan(at: Emission, name: string, facts: PoolFacts, pool: Key, config: Key, owner: Key): void {
  const plan = at.pools.plans.get(config)
  if (plan === undefined) return
  const nothing = { base: 0, quote: 0, baseReserve: -1, quoteReserve: -1 }
  const percent = { units: plan.creator, total: 100, locked: plan.locked }
  pushLiquidity(at, name, facts, { change: LIQUIDITY.plan, pool, owner, ...nothing, ...percent })
}
