import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Key } from '@ti/core/base/ids.ts'
import { createEngine, type Engine } from '@ti/core/engine/engine.ts'
import type { LogEntry } from '@ti/core/model/entries.ts'
import type { HoldersFact } from '@ti/core/model/facts.ts'
import { encodeEntry } from '@ti/service/log/codec.ts'
import { runs } from '../support/chance.ts'
import { buildHistory, curveKey, mintKey, shortSteps, steps, TRADERS, walletKey } from '../support/histories.ts'
import { createMemoryStore } from '../support/memory-store.ts'
import fc from '../support/property.ts'
import { createFolder, serve } from './prefix.ts'

/** The largest balances that a node tells, against a plain rule over what was known before. */
const RUNS = runs(100)
const MINT = mintKey(0)
const STRANGER = walletKey(99)
const TOKEN = 1e6

/** `late`: slots between the answer and what is folded. Amounts in whole tokens, of the curve, a stranger and traders. */
const told = fc.record({
  late: fc.integer({ min: -1, max: 40 }),
  amounts: fc.array(fc.integer({ min: 0, max: 400_000_000 }), { minLength: 1, maxLength: TRADERS + 2 }),
  from: fc.integer({ min: 0, max: TRADERS - 1 }),
  rest: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 50_000_000 })),
})

const newEngine = (): Engine => createEngine({ reader: createMemoryStore(), walletsCached: 1_000 })

function foldAll(engine: Engine, entries: readonly LogEntry[]): void {
  for (const entry of entries) engine.apply(engine.globals.seq + 1, entry)
}

function factOf({ late, amounts, from, rest }: typeof told extends fc.Arbitrary<infer T> ? T : never, slot: number) {
  const owners = [curveKey(0), STRANGER, ...Array.from({ length: TRADERS }, (_, n) => walletKey((from + n) % TRADERS))]
  const fact: HoldersFact = {
    ...{ kind: 'holders', mint: MINT, slot: slot - late, rest: rest * TOKEN },
    owners: owners.slice(0, amounts.length),
    amounts: amounts.map((amount) => amount * TOKEN),
  }
  return fact
}

const seen = new Map<string, number>()
const notice = (what: string, happens: boolean): void => void (happens && seen.set(what, (seen.get(what) ?? 0) + 1))

interface Known {
  readonly balance: number
  readonly lastTradeSlot: number
}

function known(engine: Engine): Map<Key, Known> {
  const live = engine.tokens.peek(MINT)
  const found = new Map<Key, Known>()
  for (const { wallet, balance, lastBuySlot, lastSellSlot } of live?.positions.values() ?? [])
    found.set(engine.wallet(wallet).address, { balance, lastTradeSlot: Math.max(lastBuySlot, lastSellSlot) })
  return found
}

/** What each wallet has after the answer. */
function expected(
  before: ReadonlyMap<Key, Known>,
  { owners, amounts, slot, rest }: HoldersFact,
  curve: Key | null,
): Map<Key, number> {
  const after = new Map([...before].map(([owner, { balance }]) => [owner, balance]))
  const holders = new Set([...before.keys(), ...owners].filter((owner) => owner !== curve))
  for (const owner of holders) {
    const { balance, lastTradeSlot } = before.get(owner) ?? { balance: 0, lastTradeSlot: -1 }
    const traded = lastTradeSlot > slot
    const at = owners.indexOf(owner)
    const amount = at >= 0 ? amounts[at]! : Math.min(balance, rest)
    notice('traded since', traded && amount !== balance)
    notice('more', !traded && amount > balance)
    notice('less', !traded && amount < balance && at >= 0)
    notice('not named', !traded && amount < balance && at < 0)
    if (!traded && (amount > 0 || before.has(owner))) after.set(owner, amount)
  }
  return after
}

test('a balance is what the node reported unless its wallet has traded since', () => {
  fc.assert(
    fc.property(steps, told, (list, given) => {
      const engine = newEngine()
      foldAll(engine, buildHistory(list))
      const live = engine.tokens.peek(MINT)
      if (live === undefined) return
      const fact = factOf(given, engine.globals.slot)
      const before = known(engine)
      foldAll(engine, [{ kind: 'facts', time: 1, byOperator: false, facts: [fact] }])
      const isAhead = fact.slot > engine.globals.slot
      notice('ahead', isAhead)
      const balances = isAhead
        ? new Map([...before].map(([owner, one]) => [owner, one.balance]))
        : expected(before, fact, live.token.curve)
      const after = known(engine)
      assert.deepEqual([...after].map(([owner, { balance }]) => [owner, balance]).sort(), [...balances].sort())
      const { token } = live
      assert.equal(token.checkedSlot, isAhead ? -1 : fact.slot)
      const held = [...balances.values()]
      assert.equal(token.holders, held.filter((balance) => balance >= TOKEN).length)
      const moved = [...balances].reduce(
        (sum, [owner, now]) => sum + Math.abs(now - (before.get(owner)?.balance ?? 0)),
        0,
      )
      assert.equal(token.checkedMoved, isAhead ? 0 : moved)
    }),
    { numRuns: RUNS },
  )
  for (const what of ['traded since', 'more', 'less', 'not named', 'ahead'])
    assert.ok((seen.get(what) ?? 0) > 0, `no history with: ${what}`)
})

test('an older answer changes nothing', () => {
  const engine = newEngine()
  foldAll(engine, buildHistory([{ gap: 1, token: 0, wallet: 1, action: 'buy', size: 100 }]))
  const { slot } = engine.globals
  const tell = (at: number, amount: number): void => {
    const fact: HoldersFact = {
      kind: 'holders',
      mint: MINT,
      slot: at,
      owners: [walletKey(1)],
      amounts: [amount],
      rest: 0,
    }
    foldAll(engine, [{ kind: 'facts', time: 1, byOperator: false, facts: [fact] }])
  }
  tell(slot, 7)
  tell(slot - 1, 9)
  tell(slot, 8)
  assert.equal(known(engine).get(walletKey(1))!.balance, 7)
})

test('the same answers whether the service was restarted before the answer of the node or not', async () => {
  await fc.assert(
    fc.asyncProperty(shortSteps, shortSteps, told, async (first, second, given) => {
      const before = buildHistory(first)
      const all = buildHistory([...first, { gap: 1, token: 0, wallet: 0, action: 'buy', size: 10 }, ...second])
      const slot = before.reduce((most, entry) => (entry.kind === 'block' ? Math.max(most, entry.slot) : most), 0)
      const fact: LogEntry = { kind: 'facts', time: 1, byOperator: false, facts: [factOf(given, slot)] }
      const entries = [...before, fact, ...all.slice(before.length)].map((entry) => Buffer.from(encodeEntry(entry)))
      const [plain, restarted] = [createFolder(), createFolder()]
      try {
        plain.fold(entries, 3)
        restarted.fold(entries.slice(0, before.length), 1)
        await restarted.restart()
        restarted.fold(entries.slice(before.length), 2)
        assert.deepEqual(serve(restarted, [0, 1, 2, 3]), serve(plain, [0, 1, 2, 3]))
      } finally {
        await Promise.all([plain.remove(), restarted.remove()])
      }
    }),
    { numRuns: Math.ceil(RUNS / 10) },
  )
})
