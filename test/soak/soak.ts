import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Acknowledging, openAcknowledged } from './acknowledged.ts'
import { ask, type Child, start } from './child.ts'
import { mix, randomFrom } from './market.ts'
import type { SoakOptions } from './options.ts'
import { type News, STOP, STOP_AND_HASH } from './roles.ts'

/** milliseconds between two looks at what was acknowledged, and the most a kill comes after the commit it was set for */
const POLL_MS = 5
const KILL_WITHIN_MS = 20
/** milliseconds without a commit before the writer counts as stuck, and for it to close and to say its hash */
const STUCK_MS = 60_000
const CLOSE_MS = 600_000
const SAMPLES = 40

export interface Sample {
  readonly commits: number
  readonly entries: number
  /** of all files of the data directory: what they take on disk */
  readonly bytes: number
}

export interface SoakResult {
  readonly commits: number
  readonly entries: number
  readonly kills: number
  readonly restarts: number
  /** comparisons with the plain fold: of the node, and of restored checkpoints */
  readonly compared: number
  readonly comparedCheckpoints: number
  readonly checkpoints: number
  readonly exports: number
  readonly readers: { readonly values: number; readonly poolLookups: number }
  /** of the longest opening, milliseconds */
  readonly openMs: number
  readonly hash: string | null
  readonly growth: readonly Sample[]
  readonly seconds: number
  readonly dir: string
  readonly failures: readonly string[]
}

type Act = 'kill' | 'restart' | 'check' | 'copy'

/** What happens at how many commits, in order; the last one is a check at the end. */
function plan({ commits, seed, kills, restarts, checks, copies }: SoakOptions): { at: number; act: Act }[] {
  const random = randomFrom(mix(seed, 4_711))
  const acts: { at: number; act: Act }[] = []
  const spread = (count: number, act: Act): void => {
    for (let i = 0; i < count; i++) acts.push({ at: Math.floor(random() * commits), act })
  }
  spread(kills, 'kill')
  spread(restarts, 'restart')
  spread(copies, 'copy')
  for (let i = 1; i < checks; i++) acts.push({ at: Math.floor((i * commits) / checks), act: 'check' })
  acts.sort((a, b) => a.at - b.at)
  return [...acts, { at: commits, act: 'check' }]
}

/** Everything goes on at once until the plan is done or anything fails. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const started = performance.now()
  const base = mkdtempSync(join(tmpdir(), 'soak-'))
  const dir = options.dir ?? join(base, 'data')
  mkdirSync(dir, { recursive: true })
  if (readdirSync(dir).length > 0) throw new Error(`${dir} is not empty: the soak begins with nothing`)
  const paths = { dir, twin: join(base, 'twin'), aside: join(base, 'aside'), acknowledged: join(base, 'acknowledged') }
  const acknowledged = openAcknowledged(paths.acknowledged, true)
  const run = createRun(options, paths, acknowledged)
  try {
    await run.all()
  } catch (error) {
    run.failures.push((error as Error).message)
  } finally {
    await run.end()
  }
  const { commits, seq } = acknowledged.read()
  acknowledged.close()
  if (run.failures.length === 0) rmSync(base, { recursive: true, force: true })
  const seconds = Math.round((performance.now() - started) / 1000)
  return { ...run.result(), commits, entries: seq + 1, seconds, dir, failures: run.failures }
}

interface Paths {
  readonly dir: string
  readonly twin: string
  readonly aside: string
  readonly acknowledged: string
}

function createRun(options: SoakOptions, paths: Paths, acknowledged: Acknowledging) {
  const { seed, pattern } = options
  const random = randomFrom(mix(seed, 815))
  const failures: string[] = []
  const counts = { kills: 0, restarts: 0, compared: 0, comparedCheckpoints: 0, checkpoints: 0, exports: 0 }
  const growth: Sample[] = []
  const valuesOf = new Map<number, number>()
  let poolLookups = 0
  let openMs = 0
  let hash: string | null = null
  let readers: Child[] = []
  let twinSeq = -1
  let twin: Promise<unknown> = Promise.resolve()
  let copying: Promise<void> | null = null
  let isOver = false

  const fail = (what: string): void => {
    if (!isOver) failures.push(what)
  }

  /** The plain fold's hash at an entry; null where it is past that already. One after the other. */
  function twinHash(untilSeq: number): Promise<string | null> {
    const asked = twin.then(async () => {
      if (twinSeq > untilSeq) return null
      const folded = await ask({ role: 'twin', seed, pattern, dir: paths.twin, untilSeq }, 'folded')
      twinSeq = untilSeq
      return folded.hash
    })
    twin = asked.catch(() => {})
    return asked
  }

  function startReaders(): void {
    for (let i = 0; i < options.readers; i++) {
      const no = valuesOf.size
      valuesOf.set(no, 0)
      const child = start({ role: 'reader', seed, pattern, dir: paths.dir, no }, (news) => {
        if (news.kind === 'read') valuesOf.set(no, news.values)
      })
      child.ended.then((fault) => fault !== null && fail(fault))
      readers.push(child)
    }
  }

  async function endReaders(): Promise<void> {
    for (const reader of readers) reader.kill()
    await Promise.all(readers.map(({ ended }) => ended))
    readers = []
  }

  /** In the background; the next one is left out while one is being made. */
  function startCopy(): void {
    if (copying !== null) return
    const what = (counts.checkpoints + counts.exports) % 2 === 0 ? 'checkpoint' : 'export'
    counts[`${what}s`]++
    copying = copyOnce(what)
      .catch((error: Error) => fail(error.message))
      .finally(() => {
        copying = null
      })
  }

  async function copyOnce(what: 'checkpoint' | 'export'): Promise<void> {
    const before = acknowledged.read().seq
    const copied = await ask({ role: 'copier', seed, pattern, dir: paths.dir, aside: paths.aside, what }, 'copied')
    if (copied.seq < before) throw new Error(`a ${what} holds entry ${copied.seq}, ${before} was acknowledged`)
    if (copied.hash === null) return
    const plain = await twinHash(copied.seq)
    if (plain === null) return
    counts.comparedCheckpoints++
    if (plain !== copied.hash) throw new Error(`a checkpoint of entry ${copied.seq} has another hash than a plain fold`)
  }

  function sample(): void {
    const { commits, seq } = acknowledged.read()
    growth.push({ commits, entries: seq + 1, bytes: bytesOf(paths.dir) })
  }

  /** One life of the writer, until it is to be killed, or closed. */
  async function session(acts: { at: number; act: Act }[]): Promise<void> {
    const writer = startWriter()
    try {
      const { at, act } = await untilTheNext(acts, writer)
      if (act === 'kill') {
        await setTimeout(random() * KILL_WITHIN_MS)
        writer.child.kill()
        await writer.child.ended
        counts.kills++
        return
      }
      writer.child.send(act === 'check' ? STOP_AND_HASH : STOP)
      const closed = await within(CLOSE_MS, writer.closed, `the writer did not close at ${at} commits`)
      poolLookups += closed.poolReads
      const { seq } = acknowledged.read()
      if (closed.seq !== seq) throw new Error(`it closed at entry ${closed.seq} and had acknowledged ${seq}`)
      if (act === 'restart') {
        counts.restarts++
        // a reader that is killed leaves its place in the store's table of readers behind
        await endReaders()
      } else {
        hash = closed.hash
        if (hash !== (await twinHash(seq))) throw new Error(`at entry ${seq} the state differs from a plain fold`)
        counts.compared++
      }
    } finally {
      writer.child.kill()
    }
  }

  function startWriter() {
    let opened = (_: News & { kind: 'opened' }): void => {}
    let closed = (_: News & { kind: 'closed' }): void => {}
    const openedNews = new Promise<News & { kind: 'opened' }>((resolve) => (opened = resolve))
    const closedNews = new Promise<News & { kind: 'closed' }>((resolve) => (closed = resolve))
    const { dir, acknowledged } = paths
    const child = start({ role: 'writer', seed, pattern, dir, acknowledged }, (news) => {
      if (news.kind === 'opened') opened(news)
      else if (news.kind === 'closed') closed(news)
    })
    const died = child.ended.then((fault) => {
      if (fault !== null) throw new Error(fault)
      return new Promise<never>(() => {})
    })
    died.catch(() => {})
    return { child, died, opened: Promise.race([openedNews, died]), closed: Promise.race([closedNews, died]) }
  }

  async function untilTheNext(acts: { at: number; act: Act }[], writer: ReturnType<typeof startWriter>) {
    const before = acknowledged.read().seq
    const opened = await within(CLOSE_MS, writer.opened, 'the writer did not open')
    openMs = Math.max(openMs, opened.ms)
    if (opened.seq < before) throw new Error(`it opened at entry ${opened.seq}, ${before} was acknowledged`)
    if (readers.length === 0) startReaders()
    for (let last = { commits: -1, ms: performance.now() }; ; ) {
      await Promise.race([setTimeout(POLL_MS), writer.died])
      if (failures.length > 0) throw new Error('ended because of the above')
      const { commits } = acknowledged.read()
      if (commits !== last.commits) last = { commits, ms: performance.now() }
      if (performance.now() - last.ms > STUCK_MS) throw new Error(`no commit for ${STUCK_MS} ms after ${commits}`)
      if (commits >= (growth.length * options.commits) / SAMPLES) progress()
      if (commits < acts[0]!.at) continue
      const next = acts.shift()!
      if (next.act !== 'copy') return next
      startCopy()
    }
  }

  function progress(): void {
    sample()
    const { commits, entries, bytes } = growth.at(-1)!
    const perEntry = Math.round(bytes / Math.max(1, entries))
    process.stderr.write(
      `${commits} commits, ${entries} entries, ${perEntry} bytes an entry, ${counts.kills} kills, ${counts.compared} checks\n`,
    )
  }

  return {
    failures,
    async all() {
      const acts = plan(options)
      while (acts.length > 0) await session(acts)
      await copying
      sample()
    },
    async end() {
      isOver = true
      await endReaders()
      await copying
      await twin
    },
    result: () => {
      const values = [...valuesOf.values()].reduce((sum, one) => sum + one, 0)
      return { ...counts, readers: { values, poolLookups }, openMs: Math.round(openMs), hash, growth }
    },
  }
}

async function within<T>(ms: number, work: Promise<T>, what: string): Promise<T> {
  const stop = new AbortController()
  const late = setTimeout(ms, null, { signal: stop.signal }).then(
    () => {
      throw new Error(what)
    },
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([work, late])
  } finally {
    stop.abort()
  }
}

/** On disk, as files have holes. */
function bytesOf(dir: string): number {
  let bytes = 0
  for (const entry of readdirSync(dir, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    try {
      bytes += statSync(join(entry.parentPath, entry.name)).blocks * 512
    } catch {
      // it was removed meanwhile
    }
  }
  return bytes
}
