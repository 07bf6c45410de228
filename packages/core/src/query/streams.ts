import { keyToBase58, sigToBase58 } from '../base/base58.ts'
import type { Key } from '../base/ids.ts'
import { isoMicrosOrNull } from '../base/time.ts'
import { COLOURS, VERDICT_CODES, VERDICT_EVENTS } from '../base/verdict-codes.ts'
import type { Frame, TokenEvent, Topic } from '../contract/streams.ts'
import type { Engine } from '../engine/engine.ts'
import { numberFrames } from '../engine/frames.ts'
import type { BundleBook } from '../model/bundles.ts'
import { launchpadName } from '../model/events.ts'
import type { TokenEventRow, TradeRow } from '../model/rows.ts'
import type { Token, Wallet } from '../model/state.ts'
import { QUERY_BOUNDS, type QueryBounds } from './bounds.ts'
import { type BundleName, groupName } from './bundle-name.ts'
import { duplication } from './duplication.ts'
import { sol } from './round.ts'
import { tokenFacts, tokenLinks } from './token-facts.ts'
import { renderTrade } from './trade.ts'
import type { HistoryReader } from './view.ts'

export interface StreamMessage {
  readonly seq: number
  /** JSON text of an object. */
  readonly payload: string
  /** Unix seconds of its block, or of the fact's observation; 0 if unknown. */
  readonly time: number
  /** The token's launchpad, for filters; absent if unknown. */
  readonly launchpad?: string | null
}

/** A topic as stored, with the same messages for live and resuming clients. */
export interface Stream {
  /** Sequence number of the newest message, 0 before the first. */
  newest(): number
  /** Sequence number of the oldest message that a client can resume from. */
  oldest(): number
  /** At most `limit` messages after `after`, in order and without gaps. A promise where another thread has them. */
  read(after: number, limit: number): readonly StreamMessage[] | Promise<readonly StreamMessage[]>
  /** Called when the first reader follows, from `after` on, and with null when the last one leaves. */
  follow?(after: number | null): void
}

/** A topic of the state in this thread. */
export interface OwnStream extends Stream {
  read(after: number, limit: number): StreamMessage[]
}

export type Streams = Readonly<Record<Topic, Stream>>
export type OwnStreams = Readonly<Record<Topic, OwnStream>>

/** Further reads of the store that streams need. */
interface StreamReader extends HistoryReader {
  trades(fromNo: number): Iterable<TradeRow>
  tokenEvents(fromSeq: number): Iterable<TokenEventRow>
  frameMark(seq: number): readonly [seq: number, no: number] | undefined
  /** The sequence number of the token event of a change of verdict. */
  verdictEvent(no: number): number | undefined
}

interface StreamsOptions {
  readonly engine: Pick<Engine, 'globals' | 'tokens' | 'wallet' | 'wallets'>
  readonly store: StreamReader
  readonly bounds?: Pick<QueryBounds, 'resumeMessages'>
  /** false once memory is ahead of what is durable; left out: it never is */
  readonly isWhole?: () => boolean
}

/** Only what is committed is read, so a message that leaves is durable. */
export function createStreams({
  engine,
  store,
  bounds = QUERY_BOUNDS,
  isWhole = () => true,
}: StreamsOptions): OwnStreams {
  const { globals } = engine
  const stream = (newest: () => number, read: OwnStream['read']): OwnStream => ({
    newest,
    oldest: () => Math.max(1, newest() - bounds.resumeMessages + 1),
    read(after, limit) {
      if (!isWhole()) throw new Error('a commit has failed: nothing is read until the state is opened again')
      return read(after, limit)
    },
  })
  return {
    'tokens:live': stream(() => globals.tokenEvents, readTokenEvents(engine, store)),
    'frames:live': stream(() => globals.frames, readFrames(engine, store)),
    'verdicts:live': stream(() => globals.verdicts, readVerdicts(engine, store)),
  }
}

function readTokenEvents({ tokens }: StreamsOptions['engine'], store: StreamReader): OwnStream['read'] {
  return (after, limit) => {
    const messages: StreamMessage[] = []
    if (limit <= 0) return messages
    for (const row of store.tokenEvents(after + 1)) {
      messages.push(messageOf(tokens, store, row, row.seq))
      if (messages.length >= limit) break
    }
    return messages
  }
}

function readVerdicts({ tokens }: StreamsOptions['engine'], store: StreamReader): OwnStream['read'] {
  return (after, limit) => {
    const messages: StreamMessage[] = []
    for (let no = after + 1; no <= after + limit; no++) {
      const seq = store.verdictEvent(no)
      if (seq === undefined) break
      for (const row of store.tokenEvents(seq)) {
        messages.push(messageOf(tokens, store, row, no))
        break
      }
    }
    return messages
  }
}

/** `seq`: of the topic. */
function messageOf(tokens: Engine['tokens'], store: StreamReader, row: TokenEventRow, seq: number): StreamMessage {
  const token = tokens.peekId(row.token)?.token ?? store.token(row.token)!
  const payload = JSON.stringify(renderTokenEvent(token, { ...row, seq }, (wallet) => store.wallet(wallet)!.address))
  return { seq, payload, time: row.time, launchpad: launchpadName(token.launchpad) }
}

function renderTokenEvent(token: Token, row: TokenEventRow, addressOf: (wallet: number) => Key): TokenEvent {
  const { mint, deployed_at, launchpad } = tokenFacts(token)
  const base = { mint, symbol: token.symbol, name: token.name, slot: row.slot, seq: row.seq }
  switch (row.kind) {
    case 'created':
      return { type: 'token_created', data: { ...base, image_uri: row.image, deployed_at, launchpad } }
    case 'metadata': {
      const links = tokenLinks({ metadata: row.metadata })
      return { type: 'token_metadata_retrieved', data: { ...base, image_uri: row.metadata.image, ...links } }
    }
    case 'duplication':
      return { type: 'token_duplication_status_updated', data: { ...base, duplication: duplication(row.dup) } }
    case 'graduated': {
      const migrated_at = isoMicrosOrNull(token.migratedTime)
      return { type: 'token_graduated', data: { ...base, image_uri: row.image, mcap: row.mcap, migrated_at } }
    }
    case 'dex_paid': {
      const dex_paid_at = isoMicrosOrNull(token.dexPaidTime)
      return { type: 'token_dex_paid', data: { ...base, image_uri: row.image, dex_paid_at } }
    }
    case 'liquidity_pulled': {
      const by = row.wallet < 0 ? null : keyToBase58(addressOf(row.wallet))
      const signature = sigToBase58(row.sig)
      return { type: 'token_liquidity_pulled', data: { ...base, by, sol: sol(row.lamports), signature } }
    }
    case 'verdict':
      return {
        type: 'verdict_changed',
        data: {
          ...base,
          before: COLOURS[row.from]!,
          colour: COLOURS[row.colour]!,
          code: VERDICT_CODES[row.code]!,
          event: VERDICT_EVENTS[row.event]!,
        },
      }
  }
}

interface OpenFrame {
  readonly seq: number
  readonly rows: TradeRow[]
}

/** The cursor for the next read without a search: the row after the last whole transaction read. */
interface Place {
  readonly after: number
  readonly no: number
}

function readFrames(engine: StreamsOptions['engine'], store: StreamReader): OwnStream['read'] {
  let place: Place = { after: -1, no: -1 }

  const placeOf = (after: number): Place | undefined => {
    if (place.after === after) return place
    const mark = store.frameMark(after + 1)
    return mark === undefined ? undefined : { after: mark[0] - 1, no: mark[1] }
  }

  return (after, limit) => {
    const start = placeOf(after)
    if (start === undefined || limit <= 0) return []
    const { frames, next } = collectFrames(store.trades(start.no), start, after, limit)
    if (next !== null) place = next
    const render = frameRenderer(engine, store)
    return frames.map(render)
  }
}

/** Frames (after, after + limit] of rows that start with a block or a transaction. */
function collectFrames(rows: Iterable<TradeRow>, start: Place, after: number, limit: number) {
  const frames: OpenFrame[] = []
  let base = start.after + 1
  let numbers = numberFrames()
  let last: TradeRow | null = null
  let newest = start.after
  for (const row of rows) {
    const isNext = last === null || row.sig === '' || row.sig !== last.sig || row.slot !== last.slot
    if (isNext && newest >= after + limit) break
    if (last !== null && row.slot !== last.slot) {
      base += numbers.count
      numbers = numberFrames()
    }
    const seq = base + numbers.of(row)
    last = row
    if (seq > newest) newest = seq
    if (seq <= after || seq > after + limit) continue
    const frame = frames[seq - after - 1]
    if (frame === undefined) frames.push({ seq, rows: [row] })
    else frame.rows.push(row)
  }
  const whole = last !== null && newest <= after + limit
  return { frames, next: whole ? { after: newest, no: last!.no + 1 } : null }
}

/** Renders frames. Tokens and wallets in memory are used from there, so followers read no records. */
function frameRenderer({ tokens, wallet }: StreamsOptions['engine'], store: StreamReader) {
  const names = new Map<string, BundleName>()
  const storedWallet = (id: number): Wallet => store.wallet(id)!

  function nameOf(token: Token, bundles: () => BundleBook, wallets: (id: number) => Wallet, no: number) {
    if (no < 0) return null
    const key = `${token.id}/${no}`
    const known = names.get(key)
    if (known !== undefined) return known
    const name = groupName(token, bundles().groups[no]!, wallets)
    names.set(key, name)
    return name
  }

  return ({ seq, rows }: OpenFrame): StreamMessage => {
    const { token: id, sig, slot, time } = rows[0]!
    const live = tokens.peekId(id)
    const token = live?.token ?? store.token(id)!
    const wallets = live === undefined ? storedWallet : wallet
    const bundles = (): BundleBook => live?.bundles ?? store.bundles(id)!
    const mint = keyToBase58(token.mint)
    const trades = rows.map((row) =>
      renderTrade(token, mint, wallets(row.wallet), row, nameOf(token, bundles, wallets, row.group)),
    )
    const frame: Frame = {
      data: { signature: sigToBase58(sig), mint, slot, timestamp: isoMicrosOrNull(time), seq, trades },
    }
    return { seq, payload: JSON.stringify(frame), time, launchpad: launchpadName(token.launchpad) }
  }
}
