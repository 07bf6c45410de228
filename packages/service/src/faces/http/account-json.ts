import { isoMicros } from '@ti/core/base/time.ts'
import type { Account, Key } from '@ti/core/contract/account.ts'
import { ACCOUNT_ROWS, described } from '@ti/core/contract/account-endpoints.ts'
import { REFUSALS } from '@ti/core/contract/refusals.ts'
import { KEY_COUNTS } from '../../access/accounts/accounts.ts'
import type { KeyInfo } from '../../access/accounts/key-info.ts'
import type { Task } from '../../access/accounts/key-work.ts'
import type { SubscriptionOffer } from '../../access/accounts/subscription.ts'
import type { Plan } from '../../access/keys.ts'
import { RATES } from '../../access/rate-limits/windows.ts'
import type { AccountRow } from '../../access/sql/schema.ts'

const time = (date: Date): string => isoMicros(date.getTime() / 1000)
const timeOrNull = (date: Date | null): string | null => (date === null ? null : time(date))

export const keyJson = ({ id, name, state, createdAt, expiresAt, revokedAt, calls, lastUsedAt }: KeyInfo): Key => ({
  id,
  name,
  state,
  created_at: time(createdAt),
  expires_at: timeOrNull(expiresAt),
  revoked_at: timeOrNull(revokedAt),
  calls,
  last_used_at: timeOrNull(lastUsedAt),
})

/** The account as its owner sees it; `subscribe` is null if subscriptions are not for sale. */
export const accountJson = (
  { wallet, paid_until, balance_lamports }: AccountRow,
  plan: Plan,
  keys: readonly KeyInfo[],
  subscribe: SubscriptionOffer | null,
): Account => ({
  signed_in: true,
  wallet,
  plan,
  paid_until: timeOrNull(paid_until),
  balance_lamports,
  keys: keys.map(keyJson),
  limits: {
    requests_per_minute: plan === 'pro' ? RATES.pro : RATES.free,
    live_keys: KEY_COUNTS.perAccount,
  },
  subscribe,
})

const WORK_RULE =
  'for each part from 0 to parts - 1, a 32-bit integer such that the SHA-256 of the text `nonce.part.number` starts with `bits` zero bits; send {nonce, counters: [number of each part]} as `work` with POST /account/keys'

/** The proof of work that a new key requires; null: none. */
export const workJson = (task: Task | null) =>
  task === null
    ? { required: false }
    : {
        required: true,
        nonce: task.nonce,
        parts: task.parts,
        bits: task.bits,
        expires_at: time(new Date(task.expiresMs)),
        rule: WORK_RULE,
      }

const REASONS = Object.entries(REFUSALS).map(([reason, { status, means }]) => [reason, `${status}: ${means}`] as const)

const WHO = { anyone: '', session: '', key: '; also with an API key' }

export const WHAT_IS_HERE = {
  description:
    'Sign in with a Solana wallet, make API keys, subscribe. All bodies are JSON; a session is a cookie. /openapi.json says more.',
  routes: Object.fromEntries(
    ACCOUNT_ROWS.map(([, endpoint]) => [
      `${endpoint.method} ${endpoint.path}`,
      `${described(endpoint)}${WHO[endpoint.access]}`,
    ]),
  ),
  reasons: Object.fromEntries(REASONS),
}
