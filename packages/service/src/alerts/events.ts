import { hash } from 'node:crypto'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import { baseUnits } from '@ti/core/base/decimal.ts'
import { NO_SIG, type Sig } from '@ti/core/base/ids.ts'
import { quoted } from '@ti/core/base/plain-text.ts'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '@ti/core/base/verdict-codes.ts'
import { FEE_CHANGE } from '@ti/core/model/events.ts'
import type { TokenEventRow, TradeRow } from '@ti/core/model/rows.ts'
import type { Token, Wallet } from '@ti/core/model/state.ts'
import { CHANGE_NAMES } from '@ti/core/query/launch.ts'
import { sol } from '@ti/core/query/round.ts'
import type { WatchRow } from '../access/sql/schema.ts'
import type { Alert } from './alert.ts'
import type { WatchIndex } from './watch-index.ts'
import { alertWords } from './words.ts'

/** Every event that an alert can report. */
export type AlertEvent =
  | 'launched'
  | 'graduated'
  | 'dex_paid'
  | 'drained'
  | 'rugged'
  | 'creator_changed'
  | 'deployer_sold'
  | 'group_sold'
  | 'actor_arrived'
  | 'colour_changed'
  | 'bought'
  | 'sold'
  | 'condition_met'
  | 'summary'

/** An alert without its number. */
export type Draft = Omit<Alert, 'seq' | 'place'>

/** An event that concerns one watch. */
export interface Happening {
  readonly watch: WatchRow
  readonly event: AlertEvent
  /** The key is the same for the same event on every node. */
  readonly key: string
  readonly token: Token | null
  readonly wallet: string | null
  /** A function if the numbers are costly to compute; it is called only for events that are reported. */
  readonly why: Alert['why'] | (() => Alert['why'])
  readonly signature: string | null
  readonly slot: number
  /** The block's time, in Unix seconds. */
  readonly time: number
}

export interface Records {
  token(id: number): Token
  wallet(id: number): Wallet
}

interface Scored extends Pick<Records, 'token'> {
  score(token: number): number | null
}

type VerdictRow = Extract<TokenEventRow, { kind: 'verdict' }>

/** Maps a trade to events for the watches of its token, its trader and its deployer. */
export function ofTrade(row: TradeRow, index: WatchIndex, { token, wallet }: Records): Happening[] {
  const found: Happening[] = []
  const { tokens, wallets, deployers } = index
  const own = tokens.get(row.token)
  const traders = wallets.get(row.wallet)
  const deployer = row.isBuy ? undefined : deployers.get(row.wallet)
  if (own === undefined && traders === undefined && deployer === undefined) return found
  const about = token(row.token)
  const base = {
    key: `trade ${row.slot} ${row.no}`,
    token: about,
    signature: row.sig === '' ? null : sigToBase58(row.sig),
    wallet: keyToBase58(wallet(row.wallet).address),
    slot: row.slot,
    time: row.time,
    why: { sol_amount: sol(row.lamports), mcap: row.mcap, token_amount: row.tokens / baseUnits(about.decimals) },
  }
  const isDeployer = row.wallet === about.deployer
  const add = (watches: typeof own, event: AlertEvent): void => {
    for (const { row: watch, fromTrade } of watches ?? []) {
      if (row.no >= fromTrade && row.lamports >= watch.min_lamports) found.push({ ...base, watch, event })
    }
  }
  if (!row.isBuy && isDeployer) add(own, 'deployer_sold')
  else if (!row.isBuy && row.group >= 0) add(own, 'group_sold')
  add(traders, row.isBuy ? 'bought' : 'sold')
  if (isDeployer) add(deployer, 'deployer_sold')
  return found
}

const TOKEN_EVENTS: Readonly<Record<string, AlertEvent>> = {
  created: 'launched',
  graduated: 'graduated',
  dex_paid: 'dex_paid',
  verdict: 'colour_changed',
}

/** Maps a token's event to events for the watches of the token and, unless it is a verdict, of its deployer. */
export function ofTokenEvent(row: TokenEventRow, index: WatchIndex, { token, score }: Scored): Happening[] {
  const event = TOKEN_EVENTS[row.kind]
  if (event === undefined) return []
  const own = index.tokens.get(row.token) ?? []
  const isVerdict = row.kind === 'verdict'
  if (own.length === 0 && (isVerdict || index.deployers.size === 0)) return []
  const about = token(row.token)
  const byDeployer = isVerdict ? undefined : index.deployers.get(about.deployer)
  const watches = new Map([...own, ...(byDeployer ?? [])].map((one) => [one.row.id, one]))
  const why = row.kind === 'graduated' ? { mcap: row.mcap } : isVerdict ? () => verdictWhy(row, score) : {}
  return [...watches.values()].flatMap(({ row: watch, fromEvent }) =>
    row.seq < fromEvent
      ? []
      : [
          {
            watch,
            event,
            key: `event ${row.slot} ${row.seq}`,
            token: about,
            wallet: null,
            signature: null,
            slot: row.slot,
            time: row.time,
            why,
          },
        ],
  )
}

/** The score needs all holders, so it is read only for alerts that are sent, as of the newest block. */
function verdictWhy({ token, from, colour, code, event }: VerdictRow, score: Scored['score']): Alert['why'] {
  return {
    before: COLOURS[from]!,
    after: COLOURS[colour]!,
    code: VERDICT_CODES[code]!,
    cause: VERDICT_EVENTS[event]!,
    score: score(token),
  }
}

/**
 * Derives the events of a token that traded from its record, up to `slot`. It derives them again with every trade of the token,
 * so the caller has to know which ones were reported.
 */
export function ofState(about: Token, slot: number, last: TradeRow, index: WatchIndex): Happening[] {
  const { mcap, drainedSlot, ruggedSlot } = about
  // The slot is part of the key: after others took a token over, it can be drained and rugged again.
  const past: readonly Past[] = [
    {
      event: 'drained',
      at: drainedSlot,
      key: `drained ${about.id} ${drainedSlot}`,
      sig: NO_SIG,
      why: { slot: drainedSlot, mcap },
    },
    {
      event: 'rugged',
      at: ruggedSlot,
      key: `rugged ${about.id} ${ruggedSlot}`,
      sig: NO_SIG,
      why: { slot: ruggedSlot, mcap },
    },
    ...feeChanges(about),
  ]
  const found: Happening[] = []
  for (const { event, at, key, sig, why } of past) {
    if (at < 0 || at > slot) continue
    for (const { row: watch, fromSlot } of [
      ...(index.tokens.get(about.id) ?? []),
      ...(index.deployers.get(about.deployer) ?? []),
    ]) {
      if (at < fromSlot) continue
      const signature = sig === NO_SIG ? null : sigToBase58(sig)
      found.push({ watch, event, key, token: about, wallet: null, signature, slot: at, time: last.time, why })
    }
  }
  return found
}

/** What a token's record tells of its past. */
interface Past extends Pick<Happening, 'event' | 'key'> {
  readonly at: number
  readonly sig: Sig
  readonly why: Alert['why']
}

/** Changes of the creator and of the fee owners. The first creator that is known is no change. */
function feeChanges({ id, launch: { changes } }: Token): Past[] {
  const first = changes.findIndex(({ how }) => how < FEE_CHANGE.shares_set)
  return changes.flatMap(({ how, key: creator, slot: at, sig }, i) =>
    i === first
      ? []
      : [
          {
            ...{ event: 'creator_changed', key: `creator ${id} ${at} ${how}`, at, sig },
            why: { what: CHANGE_NAMES.get(how)!, creator: creator && keyToBase58(creator), slot: at },
          },
        ],
  )
}

export const alertId = (watch: string, event: AlertEvent, key: string): string =>
  `alert_${hash('sha256', `${watch} ${event} ${key}`, 'base64url').slice(0, 22)}`

/** The longest name or symbol in an alert. */
const NAME_LENGTH = 40

/** The bases of the links: our page, and an explorer for transactions and addresses of the main network. */
export interface Places {
  /** Without a slash at its end. */
  readonly page: string
  /** The part of the address before a signature. Null means no explorer knows this chain. */
  readonly explorer: string | null
}

export function draftOf(happening: Happening, { page, explorer }: Places): Draft {
  const { watch, event, key, token, wallet, signature, slot, time } = happening
  const why = typeof happening.why === 'function' ? happening.why() : happening.why
  const mint = token === null ? null : keyToBase58(token.mint)
  const what = token === null ? watch.name : `${quoted(token.symbol, NAME_LENGTH)} (${quoted(token.name, NAME_LENGTH)})`
  const { title, text } = alertWords(event, why, wallet, time)
  const links = [
    ...(mint === null ? [] : [{ label: 'token', url: `${page}/token/${mint}` }]),
    ...(wallet === null ? [] : [{ label: 'wallet', url: `${page}/trader/${wallet}` }]),
    ...(event !== 'actor_arrived' ? [] : [{ label: 'actor', url: `${page}/actor/${why.actor_id}` }]),
    ...(signature === null || explorer === null ? [] : [{ label: 'transaction', url: explorer + signature }]),
  ]
  return {
    ...{
      account: watch.account_id,
      id: alertId(watch.id, event, key),
      watch: { id: watch.id, name: watch.name },
      event,
    },
    title: `${what}: ${title}`,
    text,
    why,
    mint,
    wallet,
    slot,
    at: Math.round(time * 1_000),
    links,
  }
}
