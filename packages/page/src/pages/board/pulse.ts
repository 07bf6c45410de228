import type { Frame, TokenEvent } from '@ti/core/contract/streams.ts'

/** A token's latest numbers from the streams, between two answers of a list. */
export interface Beat {
  /** USD; null before the first trade */
  readonly mcap: number | null
  /** time of `mcap` on this machine, Unix milliseconds */
  readonly at: number
  /** trades of the last minute that this page has seen */
  readonly buys: number
  readonly sells: number
}

type Cell = (beat: Beat) => void

export interface Pulse {
  frame(frame: Frame): void
  /** calls the cell with the current numbers and each change; returns the function that stops it */
  watch(mint: string, cell: Cell): () => void
}

/** shortest time between two writes */
const FLUSH_MS = 400
/** tokens written per frame, so that no frame takes long */
const MINTS_AT_ONCE = 24
const BUCKETS = 6
const BUCKET_MS = 10_000
/** tokens remembered; those without a trade for a minute are removed anyway */
const MINTS_MAX = 4_000

interface Heard {
  mcap: number
  at: number
  /** counts by bucket */
  readonly buys: number[]
  readonly sells: number[]
  bucket: number
}

interface Surroundings {
  now(): number
  /** calls once before a paint, after at least this many milliseconds */
  later(ms: number, call: () => void): void
}

const inBrowser: Surroundings = {
  now: () => Date.now(),
  later: (ms, call) => void setTimeout(() => requestAnimationFrame(call), ms),
}

const SILENT: Beat = { mcap: null, at: 0, buys: 0, sells: 0 }

export function createPulse({ now, later }: Surroundings = inBrowser): Pulse {
  const heard = new Map<string, Heard>()
  const cells = new Map<string, Set<Cell>>()
  const changed = new Set<string>()
  let planned = false
  let swept = 0

  const bucketNow = (): number => Math.floor(now() / BUCKET_MS)

  const beatOf = (mint: string): Beat => {
    const of = heard.get(mint)
    if (of === undefined) return SILENT
    turn(of, bucketNow())
    return { mcap: of.mcap, at: of.at, buys: sum(of.buys), sells: sum(of.sells) }
  }

  const flush = (): void => {
    planned = false
    sweep()
    let room = MINTS_AT_ONCE
    for (const mint of changed) {
      if (room === 0) break
      changed.delete(mint)
      const watching = cells.get(mint)
      if (watching === undefined) continue
      room -= 1
      const beat = beatOf(mint)
      for (const cell of watching) cell(beat)
    }
    if (changed.size > 0) plan(0)
  }

  const plan = (ms: number): void => {
    if (planned) return
    planned = true
    later(ms, flush)
  }

  /** Once per bucket: forgets quiet tokens and updates counts that have expired. */
  const sweep = (): void => {
    const bucket = bucketNow()
    if (bucket === swept) return
    swept = bucket
    for (const [mint, of] of heard) if (bucket - of.bucket >= BUCKETS && !cells.has(mint)) heard.delete(mint)
    for (const mint of cells.keys()) if (heard.has(mint)) changed.add(mint)
  }

  return {
    frame({ data: { mint, trades } }) {
      const last = trades[trades.length - 1]
      if (last === undefined) return
      let of = heard.get(mint)
      if (of === undefined) {
        if (heard.size >= MINTS_MAX) heard.delete(heard.keys().next().value ?? '')
        of = { mcap: 0, at: 0, buys: Array(BUCKETS).fill(0), sells: Array(BUCKETS).fill(0), bucket: bucketNow() }
        heard.set(mint, of)
      }
      turn(of, bucketNow())
      of.mcap = last.mcap
      of.at = now()
      const slot = of.bucket % BUCKETS
      for (const { is_buy } of trades) {
        const counts = is_buy ? of.buys : of.sells
        counts[slot] = (counts[slot] ?? 0) + 1
      }
      if (cells.has(mint)) changed.add(mint)
      plan(FLUSH_MS)
    },
    watch(mint, cell) {
      const watching = cells.get(mint) ?? new Set()
      cells.set(mint, watching.add(cell))
      cell(beatOf(mint))
      return () => {
        watching.delete(cell)
        if (watching.size === 0 && cells.get(mint) === watching) cells.delete(mint)
      }
    },
  }
}

/** Clears expired buckets. */
function turn(of: Heard, bucket: number): void {
  const passed = Math.min(BUCKETS, bucket - of.bucket)
  for (let i = 1; i <= passed; i += 1) {
    const slot = (of.bucket + i) % BUCKETS
    of.buys[slot] = 0
    of.sells[slot] = 0
  }
  of.bucket = Math.max(of.bucket, bucket)
}

const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

/** milliseconds by which the market cap in an answer is old on arrival */
const ANSWER_AGE_MS = 1_000

/** Returns the newer of the list's and the stream's market cap; `listAt`: arrival of the list. */
export const newerCap = (listed: number, listAt: number, beat: Beat): number =>
  beat.mcap !== null && beat.at >= listAt - ANSWER_AGE_MS ? beat.mcap : listed

/** A launch too young for the lists. */
export interface Launch {
  readonly mint: string
  readonly symbol: string
  readonly name: string
  /** Unix milliseconds */
  readonly at: number
}

/** newest launches shown that are too young for the lists */
const LAUNCHES_KEPT = 4

/** Adds a launch to the newest ones; returns the same array for other events. */
export function withLaunch(launches: readonly Launch[], event: TokenEvent, now: number): readonly Launch[] {
  if (event.type !== 'token_created') return launches
  const { mint, symbol, name, deployed_at } = event.data
  if (launches.some((launch) => launch.mint === mint)) return launches
  const at = deployed_at === null ? now : Date.parse(deployed_at)
  return [{ mint, symbol, name, at }, ...launches].slice(0, LAUNCHES_KEPT)
}
