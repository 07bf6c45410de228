import type { Key, Sig } from '@ti/core/base/ids.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import { type BalanceEvent, type ChainEvent, QUOTE, type TradeEvent, VENUE } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { createCurve, feeOf, quoteBuy, quoteSell, TOTAL_SUPPLY } from '@ti/lab/simulator/curve.ts'
import type { Line } from './script.ts'

/** Turns the lines of a worked example into log entries: trades on the simulator's bonding curve, one block a slot. */

const FEE_BPS = 125
const START_SOL = 30_000_000_000
const LAMPORTS = 1e9
export const SOL_USD = 150

export const keyOf = (name: string): Key => name.padEnd(32, '.') as Key
export const MINT = keyOf('mint of the example')
const sigOf = (n: number): Sig => `transaction ${n}`.padEnd(64, '.') as Sig

interface Launched {
  readonly mint: Key
  readonly curve: ReturnType<typeof createCurve>
  readonly held: Map<string, number>
}

export interface WorkedMarket {
  /** one line of the script, at its slot */
  play(slot: number, line: Line): void
  /** what was played since the last call, as log entries */
  take(slot: number): LogEntry[]
}

export function createWorkedMarket(): WorkedMarket {
  const tokens = new Map<Key, Launched>()
  let events: ChainEvent[] = []
  let facts: Fact[] = []
  let transactions = 0
  let inSlot = 0

  const at = () => ({ sig: sigOf(transactions++), txIndex: inSlot++, outer: 1, inner: 0 })

  function launch(mint: Key, deployer: string, image: string | null): void {
    const name = mint === MINT ? 'Example' : 'Earlier'
    events.push({
      ...{ kind: 'create', ...at(), launchpad: 1, mint, pool: keyOf(`curve of ${mint.slice(0, 20)}`) },
      ...{ creator: keyOf(deployer), user: keyOf(deployer), payer: keyOf(deployer), signed: true, uri: '' },
      ...{ name, symbol: name, nameNorm: name, symbolNorm: name, quote: QUOTE.SOL, supply: TOTAL_SUPPLY, decimals: 6 },
      ...{ quoteReserve: START_SOL, baseReserve: createCurve(START_SOL).virtualToken, mayhem: false },
    })
    if (image !== null) facts.push({ kind: 'image_hash', mint, sha256: image })
    tokens.set(mint, { mint, curve: createCurve(START_SOL), held: new Map() })
  }

  const heldBy = ({ held }: Launched, who: string): number => held.get(who) ?? 0

  function trade(token: Launched, who: string, isBuy: boolean, amount: number, { paid, tip }: Line): void {
    const { curve, held } = token
    const { quote, tokens: bought } = isBuy ? quoteBuy(curve, amount) : quoteSell(curve, amount)
    const sign = isBuy ? 1 : -1
    curve.virtualQuote += sign * quote
    curve.realQuote += sign * quote
    curve.virtualToken -= sign * bought
    curve.realToken -= sign * bought
    held.set(who, heldBy(token, who) + sign * bought)
    events.push(tradeEvent(token, who, isBuy, quote, bought, { paid, tip }))
  }

  function tradeEvent(
    { mint, curve }: Launched,
    who: string,
    isBuy: boolean,
    quoteAmount: number,
    tokenAmount: number,
    { paid, tip }: Pick<Line, 'paid' | 'tip'>,
  ): TradeEvent {
    const fee = feeOf(quoteAmount, FEE_BPS)
    return {
      ...{ kind: 'trade', ...at(), venue: VENUE.pump, mint, pool: keyOf(`curve of ${mint.slice(0, 20)}`) },
      ...{ user: keyOf(who), isBuy, quote: QUOTE.SOL, quoteAmount, tokenAmount, quoteBefore: -1 },
      userQuote: quoteAmount + (isBuy ? fee : -fee),
      ...{ quoteReserve: curve.virtualQuote, baseReserve: curve.virtualToken, realToken: curve.realToken },
      ...{ supply: TOTAL_SUPPLY, decimals: 6, creator: null, mayhem: false },
      ...{ hop: false, account: -1, held: 0 },
      ...{ payer: keyOf(paid ?? who), tipper: tip === null ? null : keyOf(tip) },
      ...{ solBefore: 20 * LAMPORTS, solAfter: 20 * LAMPORTS },
    }
  }

  function give(token: Launched, from: string, to: string, share: number): void {
    const amount = Math.floor(heldBy(token, from) * share)
    const where = at()
    const moves = (owner: string, inner: number, tokens: number): BalanceEvent => {
      const before = heldBy(token, owner)
      token.held.set(owner, before + tokens)
      const moved = { owner: keyOf(owner), account: -1, before, after: before + tokens, explained: 0 }
      return { kind: 'balance', ...where, inner, mint: token.mint, program: false, swap: false, ...moved }
    }
    events.push(moves(from, 0, -amount), moves(to, 1, amount))
  }

  return {
    play(slot, line) {
      const mint = line.mint === null ? MINT : keyOf(line.mint)
      if (line.verb === 'launch') return launch(mint, line.who[0]!, line.image)
      if (line.verb === 'funded') {
        const fund = (who: string): Fact => ({
          ...{ kind: 'funding', wallet: keyOf(who), funder: keyOf(line.to!), slot: slot - 100, exchange: false },
          lamports: 100 * LAMPORTS,
        })
        return void facts.push(...line.who.map(fund))
      }
      const token = tokens.get(mint)
      if (token === undefined) throw new Error(`the example trades ${line.mint ?? 'its token'} before its launch`)
      for (const who of line.who) {
        if (line.verb === 'give') give(token, who, line.to!, line.amount)
        else if (line.verb === 'buy') trade(token, who, true, Math.round(line.amount * LAMPORTS), line)
        else trade(token, who, false, Math.floor(heldBy(token, who) * line.amount), line)
      }
    },
    take(slot) {
      const entries: LogEntry[] = []
      const time = 1_700_000_000 + Math.floor(slot * 0.4)
      if (events.length > 0) entries.push({ kind: 'block', slot, parent: slot - 1, time, events })
      if (facts.length > 0) entries.push({ kind: 'facts', time, byOperator: false, facts })
      events = []
      facts = []
      inSlot = 0
      return entries
    },
  }
}
