import { setMaxListeners } from 'node:events'
import { Writable } from 'node:stream'
import type { Key } from '@ti/core/base/ids.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { createLogger } from '@ti/service/base/log.ts'
import type { Clock } from '@ti/service/observe/clock.ts'
import type { Fetched, Outbound, OutboundRequest } from '@ti/service/observe/outbound/outbound.ts'
import type { Refusal } from '@ti/service/observe/outbound/reasons.ts'
import type { MissingFacts, WithoutLaunch } from '@ti/service/observe/types.ts'

/** Time that passes when a test says so. */
export interface FakeClock extends Clock {
  /** runs what falls due, in order, and lets it finish */
  pass(ms: number): Promise<void>
}

/** Lets everything that needs no more time come to its end. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 4; i++) await new Promise((done) => setImmediate(done))
}

export function createFakeClock(startSeconds = 1_800_000_000): FakeClock {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  return {
    ms: () => now,
    seconds: () => startSeconds + now / 1_000,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    async pass(ms) {
      const end = now + ms
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).reduce<(typeof timers)[number] | null>(earlier, null)
        if (next === null) break
        timers = timers.filter((one) => one !== next)
        now = Math.max(now, next.at)
        next.run()
        await settled()
      }
      now = end
      await settled()
    },
  }
}
const earlier = <T extends { at: number }>(a: T | null, b: T): T => (a === null || b.at < a.at ? b : a)

export interface FakeOutbound extends Outbound {
  readonly asked: readonly (OutboundRequest & { readonly at: number })[]
}

/** Answers requests from a table of the test's; text and objects are good answers. */
export function createFakeOutbound(
  clock: Clock,
  answer: (request: OutboundRequest) => Answering | Promise<Answering>,
): FakeOutbound {
  const asked: (OutboundRequest & { at: number })[] = []
  const closing = new AbortController()
  setMaxListeners(100, closing.signal)
  let inFlight = 0
  async function get(request: OutboundRequest): Promise<Fetched> {
    asked.push({ ...request, at: clock.ms() })
    inFlight++
    const signals = [closing.signal, request.signal]
    let close = (): void => {}
    try {
      const ended = new Promise<Answering>((done) => {
        close = () => done({ refuse: 'closed' })
        for (const signal of signals) signal?.addEventListener('abort', close)
      })
      const given = await Promise.race([answer(request), ended])
      if (typeof given === 'object' && given !== null && 'refuse' in given) return { ok: false, reason: given.refuse }
      const text = typeof given === 'string' ? given : JSON.stringify(given)
      return { ok: true, status: 200, contentType: request.accept[0]!, bytes: Buffer.from(text) }
    } finally {
      for (const signal of signals) signal?.removeEventListener('abort', close)
      inFlight--
    }
  }
  return {
    asked,
    get,
    async read(request, take) {
      const found = await get(request)
      if (!found.ok) return found
      if (found.bytes.length > 0) take(found.bytes)
      return { ok: true, bytes: found.bytes.length }
    },
    counts: new Map(),
    get inFlight() {
      return inFlight
    },
    close: () => closing.abort(),
  }
}
export type Answering = string | { readonly refuse: Refusal } | object

/** A missing that keeps what was reported to it. */
export interface FakeMissing extends MissingFacts {
  metadata: { mint: Key; uri: string }[]
  images: { mint: Key; image: string }[]
  unpaid: { mint: Key }[]
  buyers: { wallet: Key; before: number }[]
  unchecked: { mint: Key }[]
  deployers: { deployer: Key; createdSlot: number }[]
  unseen: WithoutLaunch[]
  folded: number
  readonly reported: { readonly fact: Fact; readonly at: number }[]
  report(facts: readonly Fact[], at: number): void
}

export function createFakeMissing(): FakeMissing {
  const reported: { fact: Fact; at: number }[] = []
  const missing: FakeMissing = {
    metadata: [],
    images: [],
    unpaid: [],
    buyers: [],
    unchecked: [],
    deployers: [],
    unseen: [],
    folded: 0,
    reported,
    tokensWithoutMetadata: (limit) => missing.metadata.slice(0, limit),
    tokensWithoutImageHash: (limit) => missing.images.slice(0, limit),
    tokensUnpaid: (limit) => missing.unpaid.slice(0, limit),
    walletsWithoutFunder: (limit) => missing.buyers.slice(0, limit),
    tokensToCheck: (limit) => missing.unchecked.slice(0, limit),
    deployersToTrace: (limit) => missing.deployers.slice(0, limit),
    tokensWithoutLaunch: (limit) => missing.unseen.slice(0, limit),
    slot: () => missing.folded,
    report(facts, at) {
      for (const fact of facts) {
        reported.push({ fact, at })
        if (fact.kind === 'metadata') missing.metadata = missing.metadata.filter(({ mint }) => mint !== fact.mint)
        if (fact.kind === 'image_hash') missing.images = missing.images.filter(({ mint }) => mint !== fact.mint)
        if (fact.kind === 'dex_paid') missing.unpaid = missing.unpaid.filter(({ mint }) => mint !== fact.mint)
        if (fact.kind === 'holders') missing.unchecked = missing.unchecked.filter(({ mint }) => mint !== fact.mint)
        if (fact.kind === 'funding') missing.buyers = missing.buyers.filter(({ wallet }) => wallet !== fact.wallet)
      }
    },
  }
  return missing
}

/** A key that is easy to distinguish. */
export const keyOf = (n: number): Key => String.fromCharCode(1 + (n >> 8), n & 255).padEnd(32, 'k') as Key

/** A logger whose lines a test can read. */
export function createFakeLogger() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, logger: createLogger('info', stream) }
}
