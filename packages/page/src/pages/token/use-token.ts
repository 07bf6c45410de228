import type { AppExplain, AppLine, AppPast } from '@ti/core/contract/app.ts'
import type { TokenSnapshot, Trade } from '@ti/core/contract/resources.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type Resource, useResource } from '../../api/resource.ts'
import { type Anchor, type LinePoint, withTrades } from '../../charts/line-data.ts'
import { type Link, useFrames } from '../../live/streams.ts'
import { tokenPaths } from './first.ts'
import { withAnswer, withLater } from './trade-list.ts'
import type { SlotReading } from './words.ts'

/** milliseconds; refreshes what changes with time alone */
const IDLE_MS = 20_000
/** shortest interval after trades of this token */
const ACTIVE_MS = 4_000
/** longer, because the answer is larger */
const WHO_MS = 8_000
const LINE_MS = 60_000
/** with and without the stream */
const TRADES_LIVE_MS = 90_000
const TRADES_ASKED_MS = 10_000
/** frames within this time are applied together */
const BATCH_MS = 250
/** most frames in a batch */
const BATCH_MAX = 500

export interface TokenData {
  readonly snapshot: Resource<TokenSnapshot>
  readonly explain: Resource<AppExplain>
  readonly who: Resource<Who>
  readonly line: Resource<AppLine>
  /** its points, with trades from the stream */
  readonly points: readonly LinePoint[]
  /** moments known by slot and time, ascending */
  readonly anchors: readonly Anchor[]
  /** slot that the page shows; null: now */
  readonly at: number | null
  /** as of that slot */
  readonly past: Pick<Resource<AppPast>, 'data' | 'error'>
  /** answer of the trades */
  readonly trades: Resource<Trade[]>
  /** newest first, with trades from the stream */
  readonly list: readonly Trade[]
  /** newest known market cap */
  readonly mcap: number | null
  readonly slot: SlotReading | null
  readonly link: Link
}

/** All data of a token's page, refreshed by the token's own trades; `at`: the slot to show, null for now. */
export function useToken(mint: string, at: number | null): TokenData {
  const paths = tokenPaths(mint)
  const snapshot = useResource<TokenSnapshot>(paths.snapshot, { everyMs: IDLE_MS })
  const explain = useResource<AppExplain>(paths.explain, { everyMs: IDLE_MS })
  const who = useResource<Who>(paths.who, { everyMs: IDLE_MS })
  const line = useResource<AppLine>(paths.line, { everyMs: LINE_MS })
  const asked = useResource<AppPast>(at === null ? null : `/app/tokens/${mint}/past?slot=${at}`)
  // the last moment stays until the next one has come
  const [then, setThen] = useState<AppPast | null>(null)
  useEffect(() => {
    if (asked.data !== null) setThen(asked.data)
  }, [asked.data])
  const past = { data: at === null ? null : (asked.data ?? then), error: asked.error }
  const [list, setList] = useState<readonly Trade[]>([])
  const [slot, setSlot] = useState<SlotReading | null>(null)
  const link = useTrades(mint, (later) => {
    setList((held) => withLater(held, later))
    setSlot((held) => newer(held, later.at(-1)?.slot))
    refreshSoon()
    refreshWhoSoon()
  })
  const everyMs = link === 'live' ? TRADES_LIVE_MS : TRADES_ASKED_MS
  const trades = useResource<Trade[]>(paths.trades, { everyMs })

  const answered = trades.data
  useEffect(() => {
    if (answered !== null) setList((held) => withAnswer(held, answered))
  }, [answered])
  const asOf = explain.data?.slot
  useEffect(() => setSlot((held) => newer(held, asOf)), [asOf])

  const refreshSoon = useThrottled(ACTIVE_MS, () => {
    if (document.hidden) return
    snapshot.refresh()
    explain.refresh()
  })

  const refreshWhoSoon = useThrottled(WHO_MS, () => {
    if (!document.hidden) who.refresh()
  })

  const points = useMemo(() => withTrades(line.data?.points ?? [], list), [line.data, list])
  const created = who.data?.created_slot ?? null
  const deployedAt = snapshot.data?.meta.deployed_at ?? null
  const anchors = useMemo(() => anchorsOf(points, created, deployedAt), [points, created, deployedAt])
  const mcap = newestMcap(list, snapshot.data, asOf)
  return { snapshot, explain, who, line, points, anchors, at, past, trades, list, mcap, slot, link }
}

/** The launch, then the trades. */
function anchorsOf(points: readonly LinePoint[], created: number | null, deployedAt: string | null): Anchor[] {
  const launch = created === null || deployedAt === null ? [] : [{ slot: created, time: Date.parse(deployedAt) / 1000 }]
  return [...launch, ...points.filter(({ slot }) => slot > (created ?? -1))]
}

/** Keeps the later of two readings of the slot. */
const newer = (held: SlotReading | null, slot: number | undefined): SlotReading | null =>
  slot === undefined || (held !== null && held.slot >= slot) ? held : { slot, at: Date.now() }

/**
 * Prefers the snapshot unless the last trade is newer, because a trade outside the token's own market does not move its price.
 */
function newestMcap(list: readonly Trade[], snapshot: TokenSnapshot | null, asOf: number | undefined): number | null {
  const [trade] = list
  if (snapshot === null) return trade?.mcap ?? null
  return trade !== undefined && trade.slot > (asOf ?? 0) ? trade.mcap : snapshot.market.mcap
}

/** Batches the trades of one mint, in chain order. */
function useTrades(mint: string, take: (trades: Trade[]) => void): Link {
  const waiting = useRef<Trade[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const takeNow = useEffectEvent(take)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useFrames(({ data }) => {
    if (data.mint !== mint) return
    waiting.current.push(...data.trades)
    if (waiting.current.length > BATCH_MAX) waiting.current.splice(0, waiting.current.length - BATCH_MAX)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      takeNow(waiting.current.splice(0))
    }, BATCH_MS)
  })
}

/** Runs at once, then at most every `ms`; a trailing call is kept. */
function useThrottled(ms: number, run: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const last = useRef(0)
  const runNow = useEffectEvent(run)
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    const wait = last.current + ms - Date.now()
    const now = (): void => {
      timer.current = undefined
      last.current = Date.now()
      runNow()
    }
    if (wait <= 0) now()
    else timer.current ??= setTimeout(now, wait)
  }
}
