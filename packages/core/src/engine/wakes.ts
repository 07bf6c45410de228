import { VERDICT_CODES } from '../base/verdict-codes.ts'
import type { ReadingRow } from '../model/rows.ts'
import type { Token } from '../model/state.ts'
import type { AgentTracker } from './agents/tracker.ts'
import { AGENTS, HISTORY, POSITION } from './constants.ts'
import { minuteMark, noticeMinute } from './launches.ts'
import { ask, countOutcomes } from './outlook/outlook.ts'
import { isAskSlot } from './outlook/questions.ts'
import { takePick } from './picks.ts'
import { writeOff } from './positions.ts'
import { type Holding, readHolding } from './reading/holding.ts'
import { ownScore } from './reading/reading.ts'
import type { LiveToken } from './resident.ts'
import { dies, priceOf } from './tokens.ts'
import { hasValue, valueIn } from './units.ts'
import { type Judging, judge, latch } from './verdict/judge.ts'
import { latchedScore, verdictOf } from './verdict/said.ts'

/**
 * Time-based work on a token: resolves the price effect of sells and the verdicts of picks, writes off open
 * positions of dead or old tokens, and retires dead tokens. A wake at slot d sees every trade up to d.
 */
interface WakeContext extends Judging {
  readonly agents: AgentTracker
  readonly readings: ReadingRow[]
}

export function wake(context: WakeContext, live: LiveToken, slot: number): void {
  const { token } = live
  const market = { ...context.globals, slot, wallet: context.wallets.byId }
  let reading: Holding | null = null
  const read = (): Holding => {
    reading ??= readHolding(live, market)
    return reading
  }
  resolveImpacts(context, live, slot)
  resolvePicks(context, live, slot)
  countOutcomes(live, context.globals.outlook, slot)
  if (isYoungMark(live, slot)) context.agents.noticeAge(live, slot, () => ownScore(token, read()))
  if (slot === minuteMark(token)) noticeMinute(context.wallets, token)
  const wasDead = token.dead
  token.dead ||= dies(token, slot)
  if (token.dead && !wasDead) token.latched = []
  if ((token.dead && !wasDead) || isDayMark(live, slot)) settle(context, live, slot)
  const isRead = isAskSlot(token, slot) && !token.dead
  if (isRead) {
    ask(live, market, read)
    latch(context, live, slot, read)
  }
  const { dueSlot } = token.verdict
  if (isRead || token.dead !== wasDead || (dueSlot >= 0 && dueSlot <= slot))
    judge(context, live, { slot, time: context.globals.time }, isRead ? 'reading' : 'time')
  if (isRead && token.verdict.readSlot === slot) keepReading(context, token, slot)
  context.tokens.touch(live)
  const isAsked = token.firstPick >= 0 || token.impacts.length > 0 || token.asked.length > 0
  const isWaiting = isAsked || token.verdict.dueSlot > slot
  if (token.dead && !isWaiting) context.tokens.retire(live)
}

function keepReading({ globals, readings }: WakeContext, token: Token, slot: number): void {
  const { points, knownPct, top10Pct } = token.verdict
  const { colour, code } = verdictOf(token)
  readings.push({
    no: globals.readings++,
    token: token.id,
    slot,
    age: slot - token.createdSlot,
    points,
    score: latchedScore(token),
    knownPct,
    top10Pct,
    colour,
    code: VERDICT_CODES.indexOf(code),
    latched: token.latched,
  })
}

/** The age at which strategies check every launch once. */
const isYoungMark = ({ token }: LiveToken, slot: number): boolean =>
  token.createdKnown && slot === token.createdSlot + AGENTS.young.ageSlots

const isDayMark = ({ token }: LiveToken, slot: number): boolean => {
  const age = slot - token.createdSlot
  return !token.dead && age > 0 && age % POSITION.writeOffSlots === 0
}

function resolveImpacts({ wallets }: WakeContext, { token }: LiveToken, slot: number): void {
  let due = 0
  // in the order of their slots
  while (due < token.impacts.length && token.impacts[due]!.dueSlot <= slot) due++
  if (due === 0) return
  const price = priceOf(token)
  for (const impact of token.impacts.splice(0, due)) {
    const wallet = wallets.byId(impact.wallet)
    const change = 100 * (price / impact.priceBefore - 1)
    const clipped = Math.max(-HISTORY.impactClip, Math.min(HISTORY.impactClip, change))
    wallet.impactWeighted += clipped * impact.weight
    wallet.impactWeight += impact.weight
    wallets.touch(wallet)
  }
}

function resolvePicks({ globals, wallets }: WakeContext, live: LiveToken, slot: number): void {
  const { token } = live
  const traded = token.lastFreeTradeSlot >= 0 && slot - token.lastFreeTradeSlot <= HISTORY.pickTradeSlots
  for (let pick = takePick(live, slot); pick !== null; pick = takePick(live, slot)) {
    const wallet = wallets.byId(pick.wallet)
    const healthy = traded && token.ruggedSlot < 0 && token.mcap >= pick.pick * HISTORY.pickMcapShare
    wallet.picksResolved++
    globals.population.picks++
    if (healthy) {
      wallet.picksHealthy++
      globals.population.healthyPicks++
    }
    wallets.touch(wallet)
  }
}

/**
 * Writes off open positions at the mark: all of them at death, those older than 24 h at a day mark. Without a known
 * price there is no mark, and without a known cost no loss.
 */
function settle({ globals, tokens, wallets }: WakeContext, live: LiveToken, slot: number): void {
  const { token } = live
  if (!hasValue(token)) return
  const price = priceOf(token)
  for (const position of live.positions.held()) {
    const priced = position.balance - position.unpriced
    if (priced <= 0) continue
    if (!token.dead && slot - position.acquiredSlot < POSITION.writeOffSlots) continue
    const wallet = wallets.byId(position.wallet)
    writeOff(position, wallet, valueIn(token, Math.floor(price * priced), globals.solUsd))
    wallets.touch(wallet)
    tokens.touchPosition(position)
  }
}
