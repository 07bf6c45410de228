import { z } from 'zod'
import { FILTER_BOUNDS } from './filter.ts'
import { address, dateTime, slot, tally, text } from './scalars.ts'

/** Everything an account owns, as every face takes and shows it: its keys, watches, alerts and destinations. */

/** characters of the name of a watch, a destination or a key; of a URL; and of an id of ours */
export const NAME_LENGTH = 100
export const URL_LENGTH = 500
const ID_LENGTH = 32
/** days until a key expires at most */
export const KEY_DAYS = 3_650
/** SOL that a trade must have at most to be reported: lamports of it are whole numbers */
export const MIN_SOL_MAX = 1_000_000
/** watches that a destination lists: with a name and a URL they fit in a body of the account */
const WATCHES_LISTED = 40
/** characters of a nonce: ours are shorter */
const NONCE_LENGTH = 128
/** parts of a proof of work, and the largest number that solves one */
export const WORK_PARTS = 16
export const COUNTER_MAX = 0xffff_ffff

export const WATCH_KINDS = ['token', 'wallet', 'deployer', 'actor', 'condition'] as const
export type WatchKind = (typeof WATCH_KINDS)[number]
export const PLANS = ['pro', 'free'] as const
export const KEY_STATES = ['live', 'revoked', 'expired'] as const
export const DESTINATION_STATES = ['disabled', 'unlinked', 'unverified', 'working', 'failing'] as const
export const DESTINATION_KINDS = ['webhook', 'telegram', 'discord'] as const
export type DestinationKind = (typeof DESTINATION_KINDS)[number]

const Name = z.string().trim().min(1).max(NAME_LENGTH)
const id = () => text().describe('stable')
const WatchKindName = z.enum(WATCH_KINDS)
const DestinationKindName = z.enum(DESTINATION_KINDS)

// Callers ---------------------------------------------------------------------------------------------------------

/** control characters, lone surrogates, line separators, and marks that change the direction of text */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/** 1 to NAME_LENGTH characters that print on one line. */
export const isKeyName = (name: string): boolean =>
  name.trim() !== '' && name.length <= NAME_LENGTH && !UNPRINTABLE.test(name)
export const KEY_NAME_RULE = `a name has 1 to ${NAME_LENGTH} characters and no control characters`
const KeyName = z.string().refine(isKeyName, KEY_NAME_RULE)

export const NewKey = z.strictObject({
  name: KeyName,
  expires_in_days: z.int().min(1).max(KEY_DAYS).optional(),
  work: z
    .strictObject({
      nonce: z.string().max(NONCE_LENGTH),
      counters: z.array(z.int().min(0).max(COUNTER_MAX)).max(WORK_PARTS),
    })
    .optional()
    .describe('the solution of the task of `POST /account/work`'),
})
export const KeyChange = z.strictObject({ name: KeyName })
export const ChallengeAsked = z.strictObject({ wallet: z.string().max(44).describe('base58') })
export const SignedChallenge = z.strictObject({
  nonce: z.string().max(NONCE_LENGTH),
  signature: z.string().max(88).describe('of the challenge’s message, in base58 or base64'),
})

export const Key = z
  .object({
    id: id(),
    name: text(),
    state: z.enum(KEY_STATES),
    created_at: dateTime(),
    expires_at: dateTime().nullable(),
    revoked_at: dateTime().nullable(),
    calls: tally(),
    last_used_at: dateTime().nullable(),
  })
  .meta({ id: 'Key', description: 'A key as its owner sees it, without the key itself.' })
export type Key = z.infer<typeof Key>

export const MadeKey = z.object({ key: text().describe('shown only in this answer'), ...Key.shape })
export type MadeKey = z.infer<typeof MadeKey>

export const Challenge = z.object({
  nonce: text(),
  message: text().describe('the text to sign'),
  fields: z
    .object({
      domain: text(),
      address: address(),
      statement: text(),
      uri: text(),
      version: z.literal('1'),
      chainId: z.literal('mainnet'),
      nonce: text(),
      issuedAt: text(),
      expirationTime: text(),
    })
    .describe('the same, for wallets that compose the message themselves (Sign In With Solana)'),
  expires_at: text().describe('RFC 3339'),
})

export const Task = z
  .object({
    required: z.boolean().describe('false: the next key takes no work, and nothing else is in this answer'),
    nonce: text().optional(),
    parts: tally().optional(),
    bits: tally().optional(),
    expires_at: dateTime().optional(),
    rule: text().optional().describe('what solves it'),
  })
  .meta({ id: 'KeyWork', description: 'The proof of work before the next key of an account that has not paid.' })

export const Account = z
  .object({
    signed_in: z.literal(true),
    wallet: address().nullable().describe('null: an account of the operator'),
    plan: z.enum(PLANS),
    paid_until: dateTime().nullable(),
    balance_lamports: tally(),
    keys: z.array(Key),
    limits: z.object({ requests_per_minute: tally(), live_keys: tally() }),
    subscribe: z
      .object({
        pay_to: address(),
        lamports: tally(),
        days: tally(),
        reference: address().describe('names the account in the transfer'),
        url: text().describe('the same as a Solana Pay request'),
      })
      .nullable()
      .describe('null: subscriptions are not for sale'),
  })
  .meta({ id: 'Account' })
export type Account = z.infer<typeof Account>

export const SignedOut = z.object({ signed_in: z.literal(false) })
export type SignedOut = z.infer<typeof SignedOut>
export const Played = z.object({ lamports: tally(), signature: text() })
export const Deleted = z.object({ deleted: z.literal(true) }).meta({ id: 'Deleted' })

export const StreamToken = z
  .object({
    token: text().describe('`st_…`: opens streams wherever an API key does, and nothing else'),
    expires_at: dateTime().describe('until then it opens streams; one that is open goes on'),
  })
  .meta({ id: 'StreamToken' })

// Watches and alerts -----------------------------------------------------------------------------------------------

const minSol = () => z.number().min(0).max(MIN_SOL_MAX).optional().describe('leaves out smaller trades')
const target = () =>
  z
    .string()
    .max(FILTER_BOUNDS.length)
    .describe('an address; for an actor its id or number; for a condition a filter over new tokens')

export const NewWatch = z.strictObject({ kind: WatchKindName, target: target(), name: Name, min_sol: minSol() })
export type NewWatch = z.infer<typeof NewWatch>

/** A change of nothing is a mistake. */
const change = <Shape extends z.ZodRawShape>(shape: Shape, names: string) =>
  z.strictObject(shape).refine((to) => Object.keys(to).length > 0, `${names} is needed`)

export const WatchChange = change(
  {
    name: Name.optional(),
    paused: z.boolean().optional(),
    target: target().optional(),
    min_sol: minSol(),
  },
  'name, paused, target or min_sol',
)

export const Watch = z
  .object({
    id: id(),
    kind: WatchKindName,
    target: text(),
    name: text(),
    min_sol: z.number().min(0),
    paused: z.boolean(),
    state: z.enum(['starting', 'watching', 'paused']),
    created_at: dateTime(),
  })
  .meta({ id: 'Watch' })
export type Watch = z.infer<typeof Watch>

export const Alert = z
  .object({
    seq: tally().describe('grows from alert to alert of the account, with gaps, and is never given twice'),
    id: text().describe('the same for the same event of the same watch, on every node and in every delivery'),
    watch: z.object({ id: text(), name: text() }),
    event: text().describe('`bought`, `colour_changed`, `condition_met` and others; more may follow'),
    title: text().describe('one line of plain English; names that strangers chose are in quotation marks'),
    text: text().describe('a few lines'),
    why: z
      .record(text(), z.union([text(), z.number(), z.boolean(), z.null()]))
      .describe('the numbers behind title and text'),
    mint: address().nullable(),
    wallet: address().nullable(),
    slot: slot(),
    at: z.int().describe('time of the block, milliseconds since 1970'),
    links: z.array(z.object({ label: text(), url: text() })).readonly(),
  })
  .meta({ id: 'Alert' })
export type Alert = z.infer<typeof Alert>
/** Payload of an `alert` of the account's own topic. */
export const AlertEvent = z.object({ data: Alert }).meta({ id: 'AlertEvent' })

// Destinations --------------------------------------------------------------------------------------------------

const url = () => z.string().max(URL_LENGTH).describe('of a webhook, or of a webhook of Discord')
const watches = () =>
  z
    .array(z.string().max(ID_LENGTH))
    .min(1)
    .max(WATCHES_LISTED)
    .nullable()
    .optional()
    .describe('ids of the watches whose alerts go there; null or left out: all')

export const NewDestination = z.strictObject({
  kind: DestinationKindName,
  name: Name,
  url: url().optional(),
  watches: watches(),
})
export const DestinationChange = change(
  { name: Name.optional(), enabled: z.boolean().optional(), url: url().optional(), watches: watches() },
  'name, enabled, url or watches',
)

export const Destination = z
  .object({
    id: id(),
    kind: DestinationKindName,
    name: text(),
    enabled: z.boolean(),
    state: z.enum(DESTINATION_STATES),
    address: text().nullable().describe('without what is secret in it; null until a chat is linked'),
    watches: z.array(text()).nullable(),
    failing_since: dateTime().nullable(),
    delivered_at: dateTime().nullable(),
    notice: text().nullable().describe('why the service disabled it'),
    missed: tally().describe('alerts dropped before they fitted into the queue'),
    created_at: dateTime(),
  })
  .meta({ id: 'Destination' })
export type Destination = z.infer<typeof Destination>

export const Link = z
  .object({
    code: text(),
    expires_at: dateTime(),
    send: text().describe('the message to the bot'),
    bot: text().nullable(),
    url: text().nullable(),
  })
  .meta({ id: 'ChatLink', description: 'A code that links a Telegram chat.' })
export type Link = z.infer<typeof Link>

export const MadeDestination = z.object({
  ...Destination.shape,
  secret: text().optional().describe('of a webhook, `whsec_…`; shown only in this answer'),
  link: Link.optional().describe('of a Telegram chat'),
})
export type MadeDestination = z.infer<typeof MadeDestination>
export const Secret = z.object({
  secret: text().describe('shown only in this answer'),
  previous_until: dateTime().describe('until then the previous one signs too'),
})
export type Secret = z.infer<typeof Secret>

export const Delivery = z
  .object({
    number: tally(),
    id: text().describe('of the alert'),
    seq: tally(),
    event: text(),
    title: text(),
    state: z.enum(['waiting', 'delivered', 'failed']),
    attempts: tally(),
    status: z.int().nullable().describe('HTTP status of the newest attempt'),
    error: text().nullable(),
    attempted_at: dateTime().nullable(),
    next_at: dateTime().nullable(),
    created_at: dateTime(),
  })
  .meta({ id: 'Delivery' })
export type Delivery = z.infer<typeof Delivery>

// Webhook messages ------------------------------------------------------------------------------------------

const message = <const T extends string, Data extends z.ZodType>(name: string, type: z.ZodType<T>, data: Data) =>
  z.object({ type, timestamp: dateTime(), data }).meta({ id: name })

export const AlertMessage = message(
  'AlertMessage',
  text().describe('`alert.` and the event, or `alert.test`, `alert.destination_disabled`'),
  Alert,
)
export const ChallengeMessage = message(
  'ChallengeMessage',
  z.literal('alert.challenge'),
  z.object({ challenge: text().describe('the receiver repeats it') }),
)
