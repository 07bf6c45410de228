import type { AppExplain, AppLine } from '@ti/core/contract/app.ts'
import type { TokenSnapshot, Trade } from '@ti/core/contract/resources.ts'
import type { Who } from '@ti/core/contract/who.ts'
import { useEffect, useRef, useState } from 'react'
import { type Resource, useResource } from '../../api/resource.ts'
import { type Link, useFrames } from '../../live/streams.ts'
import { tokenPaths } from './first.ts'
import { withAnswer, withLater } from './trade-list.ts'
import type { SlotReading } from './words.ts'

/** what passes with time alone (ages, overdue sales) */
const IDLE_MS = 20_000
/** after a trade of this token the numbers are asked for again, at most this often */
const ACTIVE_MS = 4_000
/** who is behind it is a larger answer */
const WHO_MS = 8_000
const LINE_MS = 60_000
/** the stream brings the trades; without it they are asked for */
const TRADES_LIVE_MS = 90_000
const TRADES_ASKED_MS = 10_000
/** frames of one moment are shown together */
const BATCH_MS = 250
/** frames kept for the next batch */
const BATCH_MAX = 500

interface TokenData {
  readonly snapshot: Resource<TokenSnapshot>
  readonly explain: Resource<AppExplain>
  readonly who: Resource<Who>
  readonly line: Resource<AppLine>
  /** of the trades' answer */
  readonly trades: Resource<Trade[]>
  /** newest first, with what the stream brought */
  readonly list: readonly Trade[]
  /** the newest market cap that is known */
  readonly mcap: number | null
  readonly slot: SlotReading | null
  readonly link: Link
}

/** Everything the page shows of one token, kept fresh by its own trades. */
export function useToken(mint: string): TokenData {
  const paths = tokenPaths(mint)
  const snapshot = useResource<TokenSnapshot>(paths.snapshot, { everyMs: IDLE_MS })
  const explain = useResource<AppExplain>(paths.explain, { everyMs: IDLE_MS })
  const who = useResource<Who>(paths.who, { everyMs: IDLE_MS })
  const line = useResource<AppLine>(paths.line, { everyMs: LINE_MS })
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

  return { snapshot, explain, who, line, trades, list, mcap: newestMcap(list, snapshot.data, asOf), slot, link }
}

/** A reading of the chain's slot, unless a later one is held. */
const newer = (held: SlotReading | null, slot: number | undefined): SlotReading | null =>
  slot === undefined || (held !== null && held.slot >= slot) ? held : { slot, at: Date.now() }

/** The last trade's where it is newer than the answer; trades beside the token's market move no price. */
function newestMcap(list: readonly Trade[], snapshot: TokenSnapshot | null, asOf: number | undefined): number | null {
  const [trade] = list
  if (snapshot === null) return trade?.mcap ?? null
  return trade !== undefined && trade.slot > (asOf ?? 0) ? trade.mcap : snapshot.market.mcap
}

/** Hands over the trades of one mint, in the order of the chain, a few times a second at most. */
function useTrades(mint: string, take: (trades: Trade[]) => void): Link {
  const waiting = useRef<Trade[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const taker = useRef(take)
  useEffect(() => {
    taker.current = take
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useFrames(({ data }) => {
    if (data.mint !== mint) return
    waiting.current.push(...data.trades)
    if (waiting.current.length > BATCH_MAX) waiting.current.splice(0, waiting.current.length - BATCH_MAX)
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      taker.current(waiting.current.splice(0))
    }, BATCH_MS)
  })
}

/** Runs at once, then at most every `ms`; the last call of a rush is not lost. */
function useThrottled(ms: number, run: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const last = useRef(0)
  const runner = useRef(run)
  useEffect(() => {
    runner.current = run
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return () => {
    const wait = last.current + ms - Date.now()
    const now = (): void => {
      timer.current = undefined
      last.current = Date.now()
      runner.current()
    }
    if (wait <= 0) now()
    else timer.current ??= setTimeout(now, wait)
  }
}
