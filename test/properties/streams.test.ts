import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyToBase58, sigToBase58 } from '@ti/core/base/base58.ts'
import type { Key, Sig } from '@ti/core/base/ids.ts'
import { Frame, TOPICS, TokenEvent } from '@ti/core/contract/streams.ts'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { ChainEvent, TradeEvent } from '@ti/core/model/events.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { createStreams, type OwnStream, type StreamMessage } from '@ti/core/query/streams.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, mintKey, steps } from '../support/histories.ts'
import { createMemoryStore, QUIET_AT_ONCE } from '../support/memory-store.ts'
import fc from '../support/property.ts'

const RUNS = runs(150)
const BOUNDS = { resumeMessages: 1e9 }

/** Histories with transactions that touch several tokens, rows without a signature, and facts about tokens. */
const histories = fc
  .tuple(steps, fc.infiniteStream(fc.nat({ max: 11 })))
  .map(([list, chances]) => vary(buildHistory(list), () => chances.next().value as number))

function vary(entries: LogEntry[], chance: () => number): LogEntry[] {
  return entries.flatMap((entry): LogEntry[] => {
    if (entry.kind !== 'block') return [entry]
    const block = { ...entry, events: joined(entry.events, chance) }
    const facts = chance() < 4 ? [factAbout(chance)] : []
    return facts.length === 0 ? [block] : [block, { kind: 'facts', time: block.time, byOperator: false, facts }]
  })
}

/** Some trades join the transaction before them, some lose their signature. */
function joined(events: readonly ChainEvent[], chance: () => number): ChainEvent[] {
  const out: ChainEvent[] = []
  for (const event of events) {
    const { sig, txIndex } = out.at(-1) ?? event
    const dice = chance()
    if (event.kind !== 'trade' || dice > 5) out.push(event)
    else if (dice === 0) out.push({ ...event, sig: '' as Sig })
    else out.push({ ...event, sig, txIndex })
  }
  return out
}

function factAbout(chance: () => number): Fact {
  const mint = mintKey(chance() % 4)
  const dice = chance()
  if (dice < 3) return { kind: 'dex_paid', mint, time: 5 + dice }
  if (dice < 6) return { kind: 'image_hash', mint, sha256: `${chance() % 3}` }
  const link = (): string | null => (chance() < 4 ? null : `x.com/${chance() % 3}`)
  const [twitter, telegram, website] = [link(), link(), link()]
  const image = chance() < 4 ? null : `image ${chance()}`
  const norms = { twitterNorm: twitter, telegramNorm: telegram, websiteNorm: website }
  return { kind: 'metadata', mint, description: 'd', image, twitter, telegram, website, ...norms }
}

interface Folded {
  readonly streams: Record<(typeof TOPICS)[number], OwnStream>
  readonly dump: string
}

/** Folds in commits of `group` entries, with a new engine after every `restart` commits. */
function fold(entries: readonly LogEntry[], group: number, restart: number): Folded {
  const store = createMemoryStore()
  const start = () => createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE })
  let engine = start()
  let commits = 0
  entries.forEach((entry, i) => {
    engine.apply(i, entry)
    if ((i + 1) % group !== 0 && i + 1 < entries.length) return
    store.write(engine.changes())
    engine.committed()
    if (++commits % restart === 0) engine = start()
  })
  return { streams: createStreams({ engine, store, bounds: BOUNDS }), dump: store.dump() }
}

const all = (stream: OwnStream): StreamMessage[] => stream.read(0, 1e9)

test('frames: one for each transaction and token, numbered without a gap, in the order of the chain', () => {
  let several = 0
  fc.assert(
    fc.property(histories, (entries) => {
      const expected: { sig: Sig; mint: Key; slot: number; ids: string[] }[] = []
      for (const block of entries) {
        if (block.kind !== 'block') continue
        const first = expected.length
        for (const event of block.events.filter((one): one is TradeEvent => one.kind === 'trade')) {
          const { sig, mint } = event
          const known = expected.slice(first).find((frame) => sig !== '' && frame.sig === sig && frame.mint === mint)
          const id = `${sigToBase58(sig)}:${event.outer}:${event.inner}`
          if (known === undefined) expected.push({ sig, mint, slot: block.slot, ids: [id] })
          else known.ids.push(id)
        }
      }
      const { streams } = fold(entries, 1, 1e9)
      const stream = streams['frames:live']
      assert.equal(stream.newest(), expected.length)
      const messages = all(stream)
      assert.equal(messages.length, expected.length)
      messages.forEach((message, i) => {
        const { data } = Frame.parse(JSON.parse(message.payload))
        const { sig, mint, slot, ids } = expected[i]!
        assert.equal(message.seq, i + 1)
        assert.deepEqual(
          [data.seq, data.signature, data.mint, data.slot, data.trades.map((trade) => trade.unique_id)],
          [i + 1, sigToBase58(sig), keyToBase58(mint), slot, ids],
        )
        if (ids.length > 1) several++
        for (const trade of data.trades) assert.deepEqual([trade.mint, trade.slot], [data.mint, data.slot])
      })
    }),
    { numRuns: RUNS },
  )
  assert.equal(several > RUNS / 10, true, `frames of several trades occur: ${several}`)
})

test('token events: what a plain walk over the log tells, in its order', () => {
  fc.assert(
    fc.property(histories, (entries) => {
      const { streams } = fold(entries, 1, 1e9)
      const messages = all(streams['tokens:live'])
      const told = messages.map(({ payload }) => TokenEvent.parse(JSON.parse(payload)))
      assert.deepEqual(
        told.map(({ data }) => data.seq),
        told.map((_, i) => i + 1),
      )
      // verdicts have a reference of their own
      const walked = told.filter(({ type }) => type !== 'verdict_changed')
      const expected = tellPlainly(entries)
      assert.deepEqual(
        walked.map(({ type, data }) => [type, data.mint, data.slot]),
        expected.map(([type, mint, slot]) => [type, keyToBase58(mint), slot]),
      )
      walked.forEach(({ type, data }, i) => {
        if (type === 'token_duplication_status_updated') assert.deepEqual({ ...data.duplication }, expected[i]![3])
      })
    }),
    { numRuns: RUNS },
  )
})

const FLAGS = ['image', 'name', 'symbol', 'symbol_name', 'telegram', 'twitter', 'website'] as const
type Flags = Record<(typeof FLAGS)[number], boolean | null>
type Told = readonly [type: string, mint: Key, slot: number, flags?: Flags]

/** Type, mint and slot of every event, and the flags where they changed: texts are remembered with all their tokens. */
function tellPlainly(entries: readonly LogEntry[]): Told[] {
  const out: Told[] = []
  const known = new Set<Key>()
  const once = new Set<string>()
  const users = new Map<string, Key[]>()
  const flagsOf = new Map<Key, Flags>()
  let slot = -1
  const first = (what: string): boolean => !once.has(what) && once.add(what) !== undefined
  const tell = (type: string, mint: Key): void => void out.push([`token_${type}`, mint, slot])
  const check = (mint: Key, field: (typeof FLAGS)[number], text: string | null): void => {
    flagsOf.get(mint)![field] = false
    if (text === null || text === '') return
    const all = [...(users.get(`${field} ${text}`) ?? []), mint]
    users.set(`${field} ${text}`, all)
    const inOrder = [...known].filter((one) => all.includes(one))
    flagsOf.get(mint)![field] = inOrder[0] !== mint
    for (const later of inOrder.slice(1)) {
      if (later === mint) continue
      changing(later, () => {
        flagsOf.get(later)![field] = true
      })
    }
  }
  const changing = (mint: Key, work: () => void): void => {
    if (!flagsOf.has(mint)) flagsOf.set(mint, Object.fromEntries(FLAGS.map((flag) => [flag, null])) as Flags)
    const before = { ...flagsOf.get(mint)! }
    work()
    const flags = { ...flagsOf.get(mint)! }
    if (FLAGS.some((flag) => flags[flag] !== before[flag])) {
      out.push(['token_duplication_status_updated', mint, slot, flags])
    }
  }
  const onChain = (event: ChainEvent): void => {
    if (event.kind === 'trade') known.add(event.mint)
    if (event.kind === 'create' && first(`create ${event.mint}`)) {
      known.add(event.mint)
      tell('created', event.mint)
      changing(event.mint, () => {
        check(event.mint, 'name', event.nameNorm)
        check(event.mint, 'symbol', event.symbolNorm)
        check(event.mint, 'symbol_name', `${event.symbolNorm}\n${event.nameNorm}`)
      })
    }
    if (event.kind === 'migrate' && first(`migrate ${event.mint}`)) {
      // one that graduated before anything of it was seen is no news
      if (known.has(event.mint) || event.token?.earlier !== true) tell('graduated', event.mint)
      known.add(event.mint)
    }
  }
  const onFact = (fact: Fact): void => {
    if (fact.kind !== 'metadata' && fact.kind !== 'image_hash' && fact.kind !== 'dex_paid') return
    const { mint } = fact
    if (!known.has(mint)) return
    if (fact.kind === 'dex_paid') {
      if (first(`paid ${mint}`)) tell('dex_paid', mint)
    } else if (fact.kind === 'image_hash') {
      if (flagsOf.get(mint)?.image == null) changing(mint, () => check(mint, 'image', fact.sha256))
    } else if (first(`metadata ${mint}`)) {
      tell('metadata_retrieved', mint)
      changing(mint, () => {
        check(mint, 'twitter', fact.twitterNorm)
        check(mint, 'telegram', fact.telegramNorm)
        check(mint, 'website', fact.websiteNorm)
        if (fact.image === null) flagsOf.get(mint)!.image ??= false
      })
    }
  }
  for (const entry of entries) {
    if (entry.kind === 'block') {
      slot = entry.slot
      entry.events.forEach(onChain)
    } else if (entry.kind === 'facts') entry.facts.forEach(onFact)
  }
  return out
}

test('streams do not depend on commits and restarts, and every piece of them is the same wherever reading begins', () => {
  const cut = fc.record({ after: fc.nat({ max: 200 }), limit: fc.integer({ min: 1, max: 9 }) })
  fc.assert(
    fc.property(histories, fc.integer({ min: 1, max: 9 }), fc.array(cut, { minLength: 3 }), (entries, group, cuts) => {
      const { streams, dump } = fold(entries, group, 2)
      const plain = fold(entries, 1, 1e9)
      assert.equal(dump, plain.dump)
      for (const topic of TOPICS) {
        const whole = all(plain.streams[topic])
        assert.deepEqual(all(streams[topic]), whole)
        for (const { after, limit } of cuts) {
          assert.deepEqual(streams[topic].read(after, limit), whole.slice(after, after + limit))
        }
        const walked: StreamMessage[] = []
        for (let more = streams[topic].read(0, cuts[0]!.limit); more.length > 0; ) {
          walked.push(...more)
          more = streams[topic].read(walked.length, cuts[0]!.limit)
        }
        assert.deepEqual(walked, whole)
      }
    }),
    { numRuns: RUNS },
  )
})

test('a resume reaches back as far as its bound', () => {
  const store = createMemoryStore()
  const engine = createEngine({ reader: store, walletsCached: 4, quiet: QUIET_AT_ONCE })
  const { 'frames:live': frames } = createStreams({ engine, store, bounds: { resumeMessages: 10 } })
  const reach = (newest: number) => {
    Object.assign(engine.globals, { frames: newest })
    return [frames.newest(), frames.oldest()]
  }
  assert.deepEqual([0, 1, 10, 11, 25].map(reach), [
    [0, 1],
    [1, 1],
    [10, 1],
    [11, 2],
    [25, 16],
  ])
})
