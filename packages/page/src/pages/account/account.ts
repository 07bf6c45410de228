import type { Account as AnyAccount, Key, SignedOut } from '@ti/core/contract/account.ts'

export type { Key, MadeKey as NewKey } from '@ti/core/contract/account.ts'

/** Who signs in has a wallet. */
export type Account = AnyAccount & { readonly wallet: string }
export type Offer = NonNullable<Account['subscribe']>
export type AccountAnswer = SignedOut | Account

const LAMPORTS_PER_SOL = 1_000_000_000

/** Formats lamports exactly, without trailing zeros: `0.25`. */
export function solText(lamports: number): string {
  const whole = Math.floor(lamports / LAMPORTS_PER_SOL)
  const rest = String(lamports % LAMPORTS_PER_SOL)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return rest === '' ? String(whole) : `${whole}.${rest}`
}

export const curlLine = (publicUrl: string, key: string): string =>
  `curl -s -H "Authorization: Bearer ${key}" ${publicUrl}/v1/tokens/new`

/** Limits and prices as the service configures them; a test compares them. */
export const GIVEN = {
  keys: 5,
  /** calls a minute for each key */
  freeCalls: 5,
  proCalls: 600,
  /** seconds of streams an hour without Pro */
  trialS: 1_200,
  watches: { free: 10, pro: 1_000 },
  destinations: { free: 2, pro: 10 },
  pro: { sol: 1, days: 30 },
  /** USD for one call with x402 */
  callUsd: 0.01,
  snapshotUsd: 0.02,
} as const

/** Lifetimes of keys in days; null: until revoked. */
export const LIFETIMES: readonly { readonly days: number | null; readonly label: string }[] = [
  { days: null, label: 'until revoked' },
  { days: 7, label: '7 days' },
  { days: 30, label: '30 days' },
  { days: 90, label: '90 days' },
  { days: 365, label: 'a year' },
]

/** The service accepts no longer name of a key, watch or destination. */
export const NAME_MAX = 100

/** Live keys first, then the others, newest first. */
export function inOrder(keys: readonly Key[]): readonly Key[] {
  const rank = ({ state }: Key): number => (state === 'live' ? 0 : 1)
  const newer = (a: Key, b: Key): number => (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : 0)
  return [...keys].sort((a, b) => rank(a) - rank(b) || newer(a, b))
}

const DAY_MS = 86_400_000

/** Time until a moment, rounded down (`12 days`, `5 hours`); null if it has passed. */
export function timeLeft(until: string, nowMs: number): string | null {
  const ms = Date.parse(until) - nowMs
  if (!(ms > 0)) return null
  const [count, unit] =
    ms >= 2 * DAY_MS
      ? [Math.floor(ms / DAY_MS), 'day']
      : ms >= 2 * 3_600_000
        ? [Math.floor(ms / 3_600_000), 'hour']
        : [Math.max(1, Math.floor(ms / 60_000)), 'minute']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const

/** `14 Nov 2026`, in UTC */
export function dayText(at: string): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? at : date.toLocaleDateString('en-GB', DAY)
}

/** `14 Nov 2026, 13:05 UTC`, equal for every reader */
export function dateText(at: string): string {
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return at
  return `${dayText(at)}, ${date.toISOString().slice(11, 16)} UTC`
}
