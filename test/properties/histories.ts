import fc from 'fast-check'
import type { Key, Sig } from '../../src/base/ids.ts'
import {
  type BalanceEvent,
  type ChainEvent,
  type LogEntry,
  QUOTE,
  type TradeEvent,
  VENUE,
} from '../../src/decode/events.ts'

/**
 * Generated histories: a handful of wallets and tokens, buys, sells (also of more than was ever bought), transfers,
 * launches seen and unseen, graduations, SOL prices, and gaps from one slot to days.
 */
export const walletKey = (n: number): Key => `wallet-${n}`.padEnd(32, '.') as Key
export const mintKey = (n: number): Key => `mint-${n}`.padEnd(32, '.') as Key
export const poolKey = (n: number): Key => `pool-${n}`.padEnd(32, '.') as Key
export const curveKey = (n: number): Key => `curve-${n}`.padEnd(32, '.') as Key

export interface Step {
  readonly gap: number
  readonly token: number
  readonly wallet: number
  readonly action: 'buy' | 'sell' | 'create' | 'transfer' | 'migrate' | 'price'
  /** 1..1000, scales the amount */
  readonly size: number
}

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 3, arbitrary: fc.integer({ min: 4, max: 800 }) },
  { weight: 1, arbitrary: fc.integer({ min: 801, max: 10_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(24, 25, 26, 750, 751, 4_499, 4_500, 4_501, 8_999, 9_000, 9_001, 216_000) },
)

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    gap,
    token: fc.integer({ min: 0, max: 3 }),
    wallet: fc.integer({ min: 0, max: 4 }),
    action: fc.oneof(
      { weight: 10, arbitrary: fc.constant('buy' as const) },
      { weight: 8, arbitrary: fc.constant('sell' as const) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('create' as const, 'transfer' as const, 'migrate' as const, 'price' as const),
      },
    ),
    size: fc.integer({ min: 1, max: 1_000 }),
  }),
  { minLength: 1, maxLength: 120 },
)

const START = { sol: 30e9, token: 1_073_000_000e6, real: 793_100_000e6, supply: 1e15 }

interface Market {
  sol: number
  token: number
  migrated: boolean
  /** balances as a wallet's token account would show them */
  held: Map<number, number>
}

/** Turns steps into log entries: one block per distinct slot, prices from a constant-product curve. */
export function buildHistory(list: readonly Step[]): LogEntry[] {
  const markets = new Map<number, Market>()
  const entries: LogEntry[] = [{ kind: 'facts', time: 1, byOperator: false, facts: [{ kind: 'sol_price', usd: 150 }] }]
  let slot = 1_000
  let events: ChainEvent[] = []
  let n = 0
  const flush = (): void => {
    if (events.length === 0) return
    entries.push({ kind: 'block', slot, parent: slot - 1, time: 1_000_000 + slot * 0.4, events })
    events = []
  }
  for (const step of list) {
    if (step.gap > 0) {
      flush()
      slot += step.gap
    }
    const market = markets.get(step.token) ?? { sol: START.sol, token: START.token, migrated: false, held: new Map() }
    markets.set(step.token, market)
    if (step.action === 'price') {
      flush()
      slot++
      entries.push({ kind: 'facts', time: slot, byOperator: false, facts: [{ kind: 'sol_price', usd: 100 + step.size / 10 }] })
      continue
    }
    events.push(...eventsOf(step, market, n++))
  }
  flush()
  return entries
}

const position = (n: number) => ({ sig: `sig-${n}`.padEnd(64, '.') as Sig, txIndex: n, outer: 1, inner: 0 })

function eventsOf(step: Step, market: Market, n: number): ChainEvent[] {
  const at = position(n)
  const mint = mintKey(step.token)
  if (step.action === 'migrate') {
    market.migrated = true
    return [{ kind: 'migrate', ...at, mint, pool: poolKey(step.token) }]
  }
  if (step.action === 'create') {
    const text = `token ${step.token % 2}`
    return [
      {
        kind: 'create',
        ...at,
        launchpad: 1,
        mint,
        pool: curveKey(step.token),
        creator: walletKey(step.token),
        user: walletKey(step.token),
        name: text,
        symbol: text,
        uri: '',
        nameNorm: text,
        symbolNorm: text,
        quote: QUOTE.SOL,
        supply: START.supply,
        decimals: 6,
        quoteReserve: START.sol,
        baseReserve: START.token,
        mayhem: false,
      },
    ]
  }
  const held = market.held.get(step.wallet) ?? 0
  if (step.action === 'transfer') {
    const amount = Math.floor((held * step.size) / 500)
    market.held.set(step.wallet, amount)
    const event: BalanceEvent = { kind: 'balance', ...at, mint, owner: walletKey(step.wallet), amount }
    return [event]
  }
  return [step.action === 'buy' ? buyEvent(step, market, at) : sellEvent(step, market, at, held)]
}

function buyEvent(step: Step, market: Market, at: ReturnType<typeof position>): TradeEvent {
  const amount = step.size * 10_000_000
  const tokens = market.token - Math.ceil((market.sol * market.token) / (market.sol + amount))
  market.sol += amount
  market.token -= tokens
  market.held.set(step.wallet, (market.held.get(step.wallet) ?? 0) + tokens)
  return trade(step, market, at, true, amount, tokens)
}

/** Sizes over 900 sell more than the wallet was ever seen to hold. */
function sellEvent(step: Step, market: Market, at: ReturnType<typeof position>, held: number): TradeEvent {
  const part = step.size > 800 ? held : Math.floor((held * step.size) / 800)
  const tokens = part + (step.size > 900 ? 1_000_000_000 : 0) + (part === 0 ? 5_000_000 : 0)
  const amount = market.sol - Math.ceil((market.sol * market.token) / (market.token + tokens))
  market.sol -= amount
  market.token += tokens
  market.held.set(step.wallet, Math.max(0, held - tokens))
  return trade(step, market, at, false, amount, tokens)
}

function trade(
  step: Step,
  market: Market,
  at: ReturnType<typeof position>,
  isBuy: boolean,
  quoteAmount: number,
  tokenAmount: number,
): TradeEvent {
  const fee = Math.ceil(quoteAmount / 80)
  return {
    kind: 'trade',
    ...at,
    venue: market.migrated ? VENUE.pumpswap : VENUE.pump,
    mint: mintKey(step.token),
    pool: market.migrated ? poolKey(step.token) : curveKey(step.token),
    user: walletKey(step.wallet),
    isBuy,
    quote: QUOTE.SOL,
    quoteAmount,
    userQuote: isBuy ? quoteAmount + fee : Math.max(0, quoteAmount - fee),
    tokenAmount,
    quoteReserve: market.sol,
    baseReserve: market.token,
    quoteBefore: -1,
    realToken: market.migrated ? -1 : market.token - (START.token - START.real),
    supply: START.supply,
    decimals: 6,
    creator: walletKey(step.token),
    mayhem: false,
    payer: walletKey(step.wallet),
    tipper: null,
    solBefore: 5e9,
    solAfter: 4e9,
  }
}
