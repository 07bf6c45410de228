import { z } from 'zod'
import {
  Account,
  Alert,
  Challenge,
  ChallengeAsked,
  Deleted,
  Delivery,
  Destination,
  DestinationChange,
  Key,
  KeyChange,
  Link,
  MadeDestination,
  MadeKey,
  NewDestination,
  NewKey,
  NewWatch,
  Played,
  Secret,
  SignedChallenge,
  SignedOut,
  StreamToken,
  Task,
  Watch,
  WatchChange,
} from './account.ts'

/** The operations of an account, one row each: the single source of routes, their checks, documents and clients. */
export interface AccountEndpoint {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** callers allowed: anyone; the account that is signed in; or also a program with a key of the account */
  readonly access: 'anyone' | 'session' | 'key'
  readonly query?: z.ZodObject
  readonly body?: z.ZodObject
  /** `data` of a 200 */
  readonly answer: z.ZodType
  readonly summary: string
}

/** A whole number in a query. */
const whole = (what: string) =>
  z
    .preprocess((given) => (typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : given), z.int(what))
    .optional()

export const ACCOUNT_ENDPOINTS = {
  account_routes: {
    method: 'GET',
    path: '/account',
    access: 'anyone',
    answer: z.object({
      description: z.string(),
      routes: z.record(z.string(), z.string()),
      reasons: z.record(z.string(), z.string()).describe('values of `error.reason`'),
    }),
    summary: 'The routes below /account',
  },
  challenge: {
    method: 'POST',
    path: '/account/challenge',
    access: 'anyone',
    body: ChallengeAsked,
    answer: Challenge,
    summary: 'A message for a wallet to sign',
  },
  sign_in: {
    method: 'POST',
    path: '/account/session',
    access: 'anyone',
    body: SignedChallenge,
    answer: Account,
    summary: 'Signs in with the signed message; the session is a cookie',
  },
  session: {
    method: 'GET',
    path: '/account/session',
    access: 'anyone',
    answer: z.union([Account, SignedOut]),
    summary: 'Who is signed in, plan, balance, keys, limits, how to subscribe',
  },
  sign_out: {
    method: 'DELETE',
    path: '/account/session',
    access: 'anyone',
    answer: SignedOut,
    summary: 'Signs out',
  },
  keys: {
    method: 'GET',
    path: '/account/keys',
    access: 'session',
    answer: z.array(Key),
    summary: 'The keys of the account',
  },
  key_work: {
    method: 'POST',
    path: '/account/work',
    access: 'session',
    answer: Task,
    summary: 'The proof of work for the next key of an account that has not paid',
  },
  make_key: {
    method: 'POST',
    path: '/account/keys',
    access: 'session',
    body: NewKey,
    answer: MadeKey,
    summary: 'Makes a key, shown only in this answer',
  },
  rename_key: {
    method: 'PATCH',
    path: '/account/keys/{id}',
    access: 'session',
    body: KeyChange,
    answer: Key,
    summary: 'Renames a key',
  },
  revoke_key: {
    method: 'DELETE',
    path: '/account/keys/{id}',
    access: 'session',
    answer: Key,
    summary: 'Revokes a key',
  },
  play: {
    method: 'POST',
    path: '/account/play',
    access: 'session',
    answer: Played,
    summary: 'In a sandbox: the faucet of its chain pays for one period with play money',
  },
  account: {
    method: 'GET',
    path: '/account/overview',
    access: 'key',
    answer: Account,
    summary: 'Plan, balance, keys, limits, how to subscribe',
  },
  stream_token: {
    method: 'POST',
    path: '/account/stream-token',
    access: 'key',
    answer: StreamToken,
    summary: 'A token that opens streams for a minute, for a browser in place of the key',
  },
  watches: {
    method: 'GET',
    path: '/account/watches',
    access: 'key',
    answer: z.array(Watch),
    summary: 'The watches of the account',
  },
  add_watch: {
    method: 'POST',
    path: '/account/watches',
    access: 'key',
    body: NewWatch,
    answer: Watch,
    summary: 'Watches an address, an actor, or new tokens by a filter',
  },
  change_watch: {
    method: 'PATCH',
    path: '/account/watches/{id}',
    access: 'key',
    body: WatchChange,
    answer: Watch,
    summary: 'Renames, pauses or resumes a watch, or changes its least amount or the filter of a condition',
  },
  remove_watch: {
    method: 'DELETE',
    path: '/account/watches/{id}',
    access: 'key',
    answer: Deleted,
    summary: 'Ends a watch',
  },
  alerts: {
    method: 'GET',
    path: '/account/alerts',
    access: 'key',
    query: z.object({
      after_seq: whole('must be a whole number').describe('those after it, in order'),
      before_seq: whole('must be a whole number').describe('those before it, newest first'),
    }),
    answer: z.array(Alert),
    summary: 'The newest alerts',
  },
  destinations: {
    method: 'GET',
    path: '/account/destinations',
    access: 'key',
    answer: z.array(Destination),
    summary: 'Where alerts go',
  },
  add_destination: {
    method: 'POST',
    path: '/account/destinations',
    access: 'key',
    body: NewDestination,
    answer: MadeDestination,
    summary: 'Sends alerts there; the secret or code is shown only in this answer',
  },
  change_destination: {
    method: 'PATCH',
    path: '/account/destinations/{id}',
    access: 'key',
    body: DestinationChange,
    answer: Destination,
    summary: 'Renames, enables or disables a destination, or changes its URL or watches',
  },
  remove_destination: {
    method: 'DELETE',
    path: '/account/destinations/{id}',
    access: 'key',
    answer: Deleted,
    summary: 'Ends a destination',
  },
  test_destination: {
    method: 'POST',
    path: '/account/destinations/{id}/test',
    access: 'key',
    answer: Delivery,
    summary: 'Sends a test message, or the challenge again',
  },
  rotate_secret: {
    method: 'POST',
    path: '/account/destinations/{id}/secret',
    access: 'key',
    answer: Secret,
    summary: 'A new secret for a webhook; the previous one also signs for 24 hours',
  },
  link_chat: {
    method: 'POST',
    path: '/account/destinations/{id}/link',
    access: 'key',
    answer: Link,
    summary: 'A new code that links a Telegram chat',
  },
  deliveries: {
    method: 'GET',
    path: '/account/destinations/{id}/deliveries',
    access: 'key',
    query: z.object({ before: whole('must be the number of a delivery').describe('those before it') }),
    answer: z.array(Delivery),
    summary: 'Its deliveries and their outcomes, newest first',
  },
  replay_delivery: {
    method: 'POST',
    path: '/account/destinations/{id}/deliveries/{number}/replay',
    access: 'key',
    answer: Delivery,
    summary: 'Sends a finished delivery again',
  },
} as const satisfies Readonly<Record<string, AccountEndpoint>>

export type AccountOperation = keyof typeof ACCOUNT_ENDPOINTS
export const ACCOUNT_ROWS = Object.entries(ACCOUNT_ENDPOINTS) as readonly (readonly [
  AccountOperation,
  AccountEndpoint,
])[]

/** What an operation takes and does, in a line: `{name, work?}: Makes a key`. */
export function described({ body, query, summary }: AccountEndpoint): string {
  const shape: Readonly<Record<string, { isOptional(): boolean }>> = { ...body?.shape, ...query?.shape }
  const names = Object.entries(shape).map(([name, field]) => (field.isOptional() ? `${name}?` : name))
  return names.length === 0 ? summary : `{${names.join(', ')}}: ${summary}`
}
