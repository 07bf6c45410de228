import { clock, compact, count, counted, pct, shortAddress, sol, usd } from '@ti/core/base/format.ts'
import { REASON_WORDS, type VerdictCode } from '@ti/core/base/verdict-codes.ts'
import { span } from '@ti/core/query/span.ts'
import type { Alert } from './alert.ts'
import type { AlertEvent } from './events.ts'

type Why = Alert['why']
type Value = Why[string]

const amountOf = ({ sol_amount }: Why): string => `${sol(Number(sol_amount))} SOL`

const traderOf = (wallet: string | null): string => (wallet === null ? 'the wallet' : shortAddress(wallet))

/** What happened, behind the token's name. */
const WORDS: Readonly<Record<AlertEvent, (why: Why, wallet: string | null) => string>> = {
  launched: () => 'launched',
  graduated: () => 'graduated',
  dex_paid: () => 'paid for its DEX listing',
  drained: () => 'drained, most of the SOL in its market left within minutes',
  rugged: () => 'rugged, insiders took most of what others lost',
  creator_changed: () => 'changed its creator or who gets its fees',
  deployer_sold: (why) => `the deployer sold ${amountOf(why)}`,
  group_sold: (why) => `a coordinated group sold ${amountOf(why)}`,
  actor_arrived: ({ actor }) => `${actor} again`,
  colour_changed: ({ before, after }) => `${after}, was ${before}`,
  bought: (why, wallet) => `${traderOf(wallet)} bought for ${amountOf(why)}`,
  sold: (why, wallet) => `${traderOf(wallet)} sold for ${amountOf(why)}`,
  condition_met: () => 'meets the condition',
  summary: ({ more, minute_from }) =>
    `${counted(Number(more), 'more event')} in the minute from ${clock(Number(minute_from)).slice(0, 5)} UTC`,
}

/** A field of a condition or a trade, with its unit. */
function named(name: string, value: Value): string {
  if (typeof value === 'boolean') return `${name.replaceAll('_', ' ')} ${value ? 'yes' : 'no'}`
  if (typeof value !== 'number') return `${name} ${value ?? 'unknown'}`
  if (name === 'mcap') return `market cap ${usd(value)}`
  if (name === 'token_amount') return `${compact(value)} tokens`
  if (name === 'age_slots') return `age ${span(value)}`
  if (name.endsWith('_pct')) return `${name.slice(0, -'_pct'.length).replaceAll('_', ' ')} ${pct(value)}`
  return `${name} ${Number.isInteger(value) ? count(value) : value}`
}

/** What the title says already, and what only programs read. */
const IN_TITLE: ReadonlySet<string> = new Set([
  ...['sol_amount', 'slot', 'before', 'after', 'cause', 'actor', 'actor_id', 'more', 'minute_from'],
])

/** The event that named the actor on the token. */
const HOW: Readonly<Record<string, string>> = {
  deployed: 'launched this one',
  bought_early: 'bought early here',
  traded: 'traded here',
  group: 'is a group here',
}

const SAID: Readonly<Record<string, (value: Value) => string>> = {
  code: (value) => REASON_WORDS[value as VerdictCode],
  what: (value) => `change: ${String(value).replaceAll('_', ' ')}`,
  how: (value) => HOW[String(value)] ?? String(value),
  wallets: (value) => counted(Number(value), 'wallet'),
  tokens: (value) => `seen on ${counted(Number(value), 'token')}`,
  launched: (value) => counted(Number(value), 'launch', 'launches'),
  drained: (value) => `${value} drained`,
  rugged: (value) => `${value} rugged`,
  taken_sol: (value) => `${sol(Number(value))} SOL taken out`,
  reported: (value) => `${counted(Number(value), 'other')} reported`,
}

/** The title behind the name of token or watch, and the time of day with the numbers. A condition's own fields are shown by name. */
export function alertWords(
  event: AlertEvent,
  why: Why,
  wallet: string | null,
  time: number,
): Pick<Alert, 'title' | 'text'> {
  const isCondition = event === 'condition_met'
  const details = Object.entries(why).flatMap(([name, value]) => {
    if (isCondition) return [named(name, value)]
    if (IN_TITLE.has(name) || value === null || value === 0) return []
    return [SAID[name]?.(value) ?? named(name, value)]
  })
  return { title: WORDS[event](why, wallet), text: [`${clock(time)} UTC`, ...details].join(', ') }
}
