import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEngine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { Fact } from '@ti/core/model/facts.ts'
import { buildHistory, mintKey, type Step, walletKey } from '../../../../../test/support/histories.ts'
import { createMemoryStore } from '../../../../../test/support/memory-store.ts'
import { AGE_SLOTS, TRACED_HOLDERS } from './deployers-to-trace.ts'
import { createMissingFacts } from './missing-facts.ts'
import { AGES, CHECKED_HOLDERS, LATE_SLOTS } from './tokens-to-check.ts'

const step = (action: Step['action'], token: number, wallet = 0, gap = 1): Step => ({
  ...{ gap, token, wallet, action, size: 100 },
})

const withUris = (entry: LogEntry): LogEntry =>
  entry.kind !== 'block'
    ? entry
    : {
        ...entry,
        events: entry.events.map((event) => (event.kind === 'create' ? { ...event, uri: 'ipfs://x' } : event)),
      }

function missing(steps: readonly Step[]) {
  const engine = createEngine({ reader: createMemoryStore(), walletsCached: 100 })
  for (const entry of buildHistory(steps)) engine.apply(engine.globals.seq + 1, withUris(entry))
  let now = 0
  const report = (...facts: Fact[]): void => {
    engine.apply(engine.globals.seq + 1, { kind: 'facts', time: 1, byOperator: true, facts })
    now += 1_000
  }
  const pass = (slots: number): void => {
    const { seq, slot, time } = engine.globals
    engine.apply(seq + 1, { kind: 'block', slot: slot + slots, parent: slot, time: time + slots * 0.4, events: [] })
  }
  return { asked: createMissingFacts(engine, () => now), report, pass }
}

const metadata = (mint: number, image: string | null): Fact => ({
  ...{ kind: 'metadata', mint: mintKey(mint), description: null, image, twitter: null, telegram: null, website: null },
  ...{ twitterNorm: null, telegramNorm: null, websiteNorm: null },
})

test('tokens are named while something about them is unknown, the newest and most traded first', () => {
  const trades = Array.from({ length: 10 }, () => step('buy', 0, 1, 0))
  const { asked, report } = missing([step('create', 0), ...trades, step('create', 1), step('create', 2)])
  const mints = (list: readonly { readonly mint: string }[]) => list.map(({ mint }) => mint)
  assert.deepEqual(mints(asked.tokensWithoutMetadata(9)), [mintKey(0), mintKey(2), mintKey(1)])
  assert.deepEqual(mints(asked.tokensWithoutMetadata(2)), [mintKey(0), mintKey(2)])
  assert.deepEqual(asked.tokensWithoutImageHash(9), [])
  report(metadata(2, 'https://images.example/2.png'), metadata(1, null))
  assert.deepEqual(mints(asked.tokensWithoutMetadata(9)), [mintKey(0)])
  assert.deepEqual(asked.tokensWithoutImageHash(9), [{ mint: mintKey(2), image: 'https://images.example/2.png' }])
  report({ kind: 'image_hash', mint: mintKey(2), sha256: 'ab' }, { kind: 'dex_paid', mint: mintKey(1), time: 5 })
  assert.deepEqual(asked.tokensWithoutImageHash(9), [])
  assert.deepEqual(mints(asked.tokensUnpaid(9)), [mintKey(0), mintKey(2)])
})

test('early buyers are named once, with their first buy, until their funder is known', () => {
  const { asked, report } = missing([
    ...[step('create', 0), step('buy', 0, 1), step('buy', 0, 2)],
    ...[step('create', 1), step('buy', 1, 1), step('buy', 1, 3), step('sell', 1, 3)],
  ])
  const buyers = asked.walletsWithoutFunder(9)
  assert.deepEqual(buyers.map(({ wallet }) => wallet).sort(), [walletKey(1), walletKey(2), walletKey(3)])
  const [first] = asked.walletsWithoutFunder(1)
  assert.equal(first?.wallet, walletKey(1), 'of the newer token')
  report({ kind: 'funding', wallet: walletKey(1), funder: walletKey(4), slot: 900, exchange: false, lamports: 1 })
  assert.deepEqual(
    asked.walletsWithoutFunder(9).map(({ wallet }) => wallet),
    [walletKey(3), walletKey(2)],
  )
})

test('largest balances are asked for at each age, once, of tokens with enough holders', () => {
  const [minute, five] = AGES
  const holders = Array.from({ length: CHECKED_HOLDERS }, (_, n) => step('buy', 0, n + 1, 0))
  const { asked, report, pass } = missing([
    step('create', 0),
    ...holders,
    step('create', 1, 0, 0),
    step('buy', 1, 1, 0),
  ])
  const due = (): string[] => asked.tokensToCheck(9).map(({ mint }) => mint)
  const answer = (): Fact => ({ ...{ kind: 'holders', mint: mintKey(0), slot: asked.slot() }, ...KEEPS })
  assert.deepEqual(due(), [])
  pass(minute)
  assert.deepEqual(due(), [mintKey(0)])
  report(answer())
  assert.deepEqual(due(), [])
  pass(five - minute)
  assert.deepEqual(due(), [mintKey(0)])
  pass(LATE_SLOTS + 1)
  assert.deepEqual(due(), [], 'too late')
})

/** An answer without an owner, whose rest is larger than any holding. */
const KEEPS = { owners: [], amounts: [], rest: Number.MAX_SAFE_INTEGER }

test('deployers are asked about while their launch is young and has enough holders', () => {
  const buyers = (token: number, n: number) => Array.from({ length: n }, (_, i) => step('buy', token, 1 + i))
  const { asked, pass } = missing([
    ...[step('create', 0), ...buyers(0, TRACED_HOLDERS)],
    ...[step('create', 1), ...buyers(1, TRACED_HOLDERS - 2)],
  ])
  const [only, ...others] = asked.deployersToTrace(9)
  assert.equal(only!.deployer, walletKey(0))
  assert.deepEqual(others, [])
  pass(AGE_SLOTS + 1)
  assert.deepEqual(asked.deployersToTrace(9), [])
})

test('the creation of a token that was first met in a trade is asked for until it is known', () => {
  const { asked, report } = missing([step('create', 1), step('buy', 0, 1), step('buy', 1, 2)])
  const [only, ...others] = asked.tokensWithoutLaunch(9)
  assert.deepEqual([only!.mint, others], [mintKey(0), []])
  assert.equal(only!.met.length, 64)
  const launch = {
    kind: 'launch',
    mint: mintKey(0),
    launcher: walletKey(3),
    creator: walletKey(3),
    payer: null,
  } as const
  const named = { name: 'Name', symbol: 'SYM', uri: '', nameNorm: 'name', symbolNorm: 'sym', supply: 1e15, decimals: 6 }
  report({ ...launch, ...named, signed: true, slot: 1, sig: only!.met })
  assert.deepEqual(asked.tokensWithoutLaunch(9), [])
})
