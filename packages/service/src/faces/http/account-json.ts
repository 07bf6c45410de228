import { isoMicros } from '@ti/core/base/time.ts'
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

export const keyJson = ({ id, name, state, createdAt, expiresAt, revokedAt, calls, lastUsedAt }: KeyInfo) => ({
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
) => ({
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

export const WHAT_IS_HERE = {
  description: 'Sign in with a Solana wallet, make API keys, subscribe. All bodies are JSON; a session is a cookie.',
  routes: {
    'POST /account/challenge': '{wallet}: a message to sign',
    'POST /account/session': '{nonce, signature}: signs in; the signature in base58 or base64',
    'GET /account/session': 'who is signed in, plan, balance, keys, limits, how to subscribe',
    'DELETE /account/session': 'signs out',
    'GET /account/keys': 'your keys',
    'POST /account/work': 'the proof of work for the next key of an account that has not paid',
    'POST /account/keys': '{name, expires_in_days?, work?}: makes a key, shown only in this answer',
    'POST /account/play': 'in a sandbox: the faucet of its chain pays for one period with play money',
    'PATCH /account/keys/{id}': '{name}: renames a key',
    'DELETE /account/keys/{id}': 'revokes a key',
    'GET /account/watches': 'your watches; these and the alerts also with `Authorization: Bearer` and an API key',
    'POST /account/watches':
      '{kind: token | wallet | deployer | actor | condition, target, name, min_sol?}: watches an address, an actor, or new tokens by a filter',
    'PATCH /account/watches/{id}':
      '{name?, paused?, min_sol?, target?}: renames, pauses or resumes a watch, or changes its least amount or the filter of a condition',
    'DELETE /account/watches/{id}': 'ends a watch',
    'GET /account/destinations': 'where your alerts go',
    'POST /account/destinations':
      '{kind: webhook | discord | telegram, name, url?, watches?}: sends alerts there; the secret or code is shown only in this answer',
    'PATCH /account/destinations/{id}': '{name?, enabled?, url?, watches?}',
    'DELETE /account/destinations/{id}': 'ends a destination',
    'POST /account/destinations/{id}/test': 'sends a test message',
    'POST /account/destinations/{id}/secret': 'a new secret for a webhook; the previous one also signs for 24 hours',
    'POST /account/destinations/{id}/link': 'a new code that links a Telegram chat',
    'GET /account/destinations/{id}/deliveries':
      'its deliveries and their outcomes, newest first; with before=NUMBER older ones',
    'POST /account/destinations/{id}/deliveries/{number}/replay': 'sends a finished delivery again',
    'GET /account/alerts':
      'the newest alerts; with before_seq=N those before N; with after_seq=N those after N, in order',
  },
  /** values of `error.reason` */
  reasons: Object.fromEntries(REASONS),
} as const
