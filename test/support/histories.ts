import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type BalanceEvent, type ChainEvent, QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import fc from './property.ts'

/**
 * Generated histories: a handful of wallets and tokens, buys, sells (also of more than was ever bought), transfers in
 * and between wallets, several wallets in one transaction, others who pay fees and tips, launches seen and unseen,
 * graduations, facts about prices and wallets, and gaps from one slot to days.
 */
export const walletKey = (n: number): Key => `wallet-${n}`.padEnd(32, '.') as Key
export const mintKey = (n: number): Key => `mint-${n}`.padEnd(32, '.') as Key
export const poolKey = (n: number): Key => `pool-${n}`.padEnd(32, '.') as Key
export const curveKey = (n: number): Key => `curve-${n}`.padEnd(32, '.') as Key

/** Wallets that trade, and strangers that only ever pay or fund. */
export const TRADERS = 5
const STRANGERS = 2
/** Wallets of a crowd, the traders among them: more than the largest holders and first buyers that the formulas look at. */
export const CROWD = 100

/** `give` and `joint`: two wallets in one transaction; `funder`, `kol`, `agent`: facts about a wallet; `image`: one about a token. */
const RARE = ['create', 'transfer', 'migrate', 'price', 'give', 'joint', 'funder', 'kol', 'agent', 'image'] as const

export interface Step {
  readonly gap: number
  readonly token: number
  readonly wallet: number
  readonly action: 'buy' | 'sell' | (typeof RARE)[number]
  /** 1..1000, scales the amount */
  readonly size: number
  /** wallet number of who paid the network fee (absent: the trader) and the tip (absent: nobody) */
  readonly payer?: number | undefined
  readonly tipper?: number | undefined
}

const gap = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 3 }) },
  { weight: 3, arbitrary: fc.integer({ min: 4, max: 800 }) },
  { weight: 1, arbitrary: fc.integer({ min: 801, max: 10_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(24, 25, 26, 750, 751, 4_499, 4_500, 4_501, 8_999, 9_000, 9_001, 216_000) },
)

const other = (weightOfNone: number): fc.Arbitrary<number | undefined> =>
  fc.oneof(
    { weight: weightOfNone, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: TRADERS + STRANGERS - 1 }) },
  )

const stepsUpTo = (maxLength: number, tokens: number, wallets = TRADERS): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.record({
      gap,
      token: fc.integer({ min: 0, max: tokens - 1 }),
      wallet: fc.integer({ min: 0, max: wallets - 1 }),
      action: fc.oneof(
        { weight: 10, arbitrary: fc.constant('buy' as const) },
        { weight: 8, arbitrary: fc.constant('sell' as const) },
        { weight: 2, arbitrary: fc.constantFrom(...RARE) },
      ),
      size: fc.integer({ min: 1, max: 1_000 }),
      payer: other(12),
      tipper: other(8),
    }),
    // the default size of the library stops at a dozen steps
    { minLength: 1, maxLength, size: 'max' },
  )

export const steps = stepsUpTo(120, 4)
export const shortSteps = stepsUpTo(30, 2)

const everybody = Array.from({ length: CROWD }, (_, wallet) => wallet)

/** A crowd that buys token 0 in an order of chance, and what some of it does afterwards. */
export const crowdSteps: fc.Arbitrary<Step[]> = fc
  .tuple(
    fc.shuffledSubarray(everybody, { minLength: 60 }),
    fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 1, max: 300 })), {
      minLength: CROWD,
      maxLength: CROWD,
    }),
    fc.boolean(),
    stepsUpTo(60, 2, CROWD),
  )
  .map(([buyers, purchases, isCreationSeen, later]) => [
    ...(isCreationSeen ? [{ gap: 1, token: 0, wallet: 0, action: 'create' as const, size: 1 }] : []),
    ...buyers.map((wallet, i) => ({
      gap: purchases[i]![0],
      token: 0,
      wallet,
      action: 'buy' as const,
      size: purchases[i]![1],
    })),
    ...later,
  ])

/**
 * More trades than the conditions look back on: 300 large purchases of one token, then 500 trades of small purchases and larger sales,
 * within five minutes. A KOL leaves at the beginning, before more purchases of another one than are remembered.
 */
const busyPast: readonly Step[] = (() => {
  const list: Step[] = [1, 2].map((wallet) => ({ gap: 1, token: 0, wallet, action: 'kol' as const, size: 1 }))
  const trade = (wallet: number, action: 'buy' | 'sell', size: number): void =>
    void list.push({ gap: list.length % 2, token: 0, wallet, action, size })
  trade(1, 'buy', 30)
  trade(1, 'sell', 950)
  for (let n = 0; n < 300; n++) trade(n % 3 === 0 ? 0 : 3 + (n % 2), 'buy', 90)
  for (let n = 0; n < 500; n++) trade(n % 4 === 0 ? 2 : 3, n % 2 === 0 ? 'buy' : 'sell', 2)
  return list
})()

/** Histories that go on at once after a past of many trades. */
export const busySteps: fc.Arbitrary<Step[]> = stepsUpTo(10, 1).map((list) => [
  ...busyPast,
  ...list.map((step) => ({ ...step, gap: step.gap % 3 })),
])

const VETERAN_MINTS = 6

/**
 * A past that makes wallet 0 smart money and alpha hands if nothing spoils it: early in six mints that live, and twenty
 * quick wins on the first of them. Wallet 2 trades with itself.
 */
const veteranPast: readonly Step[] = (() => {
  const list: Step[] = []
  const add = (token: number, wallet: number, action: Step['action'], size: number, gap: number): void =>
    void list.push({ gap, token, wallet, action, size })
  for (let token = 0; token < VETERAN_MINTS; token++) add(token, 0, 'buy', 50, 7)
  for (let trip = 0; trip < 3; trip++) {
    add(1, 2, 'buy', 20, 30)
    add(1, 2, 'sell', 850, 25)
  }
  for (let round = 0; round < 20; round++) {
    add(0, 0, 'buy', 500, 100)
    add(0, 4, 'buy', 3_000, 100)
    add(0, 0, 'sell', 850, 100)
  }
  for (let token = 0; token < VETERAN_MINTS; token++) add(token, 3, 'buy', 400, token === 0 ? 2_400 : 7)
  add(0, 3, 'buy', 10, 1_400)
  return list
})()

/** Histories with a veteran among the wallets. */
export const veteranSteps: fc.Arbitrary<Step[]> = stepsUpTo(40, VETERAN_MINTS).map((list) => [...veteranPast, ...list])

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
    const known = markets.get(step.token)
    const market = known ?? { sol: START.sol, token: START.token, migrated: false, held: new Map() }
    markets.set(step.token, market)
    const fact = factOf(step, slot)
    if (fact !== null) {
      flush()
      slot++
      entries.push({ kind: 'facts', time: slot, byOperator: step.action === 'agent', facts: [fact] })
      continue
    }
    // a creation comes first or is not seen; that of every other token is
    if (step.action === 'create' ? known !== undefined : known === undefined && step.token % 2 === 1) {
      if (step.action === 'create') continue
      events.push(...eventsOf({ ...step, action: 'create' }, market, n++))
    }
    events.push(...eventsOf(step, market, n++))
  }
  flush()
  return entries
}

function factOf({ action, token, wallet: n, size }: Step, slot: number): Fact | null {
  const wallet = walletKey(n)
  const name = size % 4 === 0 ? null : `name ${n}`
  if (action === 'price') return { kind: 'sol_price', usd: 100 + size / 10 }
  if (action === 'image') return { kind: 'image_hash', mint: mintKey(token), sha256: `image ${size % 2}` }
  if (action === 'kol' || action === 'agent') return { kind: action, wallet, name }
  if (action !== 'funder') return null
  const funder = walletKey(size % (TRADERS + STRANGERS))
  const lamports = (size % 7) * 300_000_000
  return {
    kind: 'funding',
    wallet,
    funder,
    slot: Math.max(0, slot - (size % 3) * 300),
    exchange: size % 10 === 0,
    lamports,
  }
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
        creator: walletKey(step.token + 1),
        user: walletKey(step.token),
        payer: walletKey(step.payer ?? step.token),
        signed: false,
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
  const next = (step.wallet + 1) % (step.wallet < TRADERS ? TRADERS : CROWD)
  const becomes = (wallet: number, amount: number, inner: number): BalanceEvent => {
    const before = market.held.get(wallet) ?? 0
    market.held.set(wallet, amount)
    const moved = { owner: walletKey(wallet), account: -1, before, after: amount, explained: 0 }
    return { kind: 'balance', ...at, inner, mint, program: false, swap: false, ...moved }
  }
  if (step.action === 'transfer') return [becomes(step.wallet, Math.floor((held * step.size) / 500), 0)]
  if (step.action === 'give') {
    const given = Math.floor((held * step.size) / 1_000)
    return [becomes(step.wallet, held - given, 0), becomes(next, (market.held.get(next) ?? 0) + given, 1)]
  }
  if (step.action === 'joint') {
    const first = buyEvent(step, market, at)
    return [first, buyEvent({ ...step, wallet: next }, market, { ...at, inner: 1 })]
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

/** Sizes over 900 sell more than the wallet was ever seen to hold, over 985 by 1.5 % of supply. */
function sellEvent(step: Step, market: Market, at: ReturnType<typeof position>, held: number): TradeEvent {
  const part = step.size > 800 ? held : Math.floor((held * step.size) / 800)
  const unseen = step.size > 985 ? 15_000_000_000_000 : step.size > 900 ? 1_000_000_000 : 0
  const tokens = part + unseen + (part === 0 ? 5_000_000 : 0)
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
    // not the launcher, and another one now and then
    creator: walletKey(step.token + (step.size % 40 === 0 ? 2 : 1)),
    mayhem: false,
    payer: walletKey(step.payer ?? step.wallet),
    tipper: step.tipper === undefined ? null : walletKey(step.tipper),
    solBefore: 5e9,
    // from nothing to 150 SOL, and sometimes unknown
    solAfter: step.size % 7 === 0 ? -1 : ((step.size * 997) % 1_500) * 100_000_000,
    hop: false,
    account: -1,
    held: 0,
  }
}
