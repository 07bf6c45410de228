import { z } from 'zod'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '../base/verdict-codes.ts'
import { type Filter, parseFilter, STREAM_FIELDS } from './filter.ts'
import { PARAMETERS } from './parameters.ts'
import { address, dateTime, slot, text, usd } from './scalars.ts'
import { Duplication } from './token.ts'
import { Trade } from './trader.ts'

/** The topics of the socket, each with its only event name: the two of the specification, and the verdicts. */
export const STREAM_EVENTS = {
  'tokens:live': 'token_event',
  'frames:live': 'frame',
  'verdicts:live': 'verdict_changed',
} as const
export type Topic = keyof typeof STREAM_EVENTS
export const TOPICS = Object.keys(STREAM_EVENTS) as readonly Topic[]
export const perTopic = <T>(make: (topic: Topic) => T): Record<Topic, T> =>
  Object.fromEntries(TOPICS.map((topic) => [topic, make(topic)])) as Record<Topic, T>

/** The topic of the caller's own account, with its own messages and sequence numbers, and its event. */
export const OWN_TOPIC = 'alerts:mine'
/** The events of one token: those messages of its source that are about it, with their numbers. */
export type TokenTopic = `token:${string}`
export const TOKEN_SOURCE = 'tokens:live'
export type PublicTopic = Topic | TokenTopic
export type AnyTopic = PublicTopic | typeof OWN_TOPIC
const FIXED_TOPICS: ReadonlySet<string> = new Set([...TOPICS, OWN_TOPIC])
export const TOPIC_NAMES = [...FIXED_TOPICS, 'token:MINT'].join(', ')

const mintIn = (topic: string): string | null => (topic.startsWith('token:') ? topic.slice('token:'.length) : null)

/** The topic of a name; null: there is none. */
export function topicNamed(name: string): AnyTopic | null {
  if (FIXED_TOPICS.has(name)) return name as AnyTopic
  const mint = mintIn(name)
  return mint !== null && PARAMETERS.mint.parse(mint).ok ? (name as TokenTopic) : null
}

/** The topic whose messages, numbers and fields a topic has. */
export const sourceOf = (topic: PublicTopic): Topic => (FIXED_TOPICS.has(topic) ? (topic as Topic) : TOKEN_SOURCE)

export const eventOf = (topic: AnyTopic): string => (topic === OWN_TOPIC ? 'alert' : STREAM_EVENTS[sourceOf(topic)])

/** Reads the filter of a topic's messages; a text is why it cannot be used, and null: all of them are wanted. */
export function readFilter(topic: AnyTopic, text: string | null): Filter | string | null {
  if (topic === OWN_TOPIC) return text === null ? null : `bad filter: ${OWN_TOPIC} has none`
  const fields = STREAM_FIELDS[sourceOf(topic)]
  const asked = text === null ? null : parseFilter(text, fields)
  if (asked?.ok === false) return `bad filter: ${asked.message}`
  const mint = mintIn(topic)
  if (mint === null) return asked?.filter ?? null
  const of = parseFilter(`mint == "${mint}"${text === null ? '' : ` and (${text})`}`, fields)
  return of.ok ? of.filter : `bad filter: ${of.message}`
}

const seq = () => z.int().min(1).describe('place in the topic, counted from 1 without a gap')

const token = {
  mint: address().describe('token mint address, base58'),
  symbol: text(),
  name: text(),
  slot: slot().describe('chain slot'),
  seq: seq(),
}
const image = { image_uri: text().nullable().describe('image URL') }

const event = <const T extends string, Data extends z.ZodRawShape>(type: T, data: Data) =>
  z
    .object({ type: z.literal(type), data: z.object({ ...token, ...data }) })
    .meta({ id: type.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()) })

/** Payload of a `verdict_changed`: of the topic of verdicts, and among the events of tokens. */
export const VerdictChanged = event('verdict_changed', {
  before: z.enum(COLOURS).describe('colour before'),
  colour: z.enum(COLOURS),
  code: z.enum(VERDICT_CODES).describe('the main reason of the verdict'),
  event: z.enum(VERDICT_EVENTS).describe('cause of the change'),
})
export type VerdictChanged = z.infer<typeof VerdictChanged>

/** Payload of a `token_event`, with values as of its moment. */
export const TokenEvent = z
  .discriminatedUnion('type', [
    event('token_created', {
      ...image,
      deployed_at: dateTime().nullable().describe('launch time'),
      launchpad: text().nullable(),
    }),
    event('token_metadata_retrieved', {
      ...image,
      description: text().nullable(),
      twitter: text().nullable(),
      telegram: text().nullable(),
      website: text().nullable(),
    }),
    event('token_duplication_status_updated', { duplication: Duplication }),
    event('token_graduated', {
      ...image,
      mcap: usd().describe('market cap at the graduation, USD'),
      migrated_at: dateTime().nullable(),
    }),
    event('token_dex_paid', { ...image, dex_paid_at: dateTime().nullable() }),
    event('token_liquidity_pulled', {
      by: address().nullable().describe('wallet that withdrew it; null for an account of a program'),
      sol: z.number().min(0).describe('taken out with it; 0 where the quote has no price'),
      signature: text().describe('transaction signature, base58'),
    }),
    VerdictChanged,
  ])
  .meta({ id: 'TokenEvent' })
export type TokenEvent = z.infer<typeof TokenEvent>

/** Payload of a `frame`: the trades of one transaction with one token, in chain order. */
export const Frame = z
  .object({
    data: z.object({
      signature: text().describe('transaction signature, base58; empty if the source has none'),
      mint: address().describe('token mint address, base58'),
      slot: slot(),
      timestamp: dateTime().nullable(),
      seq: seq(),
      trades: z.array(Trade).min(1),
    }),
  })
  .meta({ id: 'Frame' })
export type Frame = z.infer<typeof Frame>

/** The request of a client of server-sent events. */
export interface EventsAsked {
  readonly topic: AnyTopic
  /** Sequence number of the last message it has; null for live messages only. */
  readonly after: number | null
  /** Null for all messages. */
  readonly filter: Filter | null
}
