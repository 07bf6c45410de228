import { type Key, keyAt } from '../base/ids.ts'
import { LIQUIDITY } from '../model/events.ts'
import { accountOf, type Emission, isCall, skip } from './emission.ts'
import { pairOf, pushLiquidity, reserveAfter } from './liquidity.ts'
import type { PoolFacts } from './pools.ts'
import { tag, u64 } from './reader.ts'
import { TOKEN_PROGRAMS } from './token-program.ts'

/** Liquidity of PumpSwap pools. Units are LP tokens, burned ones included: the pool counts them for ever. */
const CALLS = {
  deposit: tag('f223c68952e1f2b6'),
  withdraw: tag('b712469c946da122'),
}

/**
 * DepositEvent and WithdrawEvent have one layout. Reserves and LP supply are those before, as in swaps. Accounts of both
 * instructions: pool, config, user, base mint (3), quote mint (4).
 */
export function decodeLiquidity(b: Buffer, o: number, at: Emission, isDeposit: boolean): void {
  const name = isDeposit ? 'pump_amm.DepositEvent' : 'pump_amm.WithdrawEvent'
  if (b.length - o < 256) return skip(at, `too_short:${name}`)
  const pool = keyAt(b, o + 96)
  const { call } = at
  const named = isCall(call, isDeposit ? CALLS.deposit : CALLS.withdraw)
  const facts = pairOf(at, pool, call, named && accountOf(at, call, 0) === pool ? 3 : -1)
  if (facts === undefined) return skip(at, `pool_unknown:${name}`)
  at.vaults.push(pool)
  const change = isDeposit ? LIQUIDITY.deposit : LIQUIDITY.withdraw
  const base = u64(b, o + 72)
  const quote = u64(b, o + 80)
  const units = u64(b, o + 16)
  pushLiquidity(at, name, facts, {
    change,
    pool,
    owner: keyAt(b, o + 128),
    base,
    quote,
    baseReserve: reserveAfter(change, u64(b, o + 56), base),
    quoteReserve: reserveAfter(change, u64(b, o + 64), quote),
    units,
    total: reserveAfter(change, u64(b, o + 88), units),
    locked: -1,
  })
}

/** Token programs: Burn and BurnChecked take account, mint, authority; data is a tag byte and the amount. */
const BURN = 8
const BURN_CHECKED = 15

/** LP tokens burned by the instruction of the event; -1 if its inner calls are unknown. */
function burnedIn(at: Emission, mint: Key): number {
  const group = at.tx.inner?.find(({ outer }) => outer === at.outer)
  if (group === undefined) return -1
  const { keys } = at.tx
  let burned = 0
  for (const { program, accounts, data } of group.instructions) {
    if ((data[0] !== BURN && data[0] !== BURN_CHECKED) || data.length < 9 || accounts.length < 3) continue
    if (keys[accounts[1]!] === mint && TOKEN_PROGRAMS.has(keys[program]!)) burned += u64(data, 1)
  }
  return burned
}

/** The first deposit, of CreatePoolEvent. Pump burns what a graduation mints, in the same instruction. */
export function openLiquidity(b: Buffer, o: number, at: Emission, pool: Key, facts: PoolFacts): void {
  const burned = burnedIn(at, keyAt(b, o + 205))
  const units = u64(b, o + 156)
  pushLiquidity(at, 'pump_amm.CreatePoolEvent', facts, {
    change: LIQUIDITY.open,
    pool,
    owner: keyAt(b, o + 18),
    base: u64(b, o + 116),
    quote: u64(b, o + 124),
    baseReserve: u64(b, o + 132),
    quoteReserve: u64(b, o + 140),
    units,
    total: units,
    // the first units, the minimum, have no owner
    locked: burned < 0 ? -1 : Math.min(units, burned + u64(b, o + 148)),
  })
}
