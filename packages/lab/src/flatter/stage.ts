import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { Block, LogEntry, TransactionTerms } from '@ti/core/model/entries.ts'
import type { BalanceEvent, ChainEvent, EventHead, TradeEvent } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import {
  CREATOR_FEE_BPS,
  type Curve,
  createCurve,
  feeOf,
  PROTOCOL_FEE_BPS,
  quoteBuy,
  quoteSell,
  START_VIRTUAL_SOL,
} from '../simulator/curve.ts'
import { RENT } from '../simulator/exchange.ts'
import { SLOT_SECONDS } from '../simulator/market.ts'
import { COMMON_TIP, type Script, type Step } from './script.ts'

/** Lamports per signature. */
const NETWORK_FEE = 5_000
/** Inserted actions come after the slot's own, each in a transaction apart from the others. */
const BEHIND = 10_000
const APART = 10
/** Quote below which a sale is not worth its fees, as for the simulator's traders. */
const WORTHLESS = 1_000
/** The share of a sale's proceeds that is spent again at once; the rest allows for fees and price changes. */
const AGAIN = 0.97
const ONE_TOKEN = 1_000_000

interface Played {
  readonly entries: readonly LogEntry[]
  /** The change of the adversary's lamports, with remaining bags at the value of selling all of them. */
  readonly net: number
  /** Base units that the adversary holds after each of the slots asked for. */
  readonly held: readonly number[]
}

/** Plays a script on a curve of its own. Actions beyond `budget` (lamports) are skipped. */
export function play(script: Script, budget: number, until: readonly number[]): Played {
  const stage = createStage(script, budget)
  const bySlot = new Map<number, Step[]>()
  const put = (step: Step): void => void bySlot.set(step.slot, [...(bySlot.get(step.slot) ?? []), step])
  for (const step of script.steps) put(step)
  const facts = new Map<number, Fact[]>()
  for (const { slot, fact } of script.facts) facts.set(slot, [...(facts.get(slot) ?? []), fact])
  const entries: LogEntry[] = []
  const timeOf = (slot: number): number => Math.floor(script.time + (slot - script.created) * SLOT_SECONDS)
  const addFacts = (slot: number): void => {
    const found = facts.get(slot)
    if (found !== undefined) entries.push({ kind: 'facts', time: timeOf(slot), byOperator: false, facts: found })
  }
  const last = until[until.length - 1]!
  const held: number[] = []
  let parent = script.created - 1
  for (let slot = script.created; slot <= last; slot++) {
    const steps = bySlot.get(slot)
    if (steps !== undefined || until.includes(slot)) {
      entries.push({ kind: 'block', slot, parent, time: timeOf(slot), ...stage.block(steps ?? [], put) })
      parent = slot
    }
    addFacts(slot)
    if (until.includes(slot)) held.push(stage.held())
  }
  return { entries, net: stage.net(), held }
}

function createStage(script: Script, budget: number) {
  const curve = createCurve(START_VIRTUAL_SOL)
  const balances = new Map<Key, number>()
  /** balances of the log's wallets without the insertions */
  const usual = new Map<Key, number>()
  const own = new Set(script.adversary)
  const accounts = new Set<Key>()
  let isOver = false
  let net = 0
  /** lamports spent on the insertions */
  let spent = 0
  let sigs = 0
  let template: TradeEvent | null = null

  const heldBy = (wallet: Key): number => balances.get(wallet) ?? 0
  const add = (of: Map<Key, number>, wallet: Key, tokens: number): void =>
    void of.set(wallet, Math.max(0, (of.get(wallet) ?? 0) + tokens))

  /** Moves tokens along the curve; null if there is nothing to move. */
  function trade(wallet: Key, isBuy: boolean, amount: number): { quote: number; tokens: number; paid: number } | null {
    if (isOver) return null
    const { quote, tokens } = isBuy ? quoteBuy(curve, amount) : quoteSell(curve, amount)
    if (tokens <= 0 || quote <= 0 || (!isBuy && quote < WORTHLESS)) return null
    const sign = isBuy ? 1 : -1
    const fees = feeOf(quote, PROTOCOL_FEE_BPS) + feeOf(quote, CREATOR_FEE_BPS)
    if (isBuy && tokens === curve.realToken) isOver = true
    moveCurve(curve, sign * quote, sign * tokens)
    add(balances, wallet, sign * tokens)
    const paid = quote + sign * fees
    if (own.has(wallet)) net -= sign * paid
    return { quote, tokens, paid }
  }

  /** The cost of a signature, and the account's rent the first time. */
  function openAccount(wallet: Key): number {
    if (accounts.has(wallet)) return NETWORK_FEE
    accounts.add(wallet)
    return NETWORK_FEE + RENT.tokenAccount
  }

  function eventOf(
    wallet: Key,
    isBuy: boolean,
    done: { quote: number; tokens: number; paid: number },
    behind: number | undefined,
  ): TradeEvent | null {
    const like = template
    if (like === null) return null
    const txIndex = behind === undefined ? BEHIND + APART * sigs : behind + 1
    const place = { txIndex, outer: 0, inner: 0, sig: nextSig() }
    return { ...like, ...place, ...payersOf(wallet), user: wallet, isBuy, ...amountsOf(done) }
  }

  const nextSig = (): Sig => `flatter-${sigs++}`.padEnd(64, '.') as Sig
  const payersOf = (wallet: Key) => ({
    payer: wallet,
    tipper: null,
    creator: template!.creator,
    solBefore: -1,
    solAfter: -1,
    hop: false,
    account: -1,
    held: 0,
  })
  const amountsOf = ({ quote, tokens, paid }: { quote: number; tokens: number; paid: number }) => ({
    ...{ quoteAmount: quote, tokenAmount: tokens, userQuote: paid },
    ...{ quoteReserve: curve.virtualQuote, baseReserve: curve.virtualToken, realToken: curve.realToken },
  })

  /** Repeats a trade of the log: buys for the same lamports, or sells the same tokens as far as they exist. */
  function again(event: TradeEvent): TradeEvent | null {
    const { user, isBuy, tokenAmount, quoteAmount } = event
    template = event
    const beyond = Math.max(0, tokenAmount - (usual.get(user) ?? 0))
    add(usual, user, isBuy ? tokenAmount : -tokenAmount)
    const amount = isBuy ? quoteAmount : Math.min(tokenAmount, heldBy(user) + beyond)
    const done = trade(user, isBuy, amount)
    return done === null ? null : { ...event, ...amountsOf(done) }
  }

  /** The move, once there was one. */
  function rowOf(at: EventHead, owner: Key, tokens: number): BalanceEvent {
    const { sig, txIndex, outer, inner, mint } = at
    const after = heldBy(owner)
    const before = after - tokens
    const head = { kind: 'balance' as const, sig, txIndex, outer, inner, mint }
    return { ...head, program: false, swap: false, owner, account: -1, before, after, explained: 0 }
  }

  function moved(event: BalanceEvent, tokens: number, pot: { left: number | null }): BalanceEvent | null {
    const { owner } = event
    add(usual, owner, tokens)
    // amounts received equal amounts sent in the same transaction, if those were seen
    const came = tokens > 0 && pot.left !== null ? Math.min(tokens, pot.left) : tokens
    const gone = tokens < 0 ? Math.min(-tokens, heldBy(owner)) : 0
    if (tokens < 0) pot.left = (pot.left ?? 0) + gone
    add(balances, owner, tokens < 0 ? -gone : came)
    return rowOf(event, owner, tokens < 0 ? -gone : came)
  }

  function buy({ wallet, lamports, free, behind, gift, tips }: Extract<Step, { kind: 'buy' }>): ChainEvent[] {
    const cost = lamports + feeOf(lamports, PROTOCOL_FEE_BPS) + feeOf(lamports, CREATOR_FEE_BPS)
    const tip = tips ? COMMON_TIP : 0
    const extra = tip + (accounts.has(wallet) ? NETWORK_FEE : NETWORK_FEE + RENT.tokenAccount)
    if (!free && spent + cost + extra > budget) return []
    own.add(wallet)
    const done = trade(wallet, true, lamports)
    if (done === null) return []
    net -= openAccount(wallet) + tip
    if (!free) spent += done.paid + extra
    const event = eventOf(wallet, true, done, behind)
    if (event === null) return []
    const made = tips ? { ...event, tipper: wallet } : event
    return gift === undefined ? [made] : [made, ...passOn(made, gift)]
  }

  /** One token of a purchase goes on in its transaction. */
  function passOn(bought: TradeEvent, to: Key): ChainEvent[] {
    const tokens = Math.min(ONE_TOKEN, heldBy(bought.user))
    add(balances, bought.user, -tokens)
    add(balances, to, tokens)
    add(usual, to, tokens)
    const from = { ...rowOf({ ...bought, outer: 1, inner: 0 }, bought.user, -tokens), explained: bought.tokenAmount }
    return [{ ...from, before: from.before - bought.tokenAmount }, rowOf({ ...bought, outer: 1, inner: 1 }, to, tokens)]
  }

  function sell(wallet: Key, part: number, behind?: number): { events: ChainEvent[]; got: number } {
    const done = trade(wallet, false, Math.floor(heldBy(wallet) * part))
    if (done === null) return { events: [], got: 0 }
    net -= NETWORK_FEE
    spent -= done.paid - NETWORK_FEE
    const event = eventOf(wallet, false, done, behind)
    return { events: event === null ? [] : [event], got: done.paid }
  }

  function pay(lamports: number): void {
    net -= lamports
    spent += lamports
  }

  function give(wallet: Key, to: Key, part: number): ChainEvent[] {
    const tokens = Math.floor(heldBy(wallet) * part)
    const extra = accounts.has(to) ? NETWORK_FEE : NETWORK_FEE + RENT.tokenAccount
    if (tokens <= 0 || template === null || spent + extra > budget) return []
    own.add(to)
    spent += extra
    net -= openAccount(to)
    add(balances, wallet, -tokens)
    add(balances, to, tokens)
    const head = { txIndex: BEHIND + APART * sigs, outer: 1, mint: template.mint, sig: nextSig() }
    return [rowOf({ ...head, inner: 0 }, wallet, -tokens), rowOf({ ...head, inner: 1 }, to, tokens)]
  }

  function act(
    step: Step,
    pots: Map<number, { left: number | null }>,
    later: (step: Step) => void,
  ): readonly ChainEvent[] {
    switch (step.kind) {
      case 'event':
        return isOver && step.event.kind !== 'create' ? [] : [step.event]
      case 'trade': {
        const event = again(step.event)
        if (event !== null && own.has(event.user)) net -= step.event.tipper === event.user ? COMMON_TIP : 0
        return event === null ? [] : [event]
      }
      case 'moved': {
        const pot = pots.get(step.event.txIndex) ?? { left: null }
        pots.set(step.event.txIndex, pot)
        const event = moved(step.event, step.tokens, pot)
        return event === null ? [] : [event]
      }
      case 'buy':
        return buy(step)
      case 'sell':
        return sell(step.wallet, step.part, step.behind).events
      case 'pay':
        if (spent + step.lamports <= budget) pay(step.lamports)
        return []
      case 'change': {
        const { events, got } = sell(step.wallet, 1)
        const lamports = Math.floor(got * AGAIN)
        if (got > 0) later({ kind: 'buy', slot: step.slot + 3, wallet: step.to, lamports })
        return events
      }
      case 'give':
        return give(step.wallet, step.to, step.part)
    }
  }

  return {
    /** The events of one slot; `later` receives the actions that follow from them. */
    block(steps: readonly Step[], later: (step: Step) => void): Pick<Block, 'events' | 'terms'> {
      const events: ChainEvent[] = []
      const terms: TransactionTerms[] = []
      const pots = new Map<number, { left: number | null }>()
      for (const step of steps) {
        const made = act(step, pots, later)
        const known = 'terms' in step ? step.terms : null
        const [first] = made
        const isNew = first !== undefined && events[events.length - 1]?.txIndex !== first.txIndex
        if (known !== null && isNew) terms.push({ ...known, event: events.length })
        events.push(...made)
      }
      return terms.length > 0 ? { events, terms } : { events }
    },
    held: (): number => [...own].reduce((sum, wallet) => sum + heldBy(wallet), 0),
    net(): number {
      const left = [...own].reduce((sum, wallet) => sum + heldBy(wallet), 0)
      if (left === 0 || isOver) return net
      const { quote } = quoteSell(curve, left)
      return net + quote - feeOf(quote, PROTOCOL_FEE_BPS) - feeOf(quote, CREATOR_FEE_BPS)
    },
  }
}

function moveCurve(curve: Curve, quote: number, tokens: number): void {
  curve.virtualQuote += quote
  curve.virtualToken -= tokens
  curve.realQuote += quote
  curve.realToken -= tokens
}
