import { isoMicros } from '@ti/core/base/time.ts'
import type { Account } from '@ti/core/contract/account.ts'
import type { RefusalReason } from '@ti/core/contract/refusals.ts'
import type { Accounts, MadeKey } from '../../access/accounts/accounts.ts'
import type { Accepted, KeyWork } from '../../access/accounts/key-work.ts'
import type { SignedIn, SignIn } from '../../access/accounts/sign-in.ts'
import type { Subscriptions } from '../../access/accounts/subscriptions.ts'
import type { Keys } from '../../access/keys.ts'
import type { AccountRow } from '../../access/sql/schema.ts'
import type { WatchServices } from '../../alerts/watch-json.ts'
import type { Route } from '../router.ts'
import { accountJson, keyJson, WHAT_IS_HERE, workJson } from './account-json.ts'
import { type AddOperation, found, idOf, Refusal } from './account-request.ts'
import { createAccountTable } from './account-table.ts'
import type { DataRoutes } from './data.ts'
import { addDestinations, type DestinationServices } from './destinations.ts'
import { addWatches } from './watches.ts'

export interface AccountOptions
  extends Pick<
    DataRoutes,
    'keyUse' | 'windows' | 'clientAddress' | 'traffic' | 'logger' | 'newRequestId' | 'publicUrl'
  > {
  readonly accounts: Accounts
  readonly signIn: SignIn
  readonly work: KeyWork
  /** null if subscriptions are not for sale */
  readonly subscriptions: Pick<Subscriptions, 'offerTo'> | null
  /** pays for an account with play money and returns the transaction's signature; null or left out: not a sandbox */
  readonly play?: ((reference: string, lamports: bigint) => string) | null
  /** left out: there are no watches */
  readonly watches?: WatchServices
  /** left out: there are no destinations for alerts */
  readonly destinations?: DestinationServices
  /** refreshed after every change, so that the change takes effect at once */
  readonly keys: Pick<Keys, 'refresh' | 'check' | 'streamToken'>
  /** milliseconds */
  readonly now: () => number
}

type Refused = readonly [reason: RefusalReason, message: string]
const SIGN_IN_REFUSALS: Record<Exclude<SignedIn, { ok: true }>['reason'], Refused> = {
  unknown: ['challenge_unknown', 'the nonce is unknown or was used: ask for a new challenge'],
  expired: ['challenge_expired', 'the challenge has expired: ask for a new one'],
  signature: [
    'wrong_signature',
    'the signature is not the wallet’s over the challenge’s message: ask for a new challenge',
  ],
}
const WORK_REFUSALS: Record<Exclude<Accepted, { ok: true }>['reason'], Refused> = {
  missing: [
    'work_missing',
    'an account that has not paid needs proof of work for a key: get a task from POST /account/work and send its solution as `work`',
  ],
  unknown: ['work_unknown', 'work: not a task of this account: ask for another with POST /account/work'],
  expired: ['work_expired', 'work: the task has expired: ask for another with POST /account/work'],
  little: [
    'work_too_little',
    'work: this address has taken many keys meanwhile, so the next costs more: ask again with POST /account/work',
  ],
  wrong: ['work_wrong', 'work: not every part is solved: see `rule` in the answer of POST /account/work'],
}
const SIGNED_OUT = { signed_in: false } as const
const NO_KEY = 'this account has no such key'
const NO_PLAY = 'only a service with a sandbox takes play money'
const DAY_MS = 86_400_000

/** The account API. It speaks JSON and identifies the caller by a session cookie or an API key. */
export function createAccountRoutes(options: AccountOptions): readonly Route[] {
  const { on, table } = createAccountTable(options)
  on('account_routes', async () => WHAT_IS_HERE)
  addSessions(on, options)
  addKeys(on, options)
  if (options.watches !== undefined) addWatches(on, options.watches)
  if (options.destinations !== undefined) addDestinations(on, options.destinations)
  return table()
}

function addSessions(on: AddOperation, { accounts, signIn, subscriptions, play, keys }: AccountOptions): void {
  async function overview(account: AccountRow): Promise<Account> {
    const plan = accounts.planOf(account)
    return accountJson(account, plan, await accounts.keysOf(account.id), subscriptions?.offerTo(account) ?? null)
  }

  on('challenge', async ({ body }) => {
    const challenge = await signIn.challenge(body.wallet)
    if (challenge === null) throw new Refusal('not_a_wallet', 'wallet: not a wallet address (base58 of 32 bytes)')
    const { nonce, message, fields } = challenge
    return { nonce, message, fields, expires_at: fields.expirationTime }
  })
  on('session', async ({ request }) => {
    const account = await signIn.session(request.headers.cookie)
    return account === null ? SIGNED_OUT : overview(account)
  })
  on('sign_in', async ({ body, headers }) => {
    const signedIn = await signIn.signIn(body.nonce, body.signature)
    if (!signedIn.ok) throw new Refusal(...SIGN_IN_REFUSALS[signedIn.reason])
    headers.push('set-cookie', signedIn.setCookie)
    return overview(signedIn.account)
  })
  on('sign_out', async ({ request, headers }) => {
    headers.push('set-cookie', await signIn.signOut(request.headers.cookie))
    return SIGNED_OUT
  })
  on('account', async (_, { id }) => overview(found(await accounts.find(id), 'there is no such account')))
  on('stream_token', async ({ request }) => {
    const made = keys.streamToken(request.headers.authorization)
    if (made === null)
      throw new Refusal('key_refused', 'send an API key: a session of the page opens streams by itself')
    return { token: made.token, expires_at: isoMicros(made.untilMs / 1_000) }
  })
  on('play', async (_, account) => {
    const offer = subscriptions?.offerTo(account) ?? null
    if (play == null || offer === null) throw new Refusal('not_found', NO_PLAY)
    return { lamports: offer.lamports, signature: play(offer.reference, BigInt(offer.lamports)) }
  })
}

function addKeys(on: AddOperation, { accounts, work: works, keys, clientAddress, now }: AccountOptions): void {
  on('keys', async (_, { id }) => (await accounts.keysOf(id)).map(keyJson))
  on('key_work', async ({ request }, account) => workJson(await works.task(account, clientAddress(request))))
  on('make_key', async ({ request, body: { name, expires_in_days: days, work } }, account) => {
    const expiresAt = days === undefined ? null : new Date(now() + days * DAY_MS)
    const address = clientAddress(request)
    const solved = await works.accept(account, address, work)
    if (!solved.ok) throw new Refusal(...WORK_REFUSALS[solved.reason])
    const { used } = solved
    let made: MadeKey | null = null
    try {
      made = await accounts.createKey(account.id, { name, expiresAt, used })
    } finally {
      if (used !== null && made?.ok !== true) works.giveBack(address)
    }
    if (!made.ok) throw new Refusal(made.reason ?? 'invalid_request', made.message)
    await keys.refresh()
    return { key: made.key, ...keyJson(made.info) }
  })
  on('rename_key', async (asked, { id }) =>
    keyJson(found(await accounts.nameKey(id, idOf(asked), asked.body.name), NO_KEY)),
  )
  on('revoke_key', async (asked, { id }) => {
    const revoked = found(await accounts.revokeKey(id, idOf(asked)), NO_KEY)
    await keys.refresh()
    return keyJson(revoked)
  })
}
